package globalmanagement

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// TestABindingThatIsOnItsWayOut: the controller holds it until it is revoked in every Karmada.
func TestABindingThatIsOnItsWayOut(t *testing.T) {
	b := newBench(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	name := b.name("alice Viewer asia")
	b.edit(t, name, func(o *v1alpha1.AccessBinding) { o.Finalizers = []string{"kairship.io/access"} })
	b.taken(t, b.event("e2", event.BindingRemoved, 2, "alice Viewer asia"))
	if out := b.taken(t, b.event("e3", event.BindingRemoved, 3, "alice Viewer asia")); out.outcomes() != "removed" {
		t.Errorf("removed twice: %s", out.text)
	}
	out := b.taken(t, b.event("e4", event.BindingUpserted, 4, "alice Viewer asia"))
	if out.outcomes() != "waiting" || !out.Resync {
		t.Errorf("given while it goes: %s", out.text)
	}
	let := func() {
		b.edit(t, name, func(o *v1alpha1.AccessBinding) { o.Finalizers = nil })
	}
	// One that goes soon is waited for.
	done := make(chan reply)
	b.clock.Step(1)
	request := b.request(body(t, b.event("e5", event.SyncFull, 5, "alice Viewer asia")))
	go func() { done <- b.do(t, request) }()
	let()
	if out := <-done; out.outcomes() != "created" || out.Resync {
		t.Errorf("given while it goes soon: %s", out.text)
	}
	if got := there(t, name); got != "alice Viewer asia" {
		t.Errorf("it says %q", got)
	}
}

// TestAHostThatIsAwayMeansTheEventIsSentAgain: whichever write is lost, the event again finishes it.
func TestAHostThatIsAwayMeansTheEventIsSentAgain(t *testing.T) {
	for _, done := range []bool{false, true} {
		for at := 1; at <= 4; at++ {
			t.Run(fmt.Sprintf("write %d, done: %v", at, done), func(t *testing.T) {
				b := newBench(t)
				b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "bob Viewer asia"))
				b.start(t, (&testenv.Crash{At: at, Done: done}).Wrap)
				e := b.event("e2", event.SyncFull, 2, "alice Viewer asia shop", "carol Viewer asia", "dave Viewer asia")
				out := b.send(t, e)
				if out.status != http.StatusServiceUnavailable || out.Error.Reason != reasonHost || !out.Error.Retryable || strings.Contains(out.text, "died") {
					t.Errorf("answer %d: %s", out.status, out.text)
				}
				if !slices.ContainsFunc(b.records, func(r Record) bool { return r.Outcome == OutcomeFailed }) {
					t.Errorf("the failure is not audited: %+v", b.records)
				}
				b.start(t, nil)
				if out := b.taken(t, e); out.Outcome != outcomeApplied || out.Resync {
					t.Errorf("again: %s", out.text)
				}
				if diff := cmp.Diff([]string{"alice Viewer asia shop", "carol Viewer asia", "dave Viewer asia"}, b.said(t)); diff != "" {
					t.Errorf("bindings (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestWhatSomebodyDoesMeanwhileIsNotUndone: between the look at a binding and the write.
func TestWhatSomebodyDoesMeanwhileIsNotUndone(t *testing.T) {
	for _, tt := range []struct {
		name      string
		method    string
		kind      event.Type
		said      string
		meanwhile func(t *testing.T, b *bench, name string)
		outcome   string
		then      string
		labelled  bool
	}{
		{
			"a binding that is to go is taken over", http.MethodDelete, event.BindingRemoved, "alice Viewer asia",
			func(t *testing.T, b *bench, name string) {
				b.edit(t, name, func(o *v1alpha1.AccessBinding) { delete(o.Labels, LabelSource) })
			}, "conflict", "alice Viewer asia", false,
		},
		{
			"a binding that is to go is changed", http.MethodDelete, event.BindingRemoved, "alice Viewer asia",
			func(t *testing.T, b *bench, name string) {
				b.edit(t, name, func(o *v1alpha1.AccessBinding) { o.Labels["team"] = "shop" })
			}, "removed", "", false,
		},
		{
			"a binding that is to change is replaced by a person's", http.MethodPatch, event.BindingUpserted, "alice Viewer asia shop",
			func(t *testing.T, b *bench, name string) {
				if err := host.Client.Delete(t.Context(), &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
					t.Fatal(err)
				}
				b.make(t, name, nil, "alice Viewer asia")
			}, "conflict", "alice Viewer asia", false,
		},
		{
			"a binding that is to change is removed", http.MethodPatch, event.BindingUpserted, "alice Viewer asia shop",
			func(t *testing.T, _ *bench, name string) {
				if err := host.Client.Delete(t.Context(), &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
					t.Fatal(err)
				}
			}, "created", "alice Viewer asia shop", true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
			name := b.name("alice Viewer asia")
			t.Cleanup(func() {
				_ = host.Client.Delete(context.Background(), &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
			})
			var once sync.Once
			b.start(t, func(next http.RoundTripper) http.RoundTripper {
				return before(func(r *http.Request) (*http.Response, error) {
					if r.Method == tt.method {
						once.Do(func() { tt.meanwhile(t, b, name) })
					}
					return next.RoundTrip(r)
				})
			})
			if out := b.taken(t, b.event("e2", tt.kind, 2, tt.said)); out.outcomes() != tt.outcome {
				t.Errorf("answer: %s", out.text)
			}
			if got := there(t, name); got != tt.then {
				t.Errorf("it says %q", got)
			}
			if labelled := len(b.bindings(t)) > 0; labelled != tt.labelled {
				t.Errorf("it has the label: %v", labelled)
			}
		})
	}
}

// before does something before a request is sent.
type before func(*http.Request) (*http.Response, error)

func (f before) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAHostThatIsAwayIsNotAskedForEveryBinding(t *testing.T) {
	var asked atomic.Int32
	b := newBenchWith(t, func(http.RoundTripper) http.RoundTripper {
		return before(func(*http.Request) (*http.Response, error) {
			asked.Add(1)
			return nil, errors.New("the host cluster does not answer")
		})
	})
	said := make([]string, 500)
	for i := range said {
		said[i] = fmt.Sprintf("user%04d Viewer asia", i)
	}
	if out := b.send(t, b.event("e1", event.BindingUpserted, 1, said...)); out.Error.Reason != reasonHost {
		t.Errorf("answer: %s", out.text)
	}
	if got := asked.Load(); got > 10*workers {
		t.Errorf("asked %d times", got)
	}
}
