package indexes

import (
	"strings"
	"testing"
)

func TestNamesOfThePackAreOursAndDifferent(t *testing.T) {
	const longest = 63 // PostgreSQL cuts longer ones short
	seen := map[Name]bool{}
	for _, i := range Pack() {
		if !strings.HasPrefix(string(i.Name), Prefix) || len(i.Name) > longest || seen[i.Name] {
			t.Errorf("%s is not a name of its own that begins with %s", i.Name, Prefix)
		}
		if i.Serves == "" {
			t.Errorf("%s does not say what it is for", i.Name)
		}
		seen[i.Name] = true
	}
}

func TestCreate(t *testing.T) {
	pack := map[Name]Index{}
	for _, i := range Pack() {
		pack[i.Name] = i
	}
	for name, test := range map[string]struct {
		index   Name
		byBytes bool
		want    string
	}{
		"an order is by the bare columns where they are in order of bytes": {Created, true,
			`CREATE INDEX CONCURRENTLY kairship_created ON resources ("group", version, resource, cluster, created_at, namespace, name)`},
		"elsewhere it says the order, but not of the cluster, which is compared for equality": {Created, false,
			`CREATE INDEX CONCURRENTLY kairship_created ON resources ("group", version, resource, cluster, created_at, namespace COLLATE "C", name COLLATE "C")`},
		"labels are written where they belong at once": {LabelIndex, true,
			`CREATE INDEX CONCURRENTLY kairship_labels ON resources USING gin ((object->'metadata'->'labels') jsonb_path_ops) WITH (fastupdate = off)`},
		"what most rows have not is left out": {Owner, true,
			`CREATE INDEX CONCURRENTLY kairship_owner ON resources (owner_uid, cluster) WHERE owner_uid <> ''`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pack[test.index].Create(test.byBytes); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestNoDefinitionHoldsWhatClusterpediaTakesForAParameter(t *testing.T) {
	for _, i := range Pack() {
		for _, byBytes := range []bool{true, false} {
			if create := i.Create(byBytes); strings.Contains(create, "?") || strings.Contains(create, "{name") {
				t.Errorf("%s", create)
			}
		}
	}
	for _, expression := range []string{Labels, PolicyID, ClusterPolicyID, BindingID, ClusterBindingID, EventObject, EventSeen, IsEvent, IsUnhealthy, IsIdle, HasOwner, ByBytes} {
		if strings.Contains(expression, "?") {
			t.Errorf("%s", expression)
		}
	}
}

func TestOrderPassesClusterpedia(t *testing.T) {
	// Clusterpedia splits at commas, then at blanks, and takes a last "desc".
	for _, expression := range []string{EventSeen, ByteCluster, ByteNamespace, ByteName, "created_at"} {
		for _, direction := range []string{"", " desc"} {
			order := Order(expression + direction)
			words := strings.Split(order, " ")
			if strings.Contains(order, ",") || len(words) != 1+len(direction)/len(" desc") {
				t.Errorf("%q falls into %d pieces", order, len(words))
			}
			if got := strings.Join(strings.Fields(words[0]), " "); got != expression {
				t.Errorf("%q became %q", expression, got)
			}
		}
	}
}
