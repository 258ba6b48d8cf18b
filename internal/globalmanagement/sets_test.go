package globalmanagement

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

func TestEverythingIsMadeSo(t *testing.T) {
	b := newBench(t)
	b.taken(t, b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "bob Viewer asia", "carol Viewer asia shop"))
	e := b.event("e2", event.SyncFull, 2, "alice Viewer asia", "carol Viewer asia cart", "dave Admin", "eve ? asia")
	out := b.taken(t, e)
	if diff := cmp.Diff([]string{"alice Viewer asia", "carol Viewer asia cart", "dave Admin"}, b.said(t)); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
	// In the order of the event, what stays left out and what goes last.
	if got := out.outcomes(); got != "updated created refused removed" {
		t.Errorf("answer: %s", out.text)
	}
	// A binding that cannot be read takes nothing away from who it is about.
	e = b.event("e3", event.SyncFull, 3, "alice Viewer asia", "carol Viewer asia CART")
	if out := b.taken(t, e); out.outcomes() != "refused removed" {
		t.Errorf("answer: %s", out.text)
	}
	if diff := cmp.Diff([]string{"alice Viewer asia", "carol Viewer asia cart"}, b.said(t)); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
}

func TestASetThatRemovesMostIsToBeConfirmed(t *testing.T) {
	many := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("user%02d Viewer asia", i)
		}
		return out
	}
	for _, tt := range []struct {
		name      string
		before    int
		after     int
		confirmed bool
		refused   bool
	}{
		{name: "five of five", before: 5},
		{name: "six of six", before: 6, refused: true},
		{name: "six of twelve", before: 12, after: 6},
		{name: "seven of twelve", before: 12, after: 5, refused: true},
		{name: "seven of twelve, confirmed", before: 12, after: 5, confirmed: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			b.taken(t, b.event("e1", event.BindingUpserted, 1, many(tt.before)...))
			e := b.event("e2", event.SyncFull, 2, append(many(tt.after), "new Viewer asia")...)
			e.ConfirmRemovals = tt.confirmed
			out := b.send(t, e)
			if refused := out.Error.Reason == reasonUnconfirmed; refused != tt.refused || refused != (out.status == http.StatusConflict) {
				t.Fatalf("answer %d: %s", out.status, out.text)
			}
			want := tt.after + 1
			if tt.refused {
				want = tt.before
			}
			if got := len(b.said(t)); got != want {
				t.Errorf("want %d bindings, got %d", want, got)
			}
			if !tt.refused {
				return
			}
			// It can be said again, with the same id.
			e.ConfirmRemovals = true
			b.taken(t, e)
			if got := len(b.said(t)); got != tt.after+1 {
				t.Errorf("confirmed: %d bindings", got)
			}
		})
	}
}

func TestWhoLeavesHasNoBindingAnyMore(t *testing.T) {
	b := newBench(t)
	e := b.event("e1", event.BindingUpserted, 1, "alice Viewer asia", "alice Admin europe", "alice Viewer", "alicea Viewer", "bob Viewer")
	group := of("alice Viewer asia")
	group.Subject.Kind = "Group"
	e.Bindings = append(e.Bindings, group)
	b.taken(t, e)
	e = b.event("e2", event.SubjectRemoved, 2)
	e.Subjects = []event.Subject{{Kind: "User", Name: "kairship:oidc:alice"}, {Kind: "User", Name: "kairship:oidc:nobody"}, {Kind: "User", Name: "alice"}}
	out := b.taken(t, e)
	if out.outcomes() != "removed removed removed absent refused" {
		t.Errorf("answer: %s", out.text)
	}
	if diff := cmp.Diff([]string{"alice Viewer asia", "alicea Viewer", "bob Viewer"}, b.said(t)); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
	e = b.event("e3", event.SubjectRemoved, 3)
	e.Subjects = []event.Subject{{Kind: "Group", Name: "kairship:oidc:alice"}}
	b.taken(t, e)
	if diff := cmp.Diff([]string{"alicea Viewer", "bob Viewer"}, b.said(t)); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
}

func TestALargeSet(t *testing.T) {
	const many = 300
	b := newBench(t)
	said := make([]string, many)
	for i := range said {
		said[i] = fmt.Sprintf("user%04d Viewer asia", i)
	}
	b.taken(t, b.event("e1", event.SyncFull, 1, said...))
	if got := len(b.said(t)); got != many {
		t.Fatalf("%d bindings", got)
	}
	out := b.taken(t, b.event("e2", event.SyncFull, 2, said[20:]...))
	if got := len(b.said(t)); got != many-20 || len(out.Items) != 20 {
		t.Errorf("%d bindings, %d items", got, len(out.Items))
	}
	e := b.event("e3", event.SyncFull, 3)
	e.ConfirmRemovals = true
	b.taken(t, e)
	if got := len(b.said(t)); got != 0 {
		t.Errorf("%d bindings", got)
	}
}
