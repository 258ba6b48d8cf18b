package operation_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/operation"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// book stores audit events as the database does: one of a known id is not stored twice.
type book struct {
	mu     sync.Mutex
	events []audit.Event
	away   bool
	asked  int
}

func (b *book) AppendAudit(_ context.Context, events []audit.Event) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked++; b.away {
		return errors.New("the database is away")
	}
next:
	for _, e := range events {
		for _, is := range b.events {
			if is.ID == e.ID {
				continue next
			}
		}
		b.events = append(b.events, e)
	}
	return nil
}

func (b *book) set(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away, b.asked = away, 0
}

// lines are the events about some operation.
func (b *book) lines(of string) (out []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if e.RequestID == of {
			out = append(out, fmt.Sprintf("%s %s %s %s/%s %s %s %s: %s", e.Via, e.Principal, e.Action, e.Object.Instance, e.Object.Cluster, e.Object.GVK.Kind, e.Object.Name, e.Outcome, e.Message))
		}
	}
	return out
}

// audited has a controller record in a book.
func audited(t *testing.T, b *book) func(*operation.Options) {
	t.Helper()
	recorder := audit.NewRecorder(b, audit.RecorderOptions{Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = recorder.Close(context.Background()) })
	return func(o *operation.Options) { o.Audit = recorder }
}

// However an operation ends, the audit log tells of it: who asked for it, what it was done to, and why it ended so.
func TestTheEndOfAnOperationIsAnAuditEvent(t *testing.T) {
	withoutMaps(t)
	b := &book{}
	start(t, nil, withToy(true), audited(t, b))
	for _, tc := range []struct {
		name   string
		change func(*v1alpha1.OperationSpec)
		after  func(o *v1alpha1.Operation)
		want   string
	}{
		{"refused", func(s *v1alpha1.OperationSpec) { s.Actor.Name = "kairship:oidc:eve" }, func(*v1alpha1.Operation) {},
			"OPERATION kairship:oidc:eve unjoinCluster europe/ Cluster m FAILED: operation refused: kairship:oidc:eve may not do this: no Admin of europe"},
		{"cancelled", func(*v1alpha1.OperationSpec) {}, func(o *v1alpha1.Operation) {
			must(t, host.Client.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"cancel":true}}`))))
		}, "OPERATION " + ada + " unjoinCluster europe/ Cluster m CANCELLED: operation cancelled: it was cancelled"},
		{"done", func(*v1alpha1.OperationSpec) {}, func(*v1alpha1.Operation) { putMap(t, "gate") },
			"OPERATION " + ada + " unjoinCluster europe/ Cluster m SUCCEEDED: operation done has succeeded"},
		{"promoted", func(s *v1alpha1.OperationSpec) {
			s.Object = &v1alpha1.OperationObject{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
		}, func(*v1alpha1.Operation) {}, "OPERATION " + ada + " unjoinCluster europe/ Deployment web SUCCEEDED: operation promoted has succeeded"},
	} {
		spec := toySpec()
		spec.RequestID = "request of " + tc.name
		tc.change(&spec)
		tc.after(ask(t, tc.name, spec))
		testenv.Eventually(t, func() string { return ended(tc.name) })
		if diff := cmp.Diff([]string{tc.want}, b.lines(spec.RequestID)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked != 4 {
		t.Errorf("four operations were recorded %d times", b.asked)
	}
}

// An operation that has ended is held until the audit log has taken its end.
func TestAnAuditLogThatIsAwayGetsTheEndLater(t *testing.T) {
	withoutMaps(t)
	putMap(t, "gate")
	b := &book{}
	b.set(true)
	start(t, nil, withToy(true), audited(t, b))
	spec := toySpec()
	spec.RequestID = "late"
	ask(t, "late", spec)
	testenv.Eventually(t, func() string {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.asked == 0 {
			return "the audit log was not asked"
		}
		return ""
	})
	if o := now(t.Context(), "late"); o.Status.State != v1alpha1.OperationSucceeded || len(o.Finalizers) != 1 {
		t.Errorf("it is %q with finalizers %q while the audit log is away", summary(o), o.Finalizers)
	}
	b.set(false)
	testenv.Eventually(t, func() string { return ended("late") })
	if diff := cmp.Diff([]string{"OPERATION " + ada + " unjoinCluster europe/ Cluster m SUCCEEDED: operation late has succeeded"}, b.lines("late")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
