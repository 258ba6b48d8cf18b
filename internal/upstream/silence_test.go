package upstream

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// saysNothing is a request to an upstream that hangs.
func saysNothing(ctx context.Context, _ func()) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// says is a request that is answered after a time.
func says(after time.Duration) func(context.Context, func()) (int, error) {
	return func(ctx context.Context, _ func()) (int, error) {
		select {
		case <-time.After(after):
			return 1, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func TestAnOperationWaitsInVainOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(ctx context.Context) error
		want error
		took time.Duration
	}{
		{"for requests one after the other", func(ctx context.Context) (err error) {
			for range 5 {
				_, err = Await(ctx, "store", Silence, saysNothing)
			}
			return err
		}, ErrSilent, Silence},
		{"for a request that began while another one waited", func(ctx context.Context) error {
			var first sync.WaitGroup
			first.Go(func() { _, _ = Await(ctx, "store", Silence, saysNothing) })
			defer first.Wait()
			time.Sleep(time.Second)
			_, err := Await(ctx, "store", Silence, saysNothing)
			return err
		}, ErrSilent, Silence},
		{"and a little for another upstream", func(ctx context.Context) error {
			_, _ = Await(ctx, "store", Silence, saysNothing)
			_, err := Await(ctx, "asia", Silence, saysNothing)
			return err
		}, ErrSilent, Silence + afterSilence},
		{"and has the answer of another upstream", func(ctx context.Context) error {
			_, _ = Await(ctx, "store", Silence, saysNothing)
			_, err := Await(ctx, "asia", Silence, says(afterSilence/2))
			return err
		}, nil, Silence + afterSilence/2},
		{"and as long as anybody is answered", func(ctx context.Context) error {
			var others sync.WaitGroup
			others.Go(func() { _, _ = Await(ctx, "store", Silence, says(time.Second)) })
			defer others.Wait()
			_, err := Await(ctx, "store", Silence, says(2*time.Second))
			return err
		}, nil, 2 * time.Second},
		{"and as long as it hears a part of an answer", func(ctx context.Context) error {
			_, err := Await(ctx, "store", Silence, func(ctx context.Context, heard func()) (int, error) {
				for range 5 {
					if _, err := says(time.Second)(ctx, nil); err != nil {
						return 0, err
					}
					heard()
				}
				return 1, nil
			})
			return err
		}, nil, 5 * time.Second},
		{"and not at all for answers one after the other", func(ctx context.Context) (err error) {
			for range 4 {
				_, err = Await(ctx, "store", Silence, says(time.Second))
			}
			return err
		}, nil, 4 * time.Second},
		{"also for one that ended by its own deadline", func(ctx context.Context) (err error) {
			for range 3 {
				_, err = Await(ctx, "store", Silence, func(ctx context.Context, _ func()) (int, error) {
					ctx, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					return saysNothing(ctx, nil)
				})
			}
			return err
		}, ErrSilent, time.Second},
		{"and takes a refusal for an answer", func(ctx context.Context) error {
			var first sync.WaitGroup
			first.Go(func() {
				_, _ = Await(ctx, "store", Silence, func(ctx context.Context, _ func()) (int, error) {
					_, _ = says(time.Second)(ctx, nil)
					return 0, errAnswer
				})
			})
			defer first.Wait()
			_, err := Await(ctx, "store", Silence, says(2*time.Second))
			return err
		}, nil, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				err := c.run(NewOperation(t.Context()))
				if took := time.Since(began); !errors.Is(err, c.want) || took != c.took {
					t.Errorf("%v after %s; want %v after %s", err, took, c.want, c.took)
				}
			})
		})
	}
}

func TestWhatAnOperationDoesNotAskForSaysNothingOfTheUpstream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBreaker("asia", Trip{Failures: 2, Pause: time.Hour, Down: func(error) bool { return true }})
		ask := func(ctx context.Context) error {
			_, err := Through(ctx, b, func(ctx context.Context) (int, error) { return Await(ctx, "asia", Silence, saysNothing) })
			return err
		}
		one := NewOperation(t.Context())
		for range 5 {
			if err := ask(one); !errors.Is(err, ErrSilent) {
				t.Fatal(err)
			}
		}
		if b.Open() {
			t.Error("one request without an answer opened the circuit")
		}
		if _ = ask(NewOperation(t.Context())); !b.Open() {
			t.Error("two did not")
		}
	})
}

func TestOperationsWaitEachForThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, err := Await(NewOperation(t.Context()), "store", Silence, saysNothing); !errors.Is(err, ErrSilent) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a silent upstream is told as %v", err)
		}
		if n, err := Await(NewOperation(t.Context()), "store", Silence, says(time.Second)); n != 1 || err != nil {
			t.Errorf("the next operation: %d, %v", n, err)
		}
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		if _, err := Await(ctx, "store", Silence, saysNothing); errors.Is(err, ErrSilent) {
			t.Error("the end of the caller is told as that of the upstream")
		}
	})
}
