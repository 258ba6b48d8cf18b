package kubeapi

import "testing"

func TestAPositionIsGivenBackAsItWas(t *testing.T) {
	namespaces := []string{"a", "b"}
	for _, p := range []position{{Namespace: "a"}, {Namespace: "b", Continue: "token"}, {Namespace: "b", After: "b/é\"\n"}} {
		got, err := parsePosition(p.String(), namespaces)
		if err != nil || got != p {
			t.Errorf("%+v became %+v, %v", p, got, err)
		}
	}
	if got, err := parsePosition("", namespaces); err != nil || got != (position{Namespace: "a"}) {
		t.Errorf("the beginning is %+v, %v", got, err)
	}
	if (position{}).String() != "" {
		t.Error("the end of a list has a cursor")
	}
}

func TestAListNeverLeavesTheNamespacesThatWereAskedFor(t *testing.T) {
	for _, made := range []position{{Namespace: "c"}, {Continue: "token"}, {Namespace: "a/../c", After: "c/x"}} {
		if p, err := parsePosition(made.String(), []string{"a", "b"}); err == nil {
			t.Errorf("%+v was taken for %+v", made, p)
		}
	}
}
