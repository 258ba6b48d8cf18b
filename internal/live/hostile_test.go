package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
)

// collected is a receiver that counts.
type collected struct{ replaced, upserted, spoke int }

func (c *collected) replace([]json.RawMessage) { c.replaced++ }
func (c *collected) upsert(json.RawMessage)    { c.upserted++ }
func (c *collected) remove(json.RawMessage)    {}
func (c *collected) connected(bool, error)     {}
func (c *collected) heard()                    { c.spoke++ }

// watchOf follows pods of a server that answers as it likes, with so many bytes at most.
func watchOf(t *testing.T, most int, answer http.HandlerFunc) (*watch, *collected, *connection) {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	to := &collected{}
	return &watch{resource: model.KindDeployment.GVR(), to: to, log: slog.New(slog.DiscardHandler), restarts: func() {}, most: most},
		to, &connection{config: &rest.Config{Host: s.URL}, done: make(chan struct{})}
}

func TestAListEnds(t *testing.T) {
	for _, c := range []struct {
		name, page string
		most       int
		asked      int32
	}{
		{"of which the server says each time that there is more", `{"metadata":{"continue":"more"},"items":[]}`, maxList, link.MaxPages},
		{"of more than is read", `{"metadata":{"continue":"more"},"items":[{"metadata":{"name":"` + strings.Repeat("a", 1000) + `"}}]}`, 10_000, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			w, to, conn := watchOf(t, c.most, func(w http.ResponseWriter, _ *http.Request) {
				asked.Add(1)
				fmt.Fprint(w, c.page)
			})
			version := ""
			err := w.follow(t.Context(), conn, &version)
			if !errors.Is(err, link.ErrTooLarge) || asked.Load() != c.asked || to.replaced != 0 {
				t.Errorf("%v after %d pages", err, asked.Load())
			}
		})
	}
}

func TestWhatIsToldOfNewObjectsWithoutEndIsListedAgain(t *testing.T) {
	w, to, conn := watchOf(t, 100_000, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("watch") == "" {
			fmt.Fprint(w, `{"metadata":{"resourceVersion":"1"},"items":[]}`)
			return
		}
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(w, `{"type":"ADDED","object":{"metadata":{"name":"%01000d","resourceVersion":"2"}}}`, i); err != nil {
				return
			}
		}
	})
	version := ""
	if err := w.follow(t.Context(), conn, &version); !errors.Is(err, errExpired) || to.upserted > 100 {
		t.Errorf("%v after %d new objects", err, to.upserted)
	}
}

func TestAKarmadaThatHangsIsNotWaitedForByThoseWhoSubscribe(t *testing.T) {
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(func() {
		hangs.CloseClientConnections()
		hangs.Close()
	})
	const silence = 100 * time.Millisecond
	f := newFixture(t, nil, func(c *Config) { c.Silence = silence })
	f.fleet.current = &connection{config: &rest.Config{Host: hangs.URL}, done: make(chan struct{})}
	began := time.Now()
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeUnavailable)
	if took := time.Since(began); took > patience/2 {
		t.Errorf("it was waited for %s", took)
	}
}

func TestAKarmadaThatTakesItsTimeIsWaitedFor(t *testing.T) {
	// Each page comes within what is waited for, all of them do not.
	const silence = 2 * time.Second
	var pages atomic.Int32
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Query().Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case strings.HasSuffix(r.URL.Path, "/clusters") && pages.Add(1) < 4:
			select {
			case <-time.After(silence / 2):
			case <-r.Context().Done():
			}
			fmt.Fprint(w, `{"metadata":{"resourceVersion":"1","continue":"more"},"items":[]}`)
		default:
			fmt.Fprint(w, `{"metadata":{"resourceVersion":"1"},"items":[]}`)
		}
	}))
	t.Cleanup(func() {
		slow.CloseClientConnections()
		slow.Close()
	})
	f := newFixture(t, nil, func(c *Config) { c.Silence = silence })
	f.fleet.current = &connection{config: &rest.Config{Host: slow.URL}, done: make(chan struct{})}
	if _, err := f.Clusters(t.Context(), everything, "asia"); err != nil {
		t.Error(err)
	}
}

func TestWhoSubscribesToAKarmadaThatIsBackDoesNotWaitForItsNextTry(t *testing.T) {
	hurry := make(chan struct{}, 1)
	w := &watch{hurry: hurry}
	hurry <- struct{}{}
	began := time.Now()
	if !w.sleep(t.Context(), time.Hour) {
		t.Error("it was given up")
	}
	if took := time.Since(began); took < backOffMin || took > patience {
		t.Errorf("it was tried again after %s", took)
	}
}
