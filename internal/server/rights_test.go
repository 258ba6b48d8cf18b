package server

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server/gate"
)

// rights is an Authorizer whose decisions change, and tells that they have.
type rights struct {
	all, none *rbac.Authorizer
	looks     atomic.Int64

	mu      sync.Mutex
	revoked map[string]bool
	changed chan struct{}
}

func newRights() *rights {
	return &rights{all: rbac.NewAuthorizer([]string{"admins"}), none: rbac.NewAuthorizer(nil), revoked: map[string]bool{}, changed: make(chan struct{})}
}

func (r *rights) of(p auth.Principal) *rbac.Authorizer {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks.Add(1)
	if r.revoked[p.Name] {
		return r.none
	}
	return r.all
}

func (r *rights) NewContext(ctx context.Context, p auth.Principal) context.Context {
	return r.of(p).NewContext(ctx, p)
}

func (r *rights) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// change tells everybody that rights have changed, whose roles are revoked now.
func (r *rights) change(revoked ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range revoked {
		r.revoked[name] = true
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func TestARevokedRoleEndsOpenStreamsAtOnce(t *testing.T) {
	r := newRights()
	// They end because they are told.
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed, c.recheck = r, r.Changed, time.Hour })
	f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
	stays := f.admitted().send(subscribe("a", "subscription{ticks}"))
	var leaving []*client
	for range 20 {
		leaving = append(leaving, f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer carl"}}`).want(ack).send(subscribe("a", "subscription{ticks}")))
	}
	events := make(chan answer, 1)
	go func() {
		events <- f.do("POST", "/graphql", `{"query":"subscription{ticks}"}`, "Authorization", "Bearer carl", "Accept", mediaEvents)
	}()
	eventually(t, "all are open", func() bool { return f.schema.subscribers() == 22 })

	r.change("carl")
	for _, c := range leaving {
		c.want("closed 4403 Forbidden: " + rbac.ErrForbidden.Message)
	}
	a := <-events
	if !strings.Contains(a.raw, `"code":"FORBIDDEN"`) || !strings.HasSuffix(a.raw, "event: complete\ndata:\n\n") {
		t.Errorf("the stream ended with %q", a.raw)
	}
	eventually(t, "only the other's subscription is left", func() bool { return f.schema.subscribers() == 1 })
	stays.send(`{"type":"ping"}`).want(`{"type":"pong"}`)
}

func TestARevokedTokenEndsOpenStreamsWhenRightsChange(t *testing.T) {
	r := newRights()
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	f.tokens.set("x", &auth.Principal{Name: "ann", Groups: []string{"admins"}})
	c := f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`).want(ack)
	f.tokens.set("x", nil)
	r.change()
	c.want("closed 4401 Unauthorized: the bearer token is not valid")
}

// What a stream may show is decided when it begins: who may see something else now has to begin again.
func TestAStreamBeginsAgainWhenItsOwnersRightsAreOthers(t *testing.T) {
	r := newRights()
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	f.tokens.set("x", &auth.Principal{Name: "ann", Groups: []string{"admins", "devs"}})
	c := f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`).want(ack)
	f.tokens.set("x", &auth.Principal{Name: "ann", Groups: []string{"admins"}})
	r.change()
	c.want("closed 1012 your rights have changed; connect again")
}

func TestAStreamBeginsAgainWhenItsOwnersRoleIsAnother(t *testing.T) {
	ann := auth.NewPrincipal("oidc", "ann", nil)
	a := rbac.NewAuthorizer(nil)
	give := func(role v1alpha1.AccessRole) {
		a.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{
			Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: ann.Name}, Role: role}}}, nil))
	}
	give(v1alpha1.RoleEditor)
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed = a, a.Changed })
	f.tokens.set("x", &ann)
	c := f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer x"}}`).want(ack)
	give(v1alpha1.RoleViewer)
	c.want("closed 1012 your rights have changed; connect again")
}

func TestAStormOfChangesIsLookedAtNowAndThen(t *testing.T) {
	r := newRights()
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	c := f.admitted()
	before := r.looks.Load()
	began := time.Now()
	for r.looks.Load()-before < 3 {
		r.change()
		time.Sleep(time.Millisecond)
		if time.Since(began) > patience {
			t.Fatal("the changes are not looked at")
		}
	}
	if took := time.Since(began); took < 2*gate.RecheckGap {
		t.Errorf("three looks in %s; the least time between two is %s", took, gate.RecheckGap)
	}
	c.send(`{"type":"ping"}`).want(`{"type":"pong"}`)
}

func TestAChangeBetweenAdmissionAndWatchingIsNotMissed(t *testing.T) {
	r := newRights()
	f := newFixture(t, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, in, refusal := f.gate.Look(ctx, gate.Credential{Token: "admin"})
	if refusal != nil {
		t.Fatal(refusal)
	}
	r.change("ann")
	select {
	case got := <-f.gate.Lost(ctx, in):
		if got != rbac.ErrForbidden {
			t.Errorf("got %v", got)
		}
	case <-time.After(patience):
		t.Error("the change was missed")
	}
}
