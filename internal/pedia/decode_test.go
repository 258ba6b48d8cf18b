package pedia

import (
	"errors"
	"strconv"
	"testing"

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
