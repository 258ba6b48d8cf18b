// Package keyringtest keeps keys in memory.
package keyringtest

import (
	"context"
	"strconv"
	"sync"

	"github.com/kairship-io/kairship/internal/auth/token/keyring"
)

// Store is a keyring.Store for any number of rings. Its zero value is empty.
type Store struct {
	mu         sync.Mutex
	data       []byte
	version    int
	err        error
	loads      int
	beforeSave func()
}

// Load reads the set of keys.
func (s *Store) Load(context.Context) ([]byte, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads++
	if s.err != nil || s.data == nil {
		return nil, "", s.err
	}
	return s.data, strconv.Itoa(s.version), nil
}

// Save writes the set of keys.
func (s *Store) Save(_ context.Context, data []byte, version string) error {
	s.mu.Lock()
	first := s.beforeSave
	s.beforeSave = nil
	s.mu.Unlock()
	if first != nil {
		first()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if current := strconv.Itoa(s.version); version != current && (version != "" || s.data != nil) {
		return keyring.ErrConflict
	}
	s.data, s.version = data, s.version+1
	return nil
}

// Fail makes every access fail; nil makes them work again.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Put replaces what is stored, whatever it is; nil for nothing.
func (s *Store) Put(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = data
}

// BeforeSave sets a function that is called once, before the next Save.
func (s *Store) BeforeSave(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beforeSave = f
}

// Data is what is stored.
func (s *Store) Data() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.data
}

// Loads returns how often the set was read.
func (s *Store) Loads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads
}
