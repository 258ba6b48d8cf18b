package keyring

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// memory is a Store for as many rings as there are.
type memory struct {
	mu      sync.Mutex
	data    []byte
	version int
	err     error
	loads   int
	// beforeSave is called once, before the next Save.
	beforeSave func()
}

func (m *memory) Load(context.Context) ([]byte, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loads++
	if m.err != nil {
		return nil, "", m.err
	}
	if m.data == nil {
		return nil, "", nil
	}
	return m.data, strconv.Itoa(m.version), nil
}

func (m *memory) Save(_ context.Context, data []byte, version string) error {
	m.mu.Lock()
	first := m.beforeSave
	m.beforeSave = nil
	m.mu.Unlock()
	if first != nil {
		first()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil {
		return m.err
	}
	if current := strconv.Itoa(m.version); version != current && (version != "" || m.data != nil) {
		return ErrConflict
	}
	m.data, m.version = data, m.version+1
	return nil
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time      { return time.Unix(0, c.at.Load()) }
func (c *clock) add(d time.Duration) { c.at.Add(int64(d)) }

const (
	rotate = 24 * time.Hour
	keep   = 48 * time.Hour
)

// newRing makes a ring whose keys are numbered texts.
func newRing(store Store, c *clock) *Ring[string] {
	return New(store, Options[string]{
		Generate:    func() ([]byte, error) { return []byte("k"), nil },
		Parse:       func(b []byte) (string, error) { return string(b), nil },
		RotateEvery: rotate, KeepFor: keep, Now: c.now,
	})
}

func current(t *testing.T, r *Ring[string]) Key[string] {
	t.Helper()
	key, err := r.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func has(t *testing.T, r *Ring[string], id string) bool {
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
	c, store := start(), &memory{}
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
	c.add(keep + slack - time.Second)
	if !has(t, r, first.ID) {
		t.Error("a key is gone while what it made may still be good")
	}
	c.add(time.Second)
	if has(t, r, first.ID) {
		t.Error("a key stays for ever")
	}
	current(t, r)
	if set, _, err := r.parse(store.data); err != nil || set[0].ID == first.ID {
		t.Errorf("the key that is over is still stored: %v", err)
	}
}

func TestReplicasAgree(t *testing.T) {
	c, store := start(), &memory{}
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
	c, store := start(), &memory{}
	a, b := newRing(store, c), newRing(store, c)
	var other Key[string]
	store.beforeSave = func() { other = current(t, b) }
	if got := current(t, a); got.ID != other.ID {
		t.Error("one replica wrote over the other's key")
	}
}

func TestManyReplicasAtOnceMakeOneKey(t *testing.T) {
	c, store := start(), &memory{}
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
	c, store := start(), &memory{}
	r := newRing(store, c)
	key := current(t, r)
	store.set(func(m *memory) { m.err = errors.New("down") })
	c.add(2 * rotate)
	if got := current(t, r); got.ID != key.ID {
		t.Error("another key")
	}
	if !has(t, r, key.ID) {
		t.Error("the key is gone")
	}
	before := store.loads
	for range 10 {
		current(t, r)
	}
	if store.loads != before {
		t.Errorf("the store was asked %d times right after it failed", store.loads-before)
	}
	_, _, err := r.ByID(t.Context(), "unknown")
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable {
		t.Errorf("an unknown key: %v", err)
	}
	store.set(func(m *memory) { m.err = nil })
	c.add(pause)
	if got := current(t, r); got.ID == key.ID {
		t.Error("the store is back, but the key was not replaced")
	}
}

func TestAStoreThatIsDownAtTheStartIsAskedAgain(t *testing.T) {
	c, store := start(), &memory{err: errors.New("down")}
	r := newRing(store, c)
	_, err := r.Current(t.Context())
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable || !e.Retryable {
		t.Fatalf("error = %v", err)
	}
	store.set(func(m *memory) { m.err = nil })
	current(t, r)
}

func TestUnknownIDsDoNotHammerTheStore(t *testing.T) {
	c, store := start(), &memory{}
	r := newRing(store, c)
	current(t, r)
	before := store.loads
	for i := range 100 {
		if has(t, r, fmt.Sprint("forged", i)) {
			t.Fatal("found")
		}
	}
	if store.loads != before {
		t.Errorf("asked %d times within a moment", store.loads-before)
	}
	c.add(pause)
	has(t, r, "forged")
	if store.loads != before+1 {
		t.Errorf("asked %d times, want 1", store.loads-before)
	}
}

func TestKeysThatWereDeletedAreForgotten(t *testing.T) {
	c, store := start(), &memory{}
	r := newRing(store, c)
	key := current(t, r)
	store.set(func(m *memory) { m.data = nil })
	c.add(freshFor)
	if has(t, r, key.ID) {
		t.Error("a key that an administrator deleted is used on")
	}
	if got := current(t, r); got.ID == key.ID {
		t.Error("it came back")
	}
}

func TestDamagedKeysAreNotReplaced(t *testing.T) {
	for _, data := range []string{`{`, `[{"id":"","key":"aw=="}]`, `"x"`} {
		c, store := start(), &memory{data: []byte(data)}
		_, err := newRing(store, c).Current(t.Context())
		var e *model.Error
		if !errors.As(err, &e) || e.Code != model.CodeInternal || string(store.data) != data {
			t.Errorf("%s: %v, now %s", data, err, store.data)
		}
	}
}
