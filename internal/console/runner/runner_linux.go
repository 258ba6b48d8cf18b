package runner

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"

	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
)

// Runner runs the shells of consoles.
type Runner struct {
	cfg    Config
	limits Limits
	users  pool
	lock   *os.File

	// drain ends every session; sessions counts them.
	drain    context.Context
	close    context.CancelFunc
	sessions sync.WaitGroup

	mu        sync.Mutex
	open      int
	perPerson map[string]int
	draining  bool

	// starting is held while a process is started, so that it is known before it can have ended; children are those
	// that somebody waits for.
	starting sync.Mutex
	children map[int]bool
}

// New makes a Runner, and removes what an earlier one that was killed has left: processes and folders of sessions.
func New(cfg Config) (*Runner, error) {
	if err := cfg.check(os.Geteuid()); err != nil {
		return nil, err
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	r := &Runner{cfg: cfg, limits: cfg.Limits.withDefaults(), users: pool{users: cfg.Users, lent: map[int]bool{}}, perPerson: map[string]int{}, children: map[int]bool{}}
	if cfg.Users.Count == 0 {
		r.limits.Sessions = 1
	}
	r.drain, r.close = context.WithCancel(context.Background())
	// Sessions leave their orphans to this process, and cannot look into it.
	if err := errors.Join(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)); err != nil {
		return nil, fmt.Errorf("keeping sessions apart from this process: %w", err)
	}
	if err := r.sweep(); err != nil {
		return nil, err
	}
	return r, nil
}

// sweep takes the folder, and removes what is left in it.
func (r *Runner) sweep() error {
	if err := os.MkdirAll(r.cfg.Dir, 0o711); err != nil { //nolint:gosec // each session's own folder in it is nobody else's
		return fmt.Errorf("making the folder of sessions: %w", err)
	}
	about, err := os.Stat(r.cfg.Dir)
	if err != nil {
		return fmt.Errorf("looking at the folder of sessions: %w", err)
	}
	if owner, ok := about.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Geteuid() || about.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("the folder of sessions, %s, is another user's, or others may write in it", r.cfg.Dir)
	}
	if r.lock, err = os.OpenFile(filepath.Join(r.cfg.Dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return fmt.Errorf("taking the folder of sessions: %w", err)
	}
	if err := syscall.Flock(int(r.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("another console runner uses the folder %s: %w", r.cfg.Dir, err)
	}
	if r.cfg.Users.Count > 0 {
		err := gone(func() ([]process, error) {
			all, err := processes()
			return ofUsers(all, r.cfg.Users), err
		}, killEach)
		if err != nil {
			return fmt.Errorf("ending what an earlier runner left: %w", err)
		}
	}
	left, err := filepath.Glob(filepath.Join(r.cfg.Dir, homePrefix+"*"))
	for _, home := range left {
		err = errors.Join(err, os.RemoveAll(home))
	}
	return err
}

// start starts a process that somebody waits for.
func (r *Runner) start(cmd *exec.Cmd) error {
	r.starting.Lock()
	defer r.starting.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	r.children[cmd.Process.Pid] = true
	return nil
}

func (r *Runner) wait(cmd *exec.Cmd) {
	_ = cmd.Wait() // how it ended is in the command
	r.starting.Lock()
	defer r.starting.Unlock()
	delete(r.children, cmd.Process.Pid)
}

// reap looks at the orphans that sessions have left and that have ended.
func (r *Runner) reap() {
	r.starting.Lock()
	defer r.starting.Unlock()
	all, err := processes()
	if err != nil {
		return // they wait for the next time
	}
	reap(all, func(pid int) bool { return r.children[pid] })
}

// Drain ends every session, refuses new ones, and waits until they have ended, or ctx has.
func (r *Runner) Drain(ctx context.Context) {
	r.mu.Lock()
	r.draining = true
	r.mu.Unlock()
	r.close()
	done := make(chan struct{})
	go func() {
		r.sessions.Wait()
		close(done)
	}()
	select {
	case <-done:
		_ = r.lock.Close()
	case <-ctx.Done():
	}
}

// ServeHTTP opens a session.
func (r *Runner) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.URL.Path != protocol.SessionsPath || q.Method != http.MethodGet {
		refuse(w, http.StatusNotFound, model.CodeNotFound, "there is nothing here but "+protocol.SessionsPath)
		return
	}
	known, err := r.knows(q.Header.Get("Authorization"))
	switch {
	case err != nil:
		r.cfg.Logger.Error("the token cannot be read", "error", err)
		refuse(w, http.StatusServiceUnavailable, model.CodeUnavailable, "the token cannot be read")
		return
	case !known:
		refuse(w, http.StatusUnauthorized, model.CodeUnauthenticated, "the token is not that of this runner")
		return
	}
	person := q.URL.Query().Get(protocol.PrincipalParameter)
	if person == "" {
		refuse(w, http.StatusBadRequest, model.CodeBadUserInput, "it is not said whose session it is")
		return
	}
	leave, refusal := r.enter(person)
	if refusal != nil {
		refuse(w, http.StatusTooManyRequests, refusal.Code, refusal.Message)
		return
	}
	defer leave()
	// A page cannot know the token; all the same none is let in.
	conn, err := websocket.Accept(w, q, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		r.cfg.Logger.Warn("a session was not opened", "principal", person, "error", err)
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(protocol.MaxMessage)
	s := &session{runner: r, conn: conn, log: r.cfg.Logger.With("principal", person)}
	s.serve(q.Context())
}

// knows reports whether a header holds the token.
func (r *Runner) knows(header string) (bool, error) {
	token, err := r.cfg.Token()
	if err == nil && len(token) < minToken {
		err = fmt.Errorf("it has %d bytes; it needs %d", len(token), minToken)
	}
	if err != nil {
		return false, err
	}
	sent, ok := strings.CutPrefix(header, "Bearer ")
	want, got := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(sent))
	return ok && subtle.ConstantTimeCompare(want[:], got[:]) == 1, nil
}

// enter counts one more session of a person, until leave is called.
func (r *Runner) enter(person string) (leave func(), refusal *protocol.Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	limit := func(format string, args ...any) *protocol.Refusal {
		return &protocol.Refusal{Code: string(model.CodeLimitExceeded), Message: fmt.Sprintf(format, args...)}
	}
	switch most := r.limits.SessionsPerPerson; {
	case r.draining:
		return nil, &protocol.Refusal{Code: string(model.CodeUnavailable), Message: "the console runner is shutting down"}
	case r.perPerson[person] >= most:
		return nil, limit("you have %d consoles open; close one of them (limit sessionsPerPerson)", most)
	case r.open > 0 && r.cfg.Users.Count == 0:
		return nil, limit("another console is open: the console runner does not run as root and cannot keep sessions apart, so it has one at a time; try again when that has ended (limit sessions)")
	case r.open >= r.limits.Sessions:
		return nil, limit("%d consoles are open; no more are allowed, try again later (limit sessions)", r.limits.Sessions)
	}
	r.open++
	r.perPerson[person]++
	r.sessions.Add(1)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open--
		if r.perPerson[person]--; r.perPerson[person] == 0 {
			delete(r.perPerson, person)
		}
		r.sessions.Done()
	}, nil
}

func refuse[C ~string](w http.ResponseWriter, status int, code C, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(protocol.Refusal{Code: string(code), Message: message}); err != nil {
		return // the server has left
	}
}
