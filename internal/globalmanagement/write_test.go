package globalmanagement

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// person is the field manager of somebody with kubectl.
const person = client.FieldOwner("kubectl-edit")

// edit changes a binding as a person does.
func (b *bench) edit(t *testing.T, name string, change func(*v1alpha1.AccessBinding)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		var o v1alpha1.AccessBinding
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &o); err != nil {
			return err.Error()
		}
		change(&o)
		if err := host.Client.Update(t.Context(), &o, person); err != nil {
			return err.Error()
		}
		return ""
	})
}

// make makes a binding as a person does.
func (b *bench) make(t *testing.T, name string, labels map[string]string, said string) {
	t.Helper()
	spoken := of(said)
	o := &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Spec: spoken.Spec()}
	if err := host.Client.Create(t.Context(), o, person); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = host.Client.Delete(context.Background(), o) })
}

// there is what a binding says; empty when it is not there.
func there(t *testing.T, name string) string {
	t.Helper()
	var o v1alpha1.AccessBinding
	err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &o)
	if apierrors.IsNotFound(err) || o.DeletionTimestamp != nil {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return line(o.Spec)
}

// name is that of what line says.
func (b *bench) name(said string) string {
	spoken := of(said)
	return spoken.Name(b.source)
}

func TestABindingIsWhatTheEventSays(t *testing.T) {
	b := newBench(t)
	out := b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Editor asia shop,cart", "bob Admin", "carol log-reader europe"))
	if got := out.outcomes(); got != "created created created" {
		t.Errorf("outcomes: %s", out.text)
	}
	var o v1alpha1.AccessBinding
	name := b.name("alice Editor asia")
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &o); err != nil {
		t.Fatal(err)
	}
	want := v1alpha1.AccessBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kairship.io/global-management": b.source, "app.kubernetes.io/managed-by": "kairship"}},
		Spec: v1alpha1.AccessBindingSpec{
			Subject: v1alpha1.AccessSubject{Kind: "User", Name: "kairship:oidc:alice"}, Role: "Editor",
			Scope: v1alpha1.AccessScope{Instance: "asia", Namespaces: []string{"cart", "shop"}},
		},
	}
	if diff := cmp.Diff(want, v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: o.Name, Labels: o.Labels}, Spec: o.Spec}); diff != "" {
		t.Errorf("binding (-want +got):\n%s", diff)
	}
	if len(o.ManagedFields) != 1 || o.ManagedFields[0].Manager != "kairship-global-management" || o.ManagedFields[0].Operation != metav1.ManagedFieldsOperationApply {
		t.Errorf("managed fields: %+v", o.ManagedFields)
	}

	// Said again it is not written; said otherwise it is, in every direction.
	for i, tt := range []struct{ said, outcome string }{
		{"alice Editor asia cart,shop", "unchanged"},
		{"alice Editor asia cart", "updated"},
		{"alice Editor asia", "updated"},
		{"alice Editor asia shop", "updated"},
	} {
		before := b.version(t, name)
		out := b.taken(t, b.event(fmt.Sprintf("again-%d", i), event.BindingUpserted, int64(i+2), tt.said))
		if got := out.outcomes(); got != tt.outcome || there(t, name) != strings.Replace(tt.said, "shop,cart", "cart,shop", 1) {
			t.Errorf("%s: %s, is %q", tt.said, out.text, there(t, name))
		}
		if written := b.version(t, name) != before; written != (tt.outcome == "updated") {
			t.Errorf("%s: written: %v", tt.said, written)
		}
	}
}

func (b *bench) version(t *testing.T, name string) string {
	t.Helper()
	var o v1alpha1.AccessBinding
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &o); err != nil {
		t.Fatal(err)
	}
	return o.ResourceVersion
}

func TestEachBindingIsAnswered(t *testing.T) {
	b := newBench(t)
	e := b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "bob Owner asia", "alice Viewer asia shop", "carol Viewer asia")
	e.Bindings[3].Subject.Name = "system:masters"
	out := b.taken(t, e)
	if out.outcomes() != "created refused refused refused" || out.Outcome != outcomeApplied {
		t.Errorf("answer: %s", out.text)
	}
	for i, field := range []string{1: "bindings.1.role", 2: "bindings.2", 3: "bindings.3.subject.name"} {
		if got := strings.Join(out.Items[i].Field, "."); got != field {
			t.Errorf("item %d: want %q, got %q", i, field, got)
		}
	}
	if diff := cmp.Diff([]string{"alice Viewer asia"}, b.said(t)); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
	out = b.taken(t, b.event("e2", event.BindingRemoved, 2, "dave Viewer asia", "alice Viewer asia other"))
	if out.outcomes() != "absent removed" {
		t.Errorf("answer: %s", out.text)
	}
}

// TestWhatIsRefusedThereIsRefusedHere: the rules are those of the definition, or stricter.
func TestWhatIsRefusedThereIsRefusedHere(t *testing.T) {
	for i, said := range []string{
		"alice Viewer asia", "alice Owner asia", "alice Viewer Asia", "alice Viewer asia shop,shop", "alice Viewer asia -shop",
		"alice -viewer asia", "alice " + strings.Repeat("a", 64), "alice Viewer " + strings.Repeat("a", 49), "alice Viewer asia " + strings.Repeat("a", 64),
		strings.Repeat("a", 240) + " Viewer", "alice log-reader",
	} {
		spoken := of(said)
		o := &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("dry-%d", i)}, Spec: spoken.Spec()}
		theirs := host.Client.Create(t.Context(), o, client.DryRunAll)
		if theirs != nil && !apierrors.IsInvalid(theirs) {
			t.Fatal(theirs)
		}
		if ours := spoken.Check(); (theirs != nil) != (ours != nil) {
			t.Errorf("%s: the definition says %v, the hook %v", said, theirs, ours)
		}
	}
}

func TestWhatIsSomebodyElsesIsNotTouched(t *testing.T) {
	b := newBench(t)
	label := map[string]string{LabelSource: b.source}
	b.make(t, b.name("alice Viewer asia"), nil, "alice Viewer asia mine")
	b.make(t, "by-hand-"+b.source, nil, "bob Viewer asia")
	b.make(t, "copied-"+b.source, label, "bob Editor asia")
	b.make(t, event.NamePrefix+"of-another-"+b.source, map[string]string{LabelSource: "other-" + b.source}, "bob Admin asia")
	hold := func(what string) {
		t.Helper()
		for name, said := range map[string]string{
			b.name("alice Viewer asia"):                 "alice Viewer asia mine",
			"by-hand-" + b.source:                       "bob Viewer asia",
			"copied-" + b.source:                        "bob Editor asia",
			event.NamePrefix + "of-another-" + b.source: "bob Admin asia",
		} {
			if got := there(t, name); got != said {
				t.Errorf("%s: %s says %q", what, name, got)
			}
		}
	}
	if out := b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia")); out.outcomes() != "conflict" {
		t.Errorf("upserted: %s", out.text)
	}
	hold("upserted")
	if out := b.taken(t, b.event("e2", event.BindingRemoved, 2, "alice Viewer asia")); out.outcomes() != "conflict" {
		t.Errorf("removed: %s", out.text)
	}
	hold("removed")
	e := b.event("e3", event.SubjectRemoved, 3)
	e.Subjects = []event.Subject{{Kind: "User", Name: "kairship:oidc:bob"}, {Kind: "User", Name: "kairship:oidc:alice"}}
	if out := b.taken(t, e); out.outcomes() != "absent absent" {
		t.Errorf("subject removed: %s", out.text)
	}
	hold("subject removed")
	if out := b.taken(t, b.event("e4", event.SyncFull, 4, "alice Viewer asia")); out.outcomes() != "conflict" {
		t.Errorf("everything: %s", out.text)
	}
	hold("everything")
	if out := b.taken(t, b.event("e5", event.SyncFull, 5)); out.outcomes() != "" {
		t.Errorf("nothing: %s", out.text)
	}
	hold("nothing")
}

func TestWhatAPersonSetStaysAndIsSaid(t *testing.T) {
	for _, tt := range []struct {
		name    string
		edit    func(*v1alpha1.AccessBinding)
		said    string
		outcome string
		says    string
		then    string
	}{
		{"another role", func(o *v1alpha1.AccessBinding) { o.Spec.Role = "Admin" }, "alice Viewer asia shop", "conflict", "spec.role", "alice Admin asia shop"},
		{"another namespace", func(o *v1alpha1.AccessBinding) {
			o.Spec.Scope.Namespaces = append(o.Spec.Scope.Namespaces, "more")
		}, "alice Viewer asia cart", "conflict", "somebody else added namespaces, which stay: more", "alice Viewer asia cart,more"},
		{"taken over", func(o *v1alpha1.AccessBinding) { delete(o.Labels, LabelSource) }, "alice Viewer asia cart", "conflict", "not this source's", "alice Viewer asia shop"},
		{"a label of their own", func(o *v1alpha1.AccessBinding) { o.Labels["team"] = "shop" }, "alice Viewer asia cart", "updated", "", "alice Viewer asia cart"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia shop"))
			name := b.name("alice Viewer asia")
			t.Cleanup(func() {
				_ = host.Client.Delete(context.Background(), &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}})
			})
			b.edit(t, name, tt.edit)
			for i, kind := range []event.Type{event.BindingUpserted, event.SyncFull} {
				out := b.taken(t, b.event(string(kind), kind, int64(i+2), tt.said))
				if kind == event.SyncFull && tt.outcome == "updated" {
					break // it is so already
				}
				if out.outcomes() != tt.outcome || !strings.Contains(out.Items[0].Message, tt.says) {
					t.Errorf("%s: %s", kind, out.text)
				}
			}
			if got := there(t, name); got != tt.then {
				t.Errorf("it says %q", got)
			}
		})
	}
}

func TestEveryChangeIsAudited(t *testing.T) {
	b := newBench(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia"))
	b.taken(t, b.event("e2", event.BindingUpserted, 2, "alice Viewer asia shop", "bob ? asia"))
	b.taken(t, b.event("e3", event.BindingUpserted, 3, "alice Viewer asia shop"))
	b.edit(t, b.name("alice Viewer asia"), func(o *v1alpha1.AccessBinding) { o.Spec.Scope.Namespaces = nil })
	b.taken(t, b.event("e4", event.SyncFull, 4, "carol Viewer asia"))
	var got []string
	for _, r := range b.records {
		if r.Source != b.source || r.Time.IsZero() || r.Address != "192.0.2.1:1234" || !strings.HasPrefix(r.Binding, event.NamePrefix) {
			t.Errorf("record: %+v", r)
		}
		say := func(s *v1alpha1.AccessBindingSpec) string {
			if s == nil {
				return "nothing"
			}
			return line(*s)
		}
		got = append(got, fmt.Sprintf("%s %s %d %s: %s -> %s: %s", r.EventID, r.EventType, r.Sequence, r.Action, say(r.Before), say(r.After), r.Outcome))
	}
	want := []string{
		"e1 binding.upserted 1 apply: nothing -> alice Viewer asia: created",
		"e2 binding.upserted 2 apply: alice Viewer asia -> alice Viewer asia shop: updated",
		"e4 sync.full 4 remove: alice Viewer asia -> nothing: removed",
		"e4 sync.full 4 apply: nothing -> carol Viewer asia: created",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}
