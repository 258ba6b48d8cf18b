package globalmanagement

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

var errDatabase = errors.New("the database does not answer")

// memory is a Journal that behaves as a database with transactions does, and can be made to fail.
type memory struct {
	clock clock.PassiveClock
	// fail is asked before each step: begin, seen, position, setPosition, commit.
	fail func(step string) error

	mu    sync.Mutex
	state state
	locks map[string]chan struct{}
	// inside are the Updates that are under way, and most is how many there were at once.
	inside, most int
}

type state struct {
	seen      map[string]time.Time
	positions map[string]Position
}

func (s state) clone() state { return state{maps.Clone(s.seen), maps.Clone(s.positions)} }

func newMemory(now clock.PassiveClock) *memory {
	return &memory{clock: now, state: state{map[string]time.Time{}, map[string]Position{}}, locks: map[string]chan struct{}{}}
}

func (m *memory) step(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		return nil
	}
	return m.fail(name)
}

// failing makes every step of a name fail; none when the name is empty.
func (m *memory) failing(step string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = func(name string) error {
		if name == step {
			return errDatabase
		}
		return nil
	}
}

func (m *memory) Update(ctx context.Context, source string, do func(context.Context, Entry) error) error {
	m.mu.Lock()
	m.inside++
	m.most = max(m.most, m.inside)
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.inside--
	}()
	lock := m.locks[source]
	if lock == nil {
		lock = make(chan struct{}, 1)
		m.locks[source] = lock
	}
	m.mu.Unlock()
	select {
	case lock <- struct{}{}:
		defer func() { <-lock }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := m.step("begin"); err != nil {
		return err
	}
	m.mu.Lock()
	t := &transaction{journal: m, source: source, state: m.state.clone()}
	m.mu.Unlock()
	if err := do(ctx, t); err != nil {
		return err
	}
	if err := m.step("commit"); err != nil {
		return err
	}
	m.mu.Lock()
	maps.Copy(m.state.seen, t.state.seen)
	m.state.positions[source] = t.state.positions[source]
	m.mu.Unlock()
	return nil
}

func (m *memory) Position(_ context.Context, source string) (Position, error) {
	if err := m.step("position"); err != nil {
		return Position{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state.positions[source], nil
}

type transaction struct {
	journal *memory
	source  string
	state   state
}

func (t *transaction) SawEvent(_ context.Context, id string, until time.Time) (bool, error) {
	if err := t.journal.step("seen"); err != nil {
		return false, err
	}
	if len(id) > 256 {
		return false, errors.New("the id has more than 256 characters")
	}
	if t.journal.clock.Now().Before(t.state.seen[id]) {
		return false, nil
	}
	t.state.seen[id] = until
	return true, nil
}

func (t *transaction) Position(context.Context) (Position, error) {
	if err := t.journal.step("position"); err != nil {
		return Position{}, err
	}
	return t.state.positions[t.source], nil
}

func (t *transaction) SetPosition(_ context.Context, p Position) error {
	if err := t.journal.step("setPosition"); err != nil {
		return err
	}
	t.state.positions[t.source] = p
	return nil
}
