package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/metadata"
)

// What holds the lists of the graph against what the API servers say themselves.

// key names an object within its cluster.
func key(o *unstructured.Unstructured) string {
	return o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
}

func keys(objects []unstructured.Unstructured, keep func(*unstructured.Unstructured) bool) []string {
	out := []string{}
	for i := range objects {
		if keep == nil || keep(&objects[i]) {
			out = append(out, key(&objects[i]))
		}
	}
	slices.Sort(out)
	return out
}

// eventKeys are the Events that an API server holds in a namespace, or everywhere, and that one of some field selectors
// takes. No more than their names is read: there may be thousands.
func eventKeys(t *testing.T, cluster, namespace string, selectors ...string) []string {
	t.Helper()
	c, err := metadata.NewForConfig(config(t, cluster))
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, selector := range selectors {
		list, err := c.Resource(eventsKind).Namespace(namespace).List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		if err != nil {
			t.Fatalf("events of %s: %v", cluster, err)
		}
		for i := range list.Items {
			out = append(out, "Event "+list.Items[i].Namespace+"/"+list.Items[i].Name)
		}
	}
	slices.Sort(out)
	return out
}

// node is an object as the graph shows it.
type node struct {
	Typename        string `json:"__typename"`
	ID              string
	UID             string
	Kind            string
	APIVersion      string
	Namespace, Name string
	Cluster         *struct{ Name string }
	CreatedAt       time.Time
	State           string
	Raw             json.RawMessage `json:"-"`
}

func (n *node) UnmarshalJSON(raw []byte) error {
	type plain node
	n.Raw = raw
	return json.Unmarshal(raw, (*plain)(n))
}

func (n *node) key() string { return n.Kind + " " + n.Namespace + "/" + n.Name }

func nodeKeys(nodes []node) []string {
	out := make([]string, len(nodes))
	for i := range nodes {
		out[i] = nodes[i].key()
	}
	return out
}

func sortedKeys(nodes []node) []string {
	out := nodeKeys(nodes)
	slices.Sort(out)
	return out
}

// connection is any page.
type connection struct {
	Nodes    []node
	PageInfo struct {
		HasNextPage bool
		EndCursor   *string
	}
	TotalCount *int
}

// field is a list of the graph: `in` is the way to it, with %s where it stands.
type field struct {
	in, name, args string
	// select is what is asked of each row beside what names it.
	more  string
	first int
}

func (f field) String() string { return fmt.Sprintf(f.in, f.name+"("+f.args+")") }

// of is a list of an instance, ofCluster one of a member.
func of(instance, name, args string) field {
	return field{in: fmt.Sprintf("instance(name: %q) { %%s }", instance), name: name, args: args}
}

func ofCluster(instance, cluster, name, args string) field {
	return field{in: fmt.Sprintf("instance(name: %q) { cluster(name: %q) { %%s } }", instance, cluster), name: name, args: args}
}

func (f field) asking(more string) field { f.more = more; return f }

func (f field) by(first int) field { f.first = first; return f }

// all reads every page of a list. Where the total is told it has to be right.
func (f field) all(t *testing.T) ([]node, error) {
	t.Helper()
	first := f.first
	if first == 0 {
		first = 50
	}
	nodes, total, after := []node{}, -1, ""
	for range 500 {
		args := fmt.Sprintf("first: %d", first)
		if after != "" {
			args += fmt.Sprintf(", after: %q", after)
		}
		if f.args != "" {
			args += ", " + f.args
		}
		query := "{ " + fmt.Sprintf(f.in, fmt.Sprintf(`%s(%s) { totalCount pageInfo { hasNextPage endCursor } nodes { __typename ... on Node { id }
			... on KubernetesObject { uid kind apiVersion namespace name createdAt cluster { name } } %s } }`, f.name, args, f.more)) + " }"
		out := ask(t, query, nil)
		if len(out.Errors) > 0 {
			return nil, fmt.Errorf("%s: %+v", query, out.Errors)
		}
		page, err := pageIn(out.Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", query, err)
		}
		nodes = append(nodes, page.Nodes...)
		if page.TotalCount != nil {
			total = *page.TotalCount
		}
		if !page.PageInfo.HasNextPage {
			if total >= 0 && total != len(nodes) {
				return nil, fmt.Errorf("%s: %d rows, totalCount %d", f, len(nodes), total)
			}
			return nodes, nil
		}
		after = *page.PageInfo.EndCursor
	}
	return nil, fmt.Errorf("%s does not end", f)
}

// pageIn finds the one page within an answer.
func pageIn(raw json.RawMessage) (*connection, error) {
	for {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		if _, ok := object["pageInfo"]; ok {
			var c connection
			return &c, json.Unmarshal(raw, &c)
		}
		if len(object) != 1 {
			return nil, fmt.Errorf("no page in %s", raw)
		}
		for _, one := range object {
			raw = one
		}
	}
}

// sameAs waits until a list holds what it should, in whatever order: all that is there before and after it is read, and
// nothing that is there at neither time.
func sameAs(t *testing.T, f field, want func() []string) {
	t.Helper()
	after := want()
	eventually(t, 30*time.Second, func() error {
		before := after
		nodes, err := f.all(t)
		if err != nil {
			return err
		}
		after = want()
		holds := func(sorted []string, key string) bool { _, found := slices.BinarySearch(sorted, key); return found }
		got := sortedKeys(nodes)
		should := slices.DeleteFunc(slices.Clone(got), func(key string) bool { return !holds(before, key) && !holds(after, key) })
		for _, key := range before {
			if holds(after, key) {
				should = append(should, key)
			}
		}
		slices.Sort(should)
		if diff := gocmp.Diff(slices.Compact(should), got); diff != "" {
			return fmt.Errorf("%s (-API server +Kairship):\n%s", f, diff)
		}
		return nil
	})
}
