package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
	"github.com/kairship-io/kairship/playground/kubelet"
)

var errAsked = errors.New("asked to by a command")

// Serve answers on the socket until ctx ends or a shutdown is asked for.
func Serve(ctx context.Context, socket string, s *supervisor.Supervisor, node *kubelet.Slot, orphans []string, log *slog.Logger) error {
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the socket of an earlier supervisor: %w", err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("listening on the control socket: %w", err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return fmt.Errorf("closing the control socket to others: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	shutdown := func() { cancel(errAsked) }
	self := Fleet{Protocol: Protocol, PID: os.Getpid(), StartedAt: time.Now(), Orphans: orphans}
	srv := &http.Server{Handler: handler(s, node, self, shutdown), ReadHeaderTimeout: 5 * time.Second}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }() // ends with srv.Close below
	var broken error
	select {
	case err := <-done: // nobody could stop the processes any more
		broken = fmt.Errorf("serving the control socket: %w", err)
		cancel(broken)
	case <-ctx.Done():
	}
	log.Info("going down", "reason", context.Cause(ctx))
	// The socket stays open meanwhile, so that the client can watch.
	closing, release := context.WithTimeout(context.Background(), 2*time.Minute)
	defer release()
	node.Close()
	err = s.Close(closing)
	_ = srv.Close() // open requests get no answer
	return errors.Join(broken, err)
}

func handler(s *supervisor.Supervisor, node *kubelet.Slot, self Fleet, shutdown func()) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /fleet", func(w http.ResponseWriter, _ *http.Request) {
		f := self
		f.Processes = s.Status()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(f) // the client may be gone
	})
	mux.HandleFunc("PUT /processes/{name}", func(w http.ResponseWriter, r *http.Request) {
		var spec process.Spec
		if err := json.NewDecoder(r.Body).Decode(&spec); err != nil {
			answer(w, http.StatusBadRequest, fmt.Errorf("reading the spec: %w", err))
			return
		}
		if spec.Name != r.PathValue("name") {
			answer(w, http.StatusBadRequest, fmt.Errorf("the spec is of %q", spec.Name))
			return
		}
		answer(w, http.StatusConflict, s.Ensure(r.Context(), spec))
	})
	mux.HandleFunc("DELETE /processes/{name}", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusConflict, s.Forget(r.Context(), r.PathValue("name")))
	})
	for verb, do := range map[string]func(context.Context, []string) error{
		"stop": s.Stop, "start": s.Start, "pause": s.Pause, "resume": s.Resume,
	} {
		mux.HandleFunc("POST /"+verb, func(w http.ResponseWriter, r *http.Request) {
			var n names
			if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
				answer(w, http.StatusBadRequest, fmt.Errorf("reading the names: %w", err))
				return
			}
			answer(w, http.StatusConflict, do(r.Context(), n.Names))
		})
	}
	mux.HandleFunc("PUT /kubelet", func(w http.ResponseWriter, r *http.Request) {
		var c kubelet.Config
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			answer(w, http.StatusBadRequest, fmt.Errorf("reading the kubelet's config: %w", err))
			return
		}
		answer(w, http.StatusConflict, node.Configure(r.Context(), c))
	})
	mux.HandleFunc("POST /shutdown", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 0, nil)
		shutdown()
	})
	return mux
}

func answer(w http.ResponseWriter, code int, err error) {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(failure{err.Error()}); err != nil {
		return // the client is gone
	}
}
