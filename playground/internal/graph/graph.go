// Package graph runs tasks that depend on each other, each as soon as its dependencies are done. It knows nothing of
// what the tasks do.
package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Task is one step. Run is called once all tasks named in After are done.
type Task struct {
	Name  string
	After []string
	Run   func(context.Context) error
}

// Observer is notified of what happens, one call at a time.
type Observer interface {
	Started(task string)
	Finished(task string, took time.Duration, err error)
}

// Run runs all tasks and returns when they are done. The first failure cancels the others and is returned with the name
// of its task. When the parent ends first, every task that was running is named.
func Run(parent context.Context, tasks []Task, o Observer) error {
	if err := Check(tasks); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	done := make(map[string]chan struct{}, len(tasks))
	for _, t := range tasks {
		done[t.Name] = make(chan struct{})
	}
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		failures []error
	)
	for _, t := range tasks {
		wg.Go(func() {
			for _, dep := range t.After {
				select {
				case <-done[dep]:
				case <-ctx.Done():
					return
				}
			}
			if ctx.Err() != nil {
				return
			}
			mu.Lock()
			o.Started(t.Name)
			mu.Unlock()
			began := time.Now()
			err := t.Run(ctx)
			mu.Lock()
			o.Finished(t.Name, time.Since(began), err)
			if err != nil {
				failures = append(failures, fmt.Errorf("%s: %w", t.Name, err))
			}
			mu.Unlock()
			if err != nil {
				cancel(err)
				return
			}
			close(done[t.Name])
		})
	}
	wg.Wait()
	switch {
	case parent.Err() != nil: // none failed, all were cancelled: name those that were running
		return errors.Join(append(failures, parent.Err())...)
	case len(failures) > 0: // the others only failed because the first did
		return failures[0]
	}
	return nil
}

// Check finds what can be wrong with tasks before any runs: a name used twice, a
// dependency that is not there, a circle.
func Check(tasks []Task) error {
	byName := make(map[string]Task, len(tasks))
	for _, t := range tasks {
		if _, ok := byName[t.Name]; ok {
			return fmt.Errorf("two tasks are called %q", t.Name)
		}
		byName[t.Name] = t
	}
	const open, closed = 1, 2
	seen := map[string]int{}
	var path []string
	var visit func(name string) error
	visit = func(name string) error {
		t, ok := byName[name]
		if !ok {
			return fmt.Errorf("%q waits for %q, which is no task", path[len(path)-1], name)
		}
		path = append(path, name)
		switch seen[name] {
		case open:
			return errors.New("tasks wait for each other in a circle: " + strings.Join(path, " → "))
		case closed:
			path = path[:len(path)-1]
			return nil
		}
		seen[name] = open
		for _, dep := range t.After {
			if err := visit(dep); err != nil {
				return err
			}
		}
		seen[name] = closed
		path = path[:len(path)-1]
		return nil
	}
	for _, t := range tasks {
		if err := visit(t.Name); err != nil {
			return err
		}
	}
	return nil
}
