package live

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

// What somebody wrote is what their stream begins with, and nothing older comes after it.
func TestNobodyIsSentAnOlderVersionThanTheyWrote(t *testing.T) {
	b := newBuffer[string, int](10, 0, func() {})
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

// What somebody else has deleted since is not shown to who made it as one that the watch does not have yet.
func TestWhatIsGoneIsNotShownToWhoMadeIt(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	writes := ownwrites.New(nil)
	f := newFixture(t, s, func(c *Config) { c.Own = writes })
	sub := f.workloads(t.Context(), nil)
	sub.want("SNAPSHOT shop/a", "SYNCED")
	raw := fmt.Appendf(nil, `{"metadata":{"namespace":"shop","name":"a","uid":"shop/a","resourceVersion":"1","creationTimestamp":%q}}`, time.Now().UTC().Format(time.RFC3339))
	writes.Wrote("", model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "a"}, raw)
	s.Drop("deployments", "shop", "a")
	sub.want("DELETED shop/a")
	f.workloads(t.Context(), nil).want("SYNCED")
}

// What somebody wrote of a cluster is what their stream of clusters begins with, and nothing older comes after it while the shared watch is behind. What
// is newer comes, also when it is again what the watch had before.
func TestNobodyIsSentAnOlderVersionOfAClusterThanTheyWrote(t *testing.T) {
	type version struct {
		state  model.ClusterState
		number int
	}
	raw := func(v version) []byte {
		return fmt.Appendf(nil, `{"metadata":{"name":"tokyo","uid":"u","resourceVersion":"%d"},"state":%q}`, v.number, v.state)
	}
	ref := model.Ref{Instance: "asia", GVK: clusterKind, Name: "tokyo"}
	for name, tc := range map[string]struct {
		write func(*ownwrites.Log)
		// first is what the stream begins with, and then what it sends of what the watch tells, which had version 5, READY.
		first []string
		watch []version
		then  []string
	}{
		"nothing was written": {
			func(*ownwrites.Log) {}, []string{"SNAPSHOT READY", "SYNCED"},
			[]version{{model.ClusterReady, 6}, {model.ClusterNotReady, 7}}, []string{"MODIFIED NOT_READY"},
		},
		"older versions are left out, and what was written is not told twice": {
			func(l *ownwrites.Log) { l.Wrote("", ref, raw(version{model.ClusterUnknown, 10})) }, []string{"SNAPSHOT UNKNOWN", "SYNCED"},
			[]version{{model.ClusterNotReady, 9}, {model.ClusterUnknown, 10}, {model.ClusterUnknown, 11}, {model.ClusterNotReady, 12}}, []string{"MODIFIED UNKNOWN", "MODIFIED NOT_READY"},
		},
		"what is again as it was is told": {
			func(l *ownwrites.Log) { l.Wrote("", ref, raw(version{model.ClusterUnknown, 10})) }, []string{"SNAPSHOT UNKNOWN", "SYNCED"},
			[]version{{model.ClusterReady, 9}, {model.ClusterReady, 11}, {model.ClusterReady, 12}}, []string{"MODIFIED READY"},
		},
		"what the watch has already is not put back": {
			func(l *ownwrites.Log) { l.Wrote("", ref, raw(version{model.ClusterUnknown, 4})) }, []string{"SNAPSHOT READY", "SYNCED"},
			[]version{{model.ClusterNotReady, 6}}, []string{"MODIFIED NOT_READY"},
		},
		"what was deleted is not there": {
			func(l *ownwrites.Log) { l.Deleted("", ref, "u") }, []string{"SYNCED"}, []version{{model.ClusterNotReady, 9}}, nil,
		},
		"what somebody else wrote is as the watch tells it": {
			func(l *ownwrites.Log) { l.Wrote("eve", ref, raw(version{model.ClusterUnknown, 10})) }, []string{"SNAPSHOT READY", "SYNCED"},
			[]version{{model.ClusterNotReady, 9}}, []string{"MODIFIED NOT_READY"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			writes := ownwrites.New(nil)
			tc.write(writes)
			f := newFixture(t, livetest.New(t), func(c *Config) { c.Own = writes })
			in, err := f.instance("asia")
			if err != nil {
				t.Fatal(err)
			}
			tell := func(v version) {
				c, err := decodeCluster("asia", raw(v))
				if err != nil {
					t.Fatal(err)
				}
				in.board.setCluster(c)
			}
			tell(version{model.ClusterReady, 5})
			r := &reader[string, *model.Cluster]{match: func(*model.Cluster) bool { return true }, buffer: newBuffer[string, *model.Cluster](10, 0, func() {})}
			f.ownClusters("", "asia", r)
			in.board.startClusters(r)
			sent := func() (out []string) {
				for {
					c, ok := r.buffer.take(time.Now)
					switch {
					case !ok:
						return out
					case c.value == nil:
						out = append(out, string(c.kind))
					default:
						out = append(out, fmt.Sprint(c.kind, " ", c.value.State))
					}
				}
			}
			if diff := cmp.Diff(tc.first, sent()); diff != "" {
				t.Errorf("it begins (-want +got):\n%s", diff)
			}
			var then []string
			for _, v := range tc.watch {
				tell(v)
				then = append(then, sent()...)
			}
			if diff := cmp.Diff(tc.then, then); diff != "" {
				t.Errorf("then it sends (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAStreamOfClustersBeginsWithWhatWasWritten(t *testing.T) {
	s := livetest.New(t)
	s.Put("clusters", cluster("tokyo", model.ClusterReady))
	writes := ownwrites.New(nil)
	f := newFixture(t, s, func(c *Config) { c.Own = writes })
	writes.Wrote("", model.Ref{Instance: "asia", GVK: clusterKind, Name: "tokyo"},
		[]byte(`{"metadata":{"name":"tokyo","uid":"<nil>/tokyo","resourceVersion":"9000001"},"state":"UNKNOWN"}`))
	ch, err := f.Clusters(t.Context(), everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	if first := <-ch; first.Type != model.ChangeSnapshot || first.Node.State != model.ClusterUnknown {
		t.Errorf("it begins with %s %+v", first.Type, first.Node)
	}
}
