package pedia

import (
	"errors"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/sql"
)

func TestEachRowIsDecodedHoweverManyThereAre(t *testing.T) {
	for _, n := range []int{0, 1, 31, 32, 33, 34, 65} {
		rows := make([]*sql.View, n)
		for i := range rows {
			rows[i] = &sql.View{Row: sql.Row{Raw: []byte(strconv.Itoa(i))}}
		}
		out, keys, err := decodeAll(rows, func(r sql.Row) (string, sql.Key, error) { return string(r.Raw), sql.Key{Name: string(r.Raw)}, nil })
		if err != nil || len(out) != n || len(keys) != n {
			t.Fatalf("%d rows: %d and %d, %v", n, len(out), len(keys), err)
		}
		for i := range out {
			if out[i] != strconv.Itoa(i) || keys[i].Name != out[i] {
				t.Errorf("row %d of %d is %q", i, n, out[i])
			}
		}
		if n > 0 {
			bad := errors.New("bad")
			if _, _, err := decodeAll(rows, func(r sql.Row) (string, sql.Key, error) {
				if string(r.Raw) == strconv.Itoa(n-1) {
					return "", sql.Key{}, bad
				}
				return "", sql.Key{}, nil
			}); !errors.Is(err, bad) {
				t.Errorf("an error of the last of %d rows is %v", n, err)
			}
		}
	}
}

// A store that gives the row at the cursor again would have a page shown twice, whether it is trusted or not.
func TestARowThatIsNotBeyondTheCursorIsRefused(t *testing.T) {
	at := func(name string) *sql.View {
		return &sql.View{Row: sql.Row{GVR: Deployments, Cluster: "kairship.a", Raw: []byte(row("kairship.a", "shop", name))}}
	}
	q := &sql.Query{Scope: everything(), GVRs: []schema.GroupVersionResource{Deployments}, Clusters: []string{"kairship.a"}, Limit: 5,
		After: &sql.Position{Key: sql.Key{Cluster: "kairship.a", Namespace: "shop", Name: "cart", GVR: Deployments}}}
	for _, believe := range []bool{false, true} {
		for name, refused := range map[string]bool{"bank": true, "cart": true, "cart-2": false} {
			if list, err := decodeRows(q, &Answer{Rows: []*sql.View{at(name)}}, believe, decodeKey); (err != nil) != refused {
				t.Errorf("%s after the cursor at cart, trusted %v: %+v, %v; refused should be %v", name, believe, list, err, refused)
			}
		}
	}
}
