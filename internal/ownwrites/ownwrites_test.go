package ownwrites_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

var (
	began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	web   = model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}
)

const ann, bob = "kairship:oidc:ann", "kairship:oidc:bob"

func object(uid, version string, created time.Time, content string) []byte {
	return fmt.Appendf(nil, `{"metadata":{"uid":%q,"resourceVersion":%q,"creationTimestamp":%q},"content":%q}`, uid, version, created.Format(time.RFC3339), content)
}

func TestWhichVersionsAreOlder(t *testing.T) {
	old := began.Add(-time.Hour)
	for name, c := range map[string]struct {
		write   func(*ownwrites.Log)
		version ownwrites.Version
		want    bool
	}{
		"nothing was written":             {func(*ownwrites.Log) {}, ownwrites.Version{UID: "a", ResourceVersion: "1"}, false},
		"an older version":                {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "10", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, true},
		"the same version":                {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "10", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "10"}, false},
		"a newer version, by number":      {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "9", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "10"}, false},
		"the object before, of that name": {func(l *ownwrites.Log) { l.Wrote(ann, web, object("b", "10", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, true},
		"the object after, of that name":  {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "10", old, "")) }, ownwrites.Version{UID: "b", ResourceVersion: "11"}, false},
		"of somebody else's write":        {func(l *ownwrites.Log) { l.Wrote(bob, web, object("a", "10", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, false},
		"a version that is no number":     {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "x", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "y"}, true},
		"the same that is no number":      {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "x", old, "")) }, ownwrites.Version{UID: "a", ResourceVersion: "x"}, false},
		"answers that came the other way": {func(l *ownwrites.Log) {
			l.Wrote(ann, web, object("a", "10", old, ""))
			l.Wrote(ann, web, object("a", "8", old, ""))
		}, ownwrites.Version{UID: "a", ResourceVersion: "9"}, true},
		"what was deleted":               {func(l *ownwrites.Log) { l.Deleted(ann, web, "a") }, ownwrites.Version{UID: "a", ResourceVersion: "99"}, true},
		"another one than was deleted":   {func(l *ownwrites.Log) { l.Deleted(ann, web, "a") }, ownwrites.Version{UID: "b", ResourceVersion: "99"}, false},
		"one before what was deleted":    {func(l *ownwrites.Log) { l.Wrote(ann, web, object("b", "10", old, "")); l.Deleted(ann, web, "b") }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, true},
		"deleted, and nobody says which": {func(l *ownwrites.Log) { l.Deleted(ann, web, "") }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, false},
		"the write before, with its uid": {func(l *ownwrites.Log) { l.Wrote(ann, web, object("a", "10", old, "")); l.Deleted(ann, web, "") }, ownwrites.Version{UID: "a", ResourceVersion: "11"}, true},
		"an answer that is no object":    {func(l *ownwrites.Log) { l.Wrote(ann, web, []byte(`[1]`)); l.Wrote(ann, web, nil) }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, false},
		"an answer without a version":    {func(l *ownwrites.Log) { l.Wrote(ann, web, []byte(`{"metadata":{"uid":"a"}}`)) }, ownwrites.Version{UID: "a", ResourceVersion: "9"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := ownwrites.New(clocktesting.NewFakePassiveClock(began))
			c.write(l)
			if got := l.Outdated(ann, web, c.version); got != c.want {
				t.Errorf("outdated: %v, want %v", got, c.want)
			}
		})
	}
}

func TestSecretsAndMembersAreNotRemembered(t *testing.T) {
	l := ownwrites.New(nil)
	secret, member := web, web
	secret.GVK = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	member.Cluster = "hangzhou"
	for _, ref := range []model.Ref{secret, member} {
		l.Wrote(ann, ref, object("a", "10", began, ""))
		if got := l.Of(ann, func(model.Ref) bool { return true }); len(got) > 0 {
			t.Errorf("%s is remembered", ref.ID())
		}
	}
}

func TestAnObjectIsNewForAWhile(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(began)
	l := ownwrites.New(clock)
	newer := func() bool { _, ok := l.Newer(ann, web, nil); return ok }
	l.Wrote(ann, web, object("a", "10", began.Add(-time.Hour), ""))
	if newer() {
		t.Error("an object of an hour ago is taken for new")
	}
	l.Wrote(ann, web, object("a", "11", began, ""))
	if !newer() {
		t.Error("an object that was just made is not taken for new")
	}
	clock.SetTime(began.Add(2 * time.Minute))
	if newer() {
		t.Error("an object of two minutes ago is still taken for new")
	}
	clock.SetTime(began)
	l.Wrote(ann, web, object("b", "20", began, ""))
	l.Of(ann, func(model.Ref) bool { return true })[0].Settle(began)
	l.Wrote(ann, web, object("b", "21", began, ""))
	if newer() {
		t.Error("an object that the store had is taken for new")
	}
}

func TestWritesAreForgotten(t *testing.T) {
	everything := func(model.Ref) bool { return true }
	clock := clocktesting.NewFakePassiveClock(began)
	l := ownwrites.New(clock)
	l.Wrote(ann, web, object("a", "10", began, ""))
	clock.SetTime(began.Add(4 * time.Minute))
	if len(l.Of(ann, everything)) != 1 {
		t.Error("a write that the store does not have is forgotten after four minutes")
	}
	l.Of(ann, everything)[0].Settle(clock.Now())
	clock.SetTime(began.Add(5*time.Minute + time.Second))
	if len(l.Of(ann, everything)) != 0 {
		t.Error("a write is remembered after five minutes")
	}
	for i := range 1500 {
		ref := web
		ref.Name = fmt.Sprint("web-", i)
		l.Wrote(ann, ref, object(fmt.Sprint(i), fmt.Sprint(100+i), began, ""))
	}
	l.Wrote(bob, web, object("a", "10", began, ""))
	if n := len(l.Of(ann, everything)); n != 1000 {
		t.Errorf("%d writes of one person are remembered, want 1000", n)
	}
	if len(l.Of(bob, everything)) != 1 {
		t.Error("one person's many writes push out another's")
	}
	last := web
	last.Name = "web-1499"
	if !l.Outdated(ann, last, ownwrites.Version{UID: "1499", ResourceVersion: "1"}) {
		t.Error("the last write is forgotten before the first")
	}
	big := strings.Repeat("x", 1<<20)
	for i := range 40 {
		ref := web
		ref.Name = fmt.Sprint("big-", i)
		l.Wrote(ann, ref, object(fmt.Sprint(i), fmt.Sprint(5000+i), began, big))
	}
	if n := len(l.Of(ann, everything)); n != 15 {
		t.Errorf("%d writes of a megabyte are remembered, want the 15 that fit into 16 MiB", n)
	}
}

// What is written over takes no room any more: many large writes to one object push out nobody else's.
func TestWritesThatWereWrittenOverTakeNoRoom(t *testing.T) {
	l := ownwrites.New(clocktesting.NewFakePassiveClock(began))
	l.Wrote(bob, web, object("a", "10", began, ""))
	big := strings.Repeat("x", 15<<20)
	for i := range 20 { // more than all people may have together
		l.Wrote(ann, web, object("a", fmt.Sprint(100+i), began, big))
	}
	for _, who := range []string{ann, bob} {
		if n := len(l.Of(who, func(model.Ref) bool { return true })); n != 1 {
			t.Errorf("%d writes of %s are remembered, want 1", n, who)
		}
	}
}

func TestWhatIsGoneIsNotNew(t *testing.T) {
	for name, c := range map[string]struct {
		gone  ownwrites.Version
		shown bool
	}{
		"the object that was written":    {ownwrites.Version{UID: "a", ResourceVersion: "11"}, false},
		"the one before it of that name": {ownwrites.Version{UID: "b", ResourceVersion: "9"}, true},
		"one before what was written":    {ownwrites.Version{UID: "a", ResourceVersion: "9"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := ownwrites.New(clocktesting.NewFakePassiveClock(began))
			l.Gone(web, c.gone) // nobody has written anything
			l.Wrote(ann, web, object("a", "10", began, ""))
			l.Gone(web, c.gone)
			if _, shown := l.Newer(ann, web, nil); shown != c.shown {
				t.Errorf("shown as new: %t, want %t", shown, c.shown)
			}
		})
	}
}
