package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClustersAreFiltered(t *testing.T) {
	f := &fleetOf{instances: []string{"asia"}, clusters: 6}
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{`{}`, []string{"member-00", "member-01", "member-02", "member-03", "member-04", "member-05"}},
		{`{names: ["member-01", "nowhere"]}`, []string{"member-01"}},
		{`{nameContains: "-05"}`, []string{"member-05"}},
		{`{states: [OFFLINE]}`, nil},
		{`{regions: ["even"]}`, []string{"member-00", "member-02", "member-04"}},
		{`{providers: ["nobody"]}`, nil},
		{`{labelSelector: "parity in (odd),!edge"}`, []string{"member-01", "member-03", "member-05"}},
		{`{regions: ["even"], labelSelector: "parity=odd"}`, nil},
	} {
		t.Run(c.filter, func(t *testing.T) {
			var data struct {
				Instance struct {
					Clusters struct {
						TotalCount int
						Nodes      []struct{ Name string }
					}
				}
			}
			out := ask(t, f, newStore(t, 0, 0), fmt.Sprintf(`{instance(name:"asia"){clusters(filter:%s){totalCount nodes{name}}}}`, c.filter))
			if len(out.Errors) > 0 {
				t.Fatalf("errors: %v", out.Errors)
			}
			if err := json.Unmarshal(out.Data, &data); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, n := range data.Instance.Clusters.Nodes {
				got = append(got, n.Name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || data.Instance.Clusters.TotalCount != len(c.want) {
				t.Errorf("total %d, -want +got:\n%s", data.Instance.Clusters.TotalCount, diff)
			}
		})
	}
	out := ask(t, f, newStore(t, 0, 0), `{instance(name:"asia"){clusters(filter:{labelSelector:"a in ("}){totalCount}}}`)
	if len(out.Errors) != 1 || !strings.HasPrefix(out.Errors[0].Message, "labelSelector:") {
		t.Errorf("a selector that is none: %v", out.Errors)
	}
}
