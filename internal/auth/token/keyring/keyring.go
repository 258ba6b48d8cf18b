// Package keyring keeps secret keys that several replicas share and rotate. New values are made with the newest key;
// older ones stay until everything made with them has expired. It does not know what the keys are for.
package keyring

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Store keeps one set of keys for all replicas.
type Store interface {
	// Load reads the set and its version; nil and "" when there is none yet.
	Load(ctx context.Context) (data []byte, version string, err error)
	// Save writes the set if it still has that version, "" for a set that must not exist yet. Otherwise the error is
	// ErrConflict.
	Save(ctx context.Context, data []byte, version string) error
}

// ErrConflict is the error of Save when another replica saved first.
var ErrConflict = errors.New("the keys have been written by somebody else")

const (
	// freshFor is how long the keys are used before they are read again: keys of a deleted set stay valid no longer
	// than that, while the store answers.
	freshFor = time.Minute
	// pause is the least time between two reads of the keys, whatever id is asked for.
	pause = 5 * time.Second
	// timeout bounds one access to the store, reading and writing.
	timeout = 3 * time.Second
	// slack is how much longer than needed a key is kept: a replica that has not read the newer one yet may
	// still use it, and clocks differ.
	slack = 10 * time.Minute
	// attempts is how many times a rotation is tried while other replicas conflict.
	attempts = 5
)

// Options say what the keys are.
type Options[K any] struct {
	// Generate makes a new key, as it is stored.
	Generate func() ([]byte, error)
	// Parse reads a key as it is stored.
	Parse func([]byte) (K, error)
	// RotateEvery is the age at which a key is replaced by a new one.
	RotateEvery time.Duration
	// KeepFor is the longest lifetime of anything made with a key.
	KeepFor time.Duration
	// Now is the clock; nil for time.Now.
	Now func() time.Time
}

// Key is one key.
type Key[K any] struct {
	// ID is random, of letters and digits.
	ID      string
	Value   K
	Created time.Time
}

// stored is a key as it is stored; a set has the oldest first.
type stored struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Key     []byte    `json:"key"`
}

// Ring is the keys of a Store. Its errors are *model.Error: UNAVAILABLE when the store is needed and does
// not answer, INTERNAL when what it holds cannot be read.
type Ring[K any] struct {
	store  Store
	o      Options[K]
	flight singleflight.Group
	io     sync.Mutex // held while the store is read or written, so that an older set never replaces a newer one

	mu      sync.Mutex
	keys    []Key[K] // oldest first
	read    time.Time
	next    time.Time // when they may be read again for an id that is not known
	failure error     // of the last reading
}

// New makes a Ring. It does not read the store yet.
func New[K any](store Store, o Options[K]) *Ring[K] {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Ring[K]{store: store, o: o}
}

// Current returns the key for new values. It makes one when there is none or the newest is old; if the store does not
// answer then, the old one stays in use.
func (r *Ring[K]) Current(ctx context.Context) (Key[K], error) {
	r.refresh(ctx)
	r.mu.Lock()
	failed := r.failure != nil && r.o.Now().Before(r.next)
	r.mu.Unlock()
	if key, ok := r.newest(); ok && (failed || !r.due(key)) {
		return key, nil
	}
	err := r.once(ctx, "rotate", r.rotate)
	if key, ok := r.newest(); ok {
		return key, nil
	}
	if err == nil {
		err = errors.New("the keys were lost as soon as they were made")
	}
	return Key[K]{}, unavailable(err)
}

// ByID returns the key that something was made with; false when it no longer exists.
func (r *Ring[K]) ByID(ctx context.Context, id string) (Key[K], bool, error) {
	r.refresh(ctx)
	if key, ok := r.find(id); ok {
		return key, true, nil
	}
	// Another replica may have made it a moment ago.
	r.mu.Lock()
	early, failure := r.o.Now().Before(r.next), r.failure
	r.mu.Unlock()
	if !early {
		failure = r.once(ctx, "load", r.load)
	}
	if key, ok := r.find(id); ok {
		return key, true, nil
	}
	if failure != nil {
		return Key[K]{}, false, unavailable(failure)
	}
	return Key[K]{}, false, nil
}

func unavailable(err error) error {
	var known *model.Error
	if errors.As(err, &known) {
		return known
	}
	return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: err, Message: "Kairship's own keys cannot be read now"}
}

func (r *Ring[K]) newest() (Key[K], bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.keys) == 0 {
		return Key[K]{}, false
	}
	return r.keys[len(r.keys)-1], true
}

func (r *Ring[K]) due(newest Key[K]) bool {
	return !r.o.Now().Before(newest.Created.Add(r.o.RotateEvery))
}

func (r *Ring[K]) find(id string) (Key[K], bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, key := range r.keys {
		if key.ID == id {
			over := i+1 < len(r.keys) && r.over(r.keys[i+1].Created)
			return key, !over
		}
	}
	return Key[K]{}, false
}

// over reports whether everything has expired that was made with a key that was replaced at that time.
func (r *Ring[K]) over(followed time.Time) bool {
	return !r.o.Now().Before(followed.Add(r.o.KeepFor + slack))
}

// refresh reads the keys again when they are stale. When that fails they stay in use.
func (r *Ring[K]) refresh(ctx context.Context) {
	r.mu.Lock()
	now := r.o.Now()
	fresh := !r.read.IsZero() && now.Before(r.read.Add(freshFor)) || now.Before(r.next)
	r.mu.Unlock()
	if !fresh {
		_ = r.once(ctx, "load", r.load) // kept in r.failure
	}
}

// once runs do once for all concurrent callers, with a deadline of its own.
func (r *Ring[K]) once(ctx context.Context, name string, do func(context.Context) error) error {
	answer := r.flight.DoChan(name, panics.Guarded(func() (any, error) {
		r.io.Lock()
		defer r.io.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		return nil, do(ctx)
	}))
	select {
	case result := <-answer:
		return result.Err
	case <-ctx.Done():
		return &model.Error{Code: model.CodeTimeout, Retryable: true, Err: ctx.Err(), Message: "the request ended before Kairship's own keys were read"}
	}
}

func (r *Ring[K]) load(ctx context.Context) error {
	_, _, err := r.fetch(ctx)
	return err
}

// fetch reads the set and installs it.
func (r *Ring[K]) fetch(ctx context.Context) ([]stored, string, error) {
	data, version, err := r.store.Load(ctx)
	if err != nil {
		err = fmt.Errorf("reading the keys: %w", err)
	}
	var set []stored
	var keys []Key[K]
	if err == nil {
		set, keys, err = r.parse(data)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.o.Now()
	r.failure, r.next = err, now.Add(pause)
	if err != nil {
		return nil, "", err
	}
	r.keys, r.read = keys, now
	return set, version, nil
}

// parse reads a set. One that cannot be read is never replaced: it may be of a newer version.
func (r *Ring[K]) parse(data []byte) ([]stored, []Key[K], error) {
	if len(data) == 0 {
		return nil, nil, nil
	}
	unreadable := &model.Error{Code: model.CodeInternal, Message: "Kairship's own keys are damaged; an administrator has to delete them, which ends what was made with them"}
	var set []stored
	if json.Unmarshal(data, &set) != nil {
		return nil, nil, unreadable
	}
	slices.SortStableFunc(set, func(a, b stored) int { return a.Created.Compare(b.Created) })
	keys := make([]Key[K], 0, len(set))
	for _, s := range set {
		value, err := r.o.Parse(s.Key)
		if err != nil || s.ID == "" {
			return nil, nil, unreadable
		}
		keys = append(keys, Key[K]{ID: s.ID, Value: value, Created: s.Created})
	}
	return set, keys, nil
}

// rotate adds a key unless another replica has done so, and drops those that are no longer needed.
func (r *Ring[K]) rotate(ctx context.Context) error {
	for range attempts {
		set, version, err := r.fetch(ctx)
		if err != nil {
			return err
		}
		if newest, ok := r.newest(); ok && !r.due(newest) {
			return nil
		}
		material, err := r.o.Generate()
		if err != nil {
			return fmt.Errorf("making a key: %w", err)
		}
		set = append(set, stored{ID: rand.Text(), Created: r.o.Now().UTC(), Key: material})
		for len(set) > 1 && r.over(set[1].Created) {
			set = set[1:]
		}
		data, err := json.Marshal(set)
		if err != nil {
			return fmt.Errorf("writing the keys: %w", err)
		}
		if err := r.store.Save(ctx, data, version); errors.Is(err, ErrConflict) {
			continue
		} else if err != nil {
			return fmt.Errorf("writing the keys: %w", err)
		}
		// Read back rather than assumed.
		_, _, err = r.fetch(ctx)
		return err
	}
	return ErrConflict
}
