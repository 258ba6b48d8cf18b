package upstream

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

var (
	errDown   = errors.New("connection refused")
	errAnswer = errors.New("not found")
)

func isDown(err error) bool { return errors.Is(err, errDown) }

func fails(err error) func(context.Context) (int, error) {
	return func(context.Context) (int, error) { return 0, err }
}

func try(ctx context.Context, b *Breaker, err error) error {
	_, got := Through(ctx, b, fails(err))
	return got
}

func TestACircuit(t *testing.T) {
	trip := Trip{Failures: 3, Pause: 2 * time.Second, Down: isDown}
	for _, c := range []struct {
		name  string
		calls []error
		open  bool
	}{
		{"opens after failures in a row", []error{errDown, errDown, errDown}, true},
		{"stays closed before", []error{errDown, errDown}, false},
		{"counts anew after an answer", []error{errDown, errDown, nil, errDown, errDown}, false},
		{"takes a refusal for an answer", []error{errAnswer, errAnswer, errAnswer, errAnswer}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBreaker("asia", trip)
			for _, err := range c.calls {
				if got := try(t.Context(), b, err); !errors.Is(got, err) {
					t.Fatalf("the call's error became %v", got)
				}
			}
			if b.Open() != c.open {
				t.Errorf("open: %v, want %v", b.Open(), c.open)
			}
			if got := try(t.Context(), b, nil); errors.Is(got, ErrOpen) != c.open {
				t.Errorf("the next call: %v", got)
			}
		})
	}
}

func TestAnOpenCircuitIsTriedAgainAfterAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []bool
		b := NewBreaker("asia", Trip{Failures: 1, Pause: 2 * time.Second, Down: isDown, Changed: func(_ string, open bool) { told = append(told, open) }})
		_ = try(t.Context(), b, errDown)
		time.Sleep(time.Second)
		if got := try(t.Context(), b, nil); !errors.Is(got, ErrOpen) {
			t.Fatalf("in the pause: %v", got)
		}
		time.Sleep(time.Second + time.Millisecond)
		if got := try(t.Context(), b, errDown); !errors.Is(got, errDown) {
			t.Fatalf("after the pause: %v", got)
		}
		if got := try(t.Context(), b, nil); !errors.Is(got, ErrOpen) {
			t.Fatalf("after a trial that failed: %v", got)
		}
		time.Sleep(2*time.Second + time.Millisecond)
		for range 2 {
			if got := try(t.Context(), b, nil); got != nil {
				t.Fatalf("after the second pause: %v", got)
			}
		}
		if want := []bool{true, true, false}; len(told) != len(want) || told[2] {
			t.Errorf("told %v, want %v", told, want)
		}
	})
}

func TestACallerWhoLeavesSaysNothingOfTheUpstream(t *testing.T) {
	b := NewBreaker("asia", Trip{Failures: 1, Pause: time.Hour, Down: func(error) bool { return true }})
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := try(left, b, errDown); !errors.Is(err, errDown) {
		t.Fatal(err)
	}
	if b.Open() {
		t.Error("the circuit opened")
	}
}

func TestCircuitsAreApart(t *testing.T) {
	all := NewBreakers(Trip{Failures: 1, Pause: time.Hour, Down: isDown})
	_ = try(t.Context(), all.Of("asia"), errDown)
	if !all.Of("asia").Open() || all.Of("europe").Open() {
		t.Error("one circuit is not its own")
	}
	all.Forget("asia")
	if all.Of("asia").Open() {
		t.Error("a circuit that was forgotten is remembered")
	}
}

func patience(burst int) *RetryPolicy {
	return NewRetryPolicy(RetryOptions{Attempts: 3, First: 50 * time.Millisecond, Max: 200 * time.Millisecond, Burst: burst, Every: time.Second, Transient: isDown})
}

func TestARead(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []error
		burst   int
		calls   int
		want    error
	}{
		{"that succeeds is made once", []error{nil}, 9, 1, nil},
		{"is made again after a transient error", []error{errDown, nil}, 9, 2, nil},
		{"is made three times at most", []error{errDown, errDown, errDown, nil}, 9, 3, errDown},
		{"is not made again after an answer", []error{errAnswer, nil}, 9, 1, errAnswer},
		{"ends when the circuit opens meanwhile", []error{errDown, ErrOpen, nil}, 9, 2, ErrOpen},
		{"is not made again without budget", []error{errDown, errDown, nil}, 1, 2, errDown},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls, start := 0, time.Now()
				_, err := Retry(t.Context(), patience(c.burst), func(context.Context) (int, error) {
					calls++
					return 0, c.answers[calls-1]
				})
				if !errors.Is(err, c.want) || calls != c.calls {
					t.Errorf("%d calls, %v; want %d, %v", calls, err, c.calls, c.want)
				}
				if took := time.Since(start); calls > 1 && (took < 25*time.Millisecond || took > 225*time.Millisecond) {
					t.Errorf("paused %s", took)
				}
			})
		})
	}
}

func TestAReadIsNotMadeAgainAfterItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		calls := 0
		_, err := Retry(ctx, patience(9), func(context.Context) (int, error) {
			calls++
			return 0, errDown
		})
		if !errors.Is(err, errDown) || calls != 1 {
			t.Errorf("%d calls, %v", calls, err)
		}
	})
}

func TestTheBudgetIsSharedAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := patience(2)
		count := func() int {
			calls := 0
			_, _ = Retry(t.Context(), p, func(context.Context) (int, error) { calls++; return 0, errDown })
			return calls
		}
		if first, second := count(), count(); first != 3 || second != 1 {
			t.Errorf("%d and %d calls, want 3 and 1", first, second)
		}
		time.Sleep(2 * time.Second)
		if again := count(); again != 3 {
			t.Errorf("%d calls once the budget is back, want 3", again)
		}
	})
}

func TestManyWhoAskForTheSameAreAnsweredByOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Flight[int]
		var mu sync.Mutex
		calls := map[string]int{}
		ask := func(ctx context.Context, key string) (int, error) {
			return f.Do(ctx, key, time.Minute, func(ctx context.Context) (int, error) {
				mu.Lock()
				calls[key]++
				mu.Unlock()
				select {
				case <-time.After(time.Second):
					return 7, nil
				case <-ctx.Done():
					return 0, ctx.Err()
				}
			})
		}
		// The first one leaves while the call is made: the others have their answer all the same.
		first, leave := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer leave()
		go func() {
			if _, err := ask(first, "alice"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who left was told %v", err)
			}
		}()
		synctest.Wait()
		for _, key := range []string{"alice", "alice", "bob"} {
			go func() {
				if n, err := ask(t.Context(), key); n != 7 || err != nil {
					t.Errorf("%s was told %d, %v", key, n, err)
				}
			}()
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if calls["alice"] != 1 || calls["bob"] != 1 {
			t.Errorf("calls: %v", calls)
		}
	})
}

func TestWhoHasLeftMakesNoCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Flight[int]
		left, leave := context.WithCancel(t.Context())
		leave()
		for range 20 { // of an answer and an end that are both there, either may be taken
			_, err := f.Do(left, "key", time.Minute, func(context.Context) (int, error) {
				t.Error("a call is made")
				return 7, nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("told %v", err)
			}
			synctest.Wait()
		}
	})
}

func TestAPanicInFlightIsTheErrorOfAllWhoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Flight[int]
		calls := 0
		errs := make([]error, 3)
		for i := range errs {
			go func() {
				_, errs[i] = f.Do(t.Context(), "key", time.Minute, func(context.Context) (int, error) {
					calls++
					time.Sleep(time.Second)
					panic("too bad") //nolint:forbidigo // what is tested
				})
			}()
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for i, err := range errs {
			if !errors.As(err, new(*panics.Error)) {
				t.Errorf("caller %d was told %v", i, err)
			}
		}
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
		if n, err := f.Do(t.Context(), "key", time.Minute, func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
			t.Errorf("the next one was told %d, %v", n, err)
		}
	})
}

func TestAPanicSaysNothingOfTheUpstream(t *testing.T) {
	b := NewBreaker("asia", Trip{Failures: 1, Pause: time.Hour, Down: func(error) bool { return true }})
	_, err := Through(t.Context(), b, func(context.Context) (int, error) { panic("too bad") }) //nolint:forbidigo // what is tested
	if !errors.As(err, new(*panics.Error)) || b.Open() {
		t.Errorf("told %v; open: %t", err, b.Open())
	}
}

func TestACallInFlightEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f Flight[int]
		_, err := f.Do(t.Context(), "key", time.Second, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
