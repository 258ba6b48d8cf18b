package karmada

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// MaxMemory is what all manifests that are being applied may take, as estimated before they are parsed, in bytes.
	MaxMemory = 192 << 20
	// maxMemoryPerPerson is one person's part of it: enough for the largest request, and little enough to leave room
	// for others.
	maxMemoryPerPerson = 96 << 20
	// memoryWait is how long a request waits for others to end.
	memoryWait = 2 * time.Second
	// LimitMemory is the name of the limit in errors.
	LimitMemory = "manifestMemory"
)

// inMemory bounds the manifests that this process is applying: from when they are read until the last of them was
// applied, however long that takes.
var inMemory = newMemoryBound(MaxMemory, maxMemoryPerPerson, memoryWait)

// memoryBound bounds what the manifests of all, and of each person, take at a time.
type memoryBound struct {
	all       *semaphore.Weighted
	perPerson int64
	wait      time.Duration

	mu     sync.Mutex
	people map[string]*share
}

// share is one person's part.
type share struct {
	taken *semaphore.Weighted
	// users is the requests that hold some of it or wait for it.
	users int
}

func newMemoryBound(all, perPerson int64, wait time.Duration) *memoryBound {
	return &memoryBound{all: semaphore.NewWeighted(all), perPerson: perPerson, wait: wait, people: map[string]*share{}}
}

// acquire waits until there is room for size. Somebody who has used up their own share waits for that first, not in
// the common queue.
func (m *memoryBound) acquire(ctx context.Context, person string, size int64) (release func(), err error) {
	size = min(size, m.perPerson)
	own := m.enter(person)
	waiting, cancel := context.WithTimeout(ctx, m.wait)
	defer cancel()
	if own.taken.Acquire(waiting, size) != nil {
		m.leave(person, own)
		return nil, m.full(ctx, "your other requests", m.perPerson)
	}
	if m.all.Acquire(waiting, size) != nil {
		own.taken.Release(size)
		m.leave(person, own)
		return nil, m.full(ctx, "the requests of others", MaxMemory)
	}
	return func() {
		m.all.Release(size)
		own.taken.Release(size)
		m.leave(person, own)
	}, nil
}

func (m *memoryBound) enter(person string) *share {
	m.mu.Lock()
	defer m.mu.Unlock()
	own := m.people[person]
	if own == nil {
		own = &share{taken: semaphore.NewWeighted(m.perPerson)}
		m.people[person] = own
	}
	own.users++
	return own
}

func (m *memoryBound) leave(person string, own *share) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if own.users--; own.users == 0 {
		delete(m.people, person)
	}
}

// full says why there was no room; when the request itself has ended, it returns that error.
func (m *memoryBound) full(ctx context.Context, holder string, allowed int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &model.Error{Code: model.CodeLimitExceeded, Retryable: true,
		Message: fmt.Sprintf("manifests that are being applied take at most %d MiB at a time, and %s take that now; try again when they have ended (limit %s)", allowed>>20, holder, LimitMemory)}
}
