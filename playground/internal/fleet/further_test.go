package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFurtherMemberHasANameAndPortsOfItsOwn(t *testing.T) {
	f := Demo()
	for _, name := range []string{"osaka", "seoul", "osaka"} {
		next, m, err := f.Add(name)
		if err != nil || m.Name != name {
			t.Fatalf("adding %s: %v, %v", name, m, err)
		}
		f = next
	}
	if diff := cmp.Diff([]Further{{Name: "osaka", Place: 4}, {Name: "seoul", Place: 5}}, f.Further); diff != "" {
		t.Errorf("further members (-want +got):\n%s", diff)
	}
	// The second one stays where it is, and the place of the first is taken again.
	f, removed := f.Remove("osaka")
	if !removed {
		t.Error("osaka was not there")
	}
	f, m, err := f.Add("lima")
	if err != nil || m.Place != 4 {
		t.Errorf("lima has place %d, %v", m.Place, err)
	}
	p, err := NewPorts(f, 21000, 8080, 8443)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{21140, 21150}, []int{p.APIServer("lima"), p.APIServer("seoul")}); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

func TestNamesThatAMemberCannotHave(t *testing.T) {
	for name, want := range map[string]string{
		"":                      "cannot be the name of a member",
		"Osaka":                 "lower case letters",
		"../etc":                "lower case letters",
		"-osaka":                "begins with a letter",
		"osaka-":                "ends with no '-'",
		strings.Repeat("a", 33): "1 to 32",
		"asia":                  `the fleet has "asia"`,
		"hangzhou":              `the fleet has "hangzhou"`,
		"hangzhou-etcd":         `the fleet has "hangzhou"`,
		"kairship":              `the fleet has "kairship"`,
		"clusterpedia-x":        `the fleet has "clusterpedia"`,
	} {
		if _, _, err := Demo().Add(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}
}

func TestThereIsRoomForSoManyFurtherMembers(t *testing.T) {
	f := Demo()
	var err error
	for n := range maxMembers - len(f.Members()) {
		if f, _, err = f.Add(fmt.Sprintf("m%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err = f.Add("more"); err == nil || !strings.Contains(err.Error(), "ports for 6 further members, and they are m0, m1") {
		t.Errorf("error %v", err)
	}
}
