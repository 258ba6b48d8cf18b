package live

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

// What somebody wrote is what their stream begins with, and nothing older comes after it.
func TestNobodyIsSentAnOlderVersionThanTheyWrote(t *testing.T) {
	b := newBuffer[string, int](10, func() {})
	newest := 3
	b.outdated = func(v int) bool { return v < newest }
	b.restart([]string{"a", "b"}, []int{2, 3}, time.Now())
	take := func() (model.ChangeType, int) {
		c, ok := b.take(time.Now)
		if !ok {
			return "", 0
		}
		return c.kind, c.value
	}
	for _, want := range []struct {
		kind  model.ChangeType
		value int
	}{{model.ChangeSnapshot, 3}, {model.ChangeSynced, 0}, {"", 0}} {
		if kind, value := take(); kind != want.kind || value != want.value {
			t.Errorf("%s %d, want %s %d", kind, value, want.kind, want.value)
		}
	}
	b.put("a", 3, true, time.Now())
	if kind, value := take(); kind != model.ChangeAdded || value != 3 {
		t.Errorf("the version that was waited for is %s %d", kind, value)
	}
	newest = 5
	b.put("a", 4, true, time.Now())
	if kind, _ := take(); kind != "" {
		t.Errorf("an older version is sent: %s", kind)
	}
	b.put("a", 4, false, time.Now())
	if kind, _ := take(); kind != model.ChangeDeleted {
		t.Errorf("a deletion is kept back: %s", kind)
	}
}

func TestAStreamBeginsWithWhatWasWritten(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	s.Put("deployments", deployment("shop", "b"))
	writes := ownwrites.New(nil)
	f := newFixture(t, s, func(c *Config) { c.Own = writes })
	f.workloads(t.Context(), nil).want("SNAPSHOT shop/a", "SNAPSHOT shop/b", "SYNCED")

	written := func(name string, version int, uid string) []byte {
		o := deployment("shop", name)
		metadata, _ := o["metadata"].(map[string]any)
		metadata["resourceVersion"], metadata["uid"] = json.Number("9000001").String(), uid
		metadata["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339)
		raw, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	ref := func(name string) model.Ref {
		return model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: name}
	}
	writes.Wrote("", ref("c"), written("c", 1, "c"))
	sub := f.workloads(t.Context(), nil)
	sub.want("SNAPSHOT shop/a", "SNAPSHOT shop/b", "SNAPSHOT shop/c", "SYNCED")
}
