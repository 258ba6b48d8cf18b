package fleet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewPortsRefusesWhatCannotWork(t *testing.T) {
	tests := map[string]struct {
		base, http, https int
		want              string
	}{
		"the defaults are fine":           {DefaultPortBase, 8080, 8443, ""},
		"a privileged base":               {80, 8080, 8443, "KAIRSHIP_PORT_BASE) is 80: allowed are 1024 to"},
		"a base too near the end":         {65500, 8080, 8443, "KAIRSHIP_PORT_BASE) is 65500: allowed are 1024 to"},
		"a door that is no port":          {21000, 0, 8443, "KAIRSHIP_HTTP_PORT is 0: allowed are 1 to 65535"},
		"a door inside the fleet's range": {21000, 8080, 21050, "KAIRSHIP_HTTPS_PORT is 21050, which lies in the fleet's own range 21000 to"},
		"two doors in one place":          {21000, 8080, 8080, "KAIRSHIP_HTTP_PORT and KAIRSHIP_HTTPS_PORT are both 8080"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := NewPorts(Demo(), tt.base, tt.http, tt.https)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// Kubeconfigs that people keep name these numbers.
func TestPortsStayWhereTheyWere(t *testing.T) {
	p, err := NewPorts(Demo(), 21000, 8080, 8443)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, c := range Demo().Clusters() {
		got[c] = p.APIServer(c)
	}
	got["clusterpedia"], got["postgres"], got["oidc"] = p.Clusterpedia(), p.Postgres(), p.OIDC()
	want := map[string]int{
		"host": 21020, "asia": 21040, "europe": 21060,
		"hangzhou": 21100, "singapore": 21110, "tokyo": 21120, "frankfurt": 21130,
		"clusterpedia": 21007, "postgres": 21006, "oidc": 21013,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

func TestAFleetTooLargeForItsPortsIsRefused(t *testing.T) {
	var f Fleet
	for range maxMembers + 1 {
		f.Instances = []Instance{{Name: "a", Members: append(f.Members(), Member{Name: "m"})}}
	}
	if _, err := NewPorts(f, 21000, 8080, 8443); err == nil {
		t.Error("members without ports were accepted")
	}
}

func TestTheDemoHasOneMemberToBreakAndOneToCrash(t *testing.T) {
	var own, crash []string
	for _, m := range Demo().Members() {
		if m.OwnEtcd {
			own = append(own, m.Name)
		}
		if m.Crashes {
			crash = append(crash, m.Name)
		}
	}
	if diff := cmp.Diff([][]string{{"hangzhou"}, {"singapore"}}, [][]string{own, crash}); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}
