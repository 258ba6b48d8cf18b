package keyring_test

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth/token/keyring"
	"github.com/kairship-io/kairship/internal/auth/token/keyring/keyringtest"
	"github.com/kairship-io/kairship/internal/model"
)

type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time      { return time.Unix(0, c.at.Load()) }
func (c *clock) add(d time.Duration) { c.at.Add(int64(d)) }

const (
	rotate = 24 * time.Hour
	keep   = 48 * time.Hour
)

// newRing makes a ring whose keys are numbered texts.
func newRing(store keyring.Store, c *clock) *keyring.Ring[string] {
	return keyring.New(store, keyring.Options[string]{
		Generate:    func() ([]byte, error) { return []byte("k"), nil },
		Parse:       func(b []byte) (string, error) { return string(b), nil },
		RotateEvery: rotate, KeepFor: keep, Now: c.now,
	})
}

func current(t *testing.T, r *keyring.Ring[string]) keyring.Key[string] {
	t.Helper()
	key, err := r.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func has(t *testing.T, r *keyring.Ring[string], id string) bool {
	t.Helper()
	_, ok, err := r.ByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func start() *clock {
	c := &clock{}
	c.add(1_000_000 * time.Second)
	return c
}

func TestKeysFollowEachOtherAndStayUntilWhatTheyMadeHasEnded(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	r := newRing(store, c)
	first := current(t, r)
	c.add(rotate - time.Second)
	if got := current(t, r); got.ID != first.ID {
		t.Fatal("the key was replaced early")
	}
	c.add(time.Second)
	second := current(t, r)
	if second.ID == first.ID {
		t.Fatal("the key was not replaced")
	}
	c.add(keep + keyring.Slack - time.Second)
	if !has(t, r, first.ID) {
		t.Error("a key is gone while what it made may still be good")
	}
	c.add(time.Second)
	if has(t, r, first.ID) {
		t.Error("a key stays for ever")
	}
	current(t, r)
	if bytes.Contains(store.Data(), []byte(first.ID)) {
		t.Error("the key that is over is still stored")
	}
}

func TestReplicasAgree(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	a, b := newRing(store, c), newRing(store, c)
	key := current(t, a)
	if got := current(t, b); got.ID != key.ID {
		t.Fatal("two replicas made two keys")
	}
	c.add(rotate)
	next := current(t, a)
	if !has(t, b, next.ID) {
		t.Error("another replica's new key is not found")
	}
	if got := current(t, b); got.ID != next.ID {
		t.Error("the other replica made another key")
	}
}

func TestWhoComesSecondUsesWhatTheFirstWrote(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	a, b := newRing(store, c), newRing(store, c)
	var other keyring.Key[string]
	store.BeforeSave(func() { other = current(t, b) })
	if got := current(t, a); got.ID != other.ID {
		t.Error("one replica wrote over the other's key")
	}
}

func TestManyReplicasAtOnceMakeOneKey(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	var mu sync.Mutex
	ids := map[string]bool{}
	var wait sync.WaitGroup
	for range 20 {
		r := newRing(store, c)
		wait.Go(func() {
			key, err := r.Current(t.Context())
			mu.Lock()
			defer mu.Unlock()
			if ids[key.ID] = true; err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if len(ids) != 1 {
		t.Errorf("%d keys were made", len(ids))
	}
}

func TestKnownKeysAreUsedWhileTheStoreIsDown(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	r := newRing(store, c)
	key := current(t, r)
	store.Fail(errors.New("down"))
	c.add(2 * rotate)
	if got := current(t, r); got.ID != key.ID {
		t.Error("another key")
	}
	if !has(t, r, key.ID) {
		t.Error("the key is gone")
	}
	before := store.Loads()
	for range 10 {
		current(t, r)
	}
	if store.Loads() != before {
		t.Errorf("the store was asked %d times right after it failed", store.Loads()-before)
	}
	_, _, err := r.ByID(t.Context(), "unknown")
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable {
		t.Errorf("an unknown key: %v", err)
	}
	store.Fail(nil)
	c.add(keyring.Pause)
	if got := current(t, r); got.ID == key.ID {
		t.Error("the store is back, but the key was not replaced")
	}
}

func TestAStoreThatIsDownAtTheStartIsAskedAgain(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	store.Fail(errors.New("down"))
	r := newRing(store, c)
	_, err := r.Current(t.Context())
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable || !e.Retryable {
		t.Fatalf("error = %v", err)
	}
	store.Fail(nil)
	current(t, r)
}

func TestUnknownIDsDoNotHammerTheStore(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	r := newRing(store, c)
	current(t, r)
	before := store.Loads()
	for i := range 100 {
		if has(t, r, fmt.Sprint("forged", i)) {
			t.Fatal("found")
		}
	}
	if store.Loads() != before {
		t.Errorf("asked %d times within a moment", store.Loads()-before)
	}
	c.add(keyring.Pause)
	has(t, r, "forged")
	if store.Loads() != before+1 {
		t.Errorf("asked %d times, want 1", store.Loads()-before)
	}
}

func TestKeysThatWereDeletedAreForgotten(t *testing.T) {
	c, store := start(), &keyringtest.Store{}
	r := newRing(store, c)
	key := current(t, r)
	store.Put(nil)
	c.add(keyring.FreshFor)
	if has(t, r, key.ID) {
		t.Error("a key that an administrator deleted is used on")
	}
	if got := current(t, r); got.ID == key.ID {
		t.Error("it came back")
	}
}

func TestDamagedKeysAreNotReplaced(t *testing.T) {
	for _, data := range []string{`{`, `[{"id":"","key":"aw=="}]`, `"x"`} {
		c, store := start(), &keyringtest.Store{}
		store.Put([]byte(data))
		_, err := newRing(store, c).Current(t.Context())
		var e *model.Error
		if !errors.As(err, &e) || e.Code != model.CodeInternal || string(store.Data()) != data {
			t.Errorf("%s: %v, now %s", data, err, store.Data())
		}
	}
}
