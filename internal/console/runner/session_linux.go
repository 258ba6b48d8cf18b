package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"

	"github.com/kairship-io/kairship/internal/console/protocol"
)

const (
	// startWait is how long a server may take to say what to start.
	startWait = 15 * time.Second
	// waiting is how many messages of input wait for the shell to read them.
	waiting = 16
	// piece is how much of the shell's output is sent at once, in bytes; no more is held.
	piece = 16 << 10
	// flushTime is how long a client may take to read what a shell that has ended has written.
	flushTime = 2 * time.Second
	// endOfInput is what a terminal takes for the end of its input. It is typed every endEvery, since it is for one reader
	// alone, and not for one that is still to set the terminal up.
	endOfInput = 4
	endEvery   = 500 * time.Millisecond
)

// Why a session ended, if not by its shell.
var (
	errTime    = errors.New("the console ended: its time is over; open another one")
	errIdle    = errors.New("the console ended: nobody used it; open another one")
	errStalled = errors.New("the console ended: the program in it did not read what was typed")
	errDrain   = errors.New("the console ended: the console runner is shutting down; open it again")
	errHostile = errors.New("the console ended: it got a message that is none of the remote command protocol")
	errLeft    = errors.New("the server has left")
)

// reasons are Kubernetes' reasons for these.
var reasons = map[error]metav1.StatusReason{errTime: metav1.StatusReasonTimeout, errIdle: metav1.StatusReasonTimeout,
	errStalled: metav1.StatusReasonTimeout, errDrain: metav1.StatusReasonServiceUnavailable, errHostile: metav1.StatusReasonBadRequest}

// session is one shell, and the connection to the server that opened it.
type session struct {
	runner *Runner
	conn   *websocket.Conn
	log    *slog.Logger
	shell  *terminal
	// moved is when something last came or went, in nanoseconds since 1970.
	moved atomic.Int64
}

// serve runs the session to its end.
func (s *session) serve(ctx context.Context) {
	start, err := s.started(ctx)
	if err != nil {
		s.log.Warn("a session was not started", "error", err)
		return
	}
	began := time.Now()
	s.log.Info("a session began", "instance", start.Instance, "user", s.shell.user)
	cause := s.run(ctx, start)
	s.log.Info("a session ended", "instance", start.Instance, "user", s.shell.user, "took", time.Since(began), "why", cause)
}

// started reads what to start, starts it, and says so.
func (s *session) started(ctx context.Context) (start protocol.Start, err error) {
	reading, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	kind, raw, err := s.conn.Read(reading)
	if err == nil && (kind != websocket.MessageText || json.Unmarshal(raw, &start) != nil || start.Kubeconfig == "") {
		err = errors.New("the first message is none that starts a session")
	}
	if err != nil {
		return start, err
	}
	var answer protocol.Started
	if s.shell, err = s.runner.startTerminal(start.Kubeconfig); err != nil {
		answer.Failure = err.Error()
	}
	said, sayErr := json.Marshal(answer)
	if sayErr == nil {
		sayErr = s.conn.Write(reading, websocket.MessageText, said)
	}
	if err == nil && sayErr != nil {
		err = errors.Join(sayErr, s.shell.end())
	}
	return start, err
}

// run carries the terminal until the shell has ended or is to end, and ends it.
func (s *session) run(ctx context.Context, start protocol.Start) error {
	limits := s.runner.limits
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(s.runner.drain, func() { end(errDrain) })()
	// The end of a context that is passed to it closes the connection, which is to carry the last words.
	speaking, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()

	left := min(time.Until(start.Expires), limits.Time)
	over := time.AfterFunc(left, func() { end(errTime) })
	defer over.Stop()
	s.greet(speaking, start, left)
	if left > limits.Warning {
		warning := time.AfterFunc(left-limits.Warning, func() { s.tell(speaking, "the console ends in "+limits.Warning.String()) })
		defer warning.Stop()
	}
	s.moved.Store(time.Now().UnixNano())
	go s.watchIdle(ctx, limits.Idle, end) // ends with ctx
	input := make(chan []byte, waiting)
	go s.read(ctx, input, end) // ends with the connection
	go s.feed(ctx, input)      // ends with ctx, or with the terminal
	written := make(chan struct{})
	go s.write(speaking, written) // ends with the terminal, or with speaking

	var cause error
	select {
	case <-s.shell.exited:
	case <-ctx.Done():
		cause = context.Cause(ctx)
	}
	if err := s.shell.kill(); err != nil {
		s.log.Error("a session's processes go on", "user", s.shell.user, "error", err)
	}
	<-s.shell.exited
	// With its processes the terminal has ended, so that what it still holds can be read to its end.
	bounded := time.AfterFunc(flushTime, hangUp)
	<-written
	s.sayFarewell(speaking, cause)
	bounded.Stop()
	hangUp()
	if err := s.shell.end(); err != nil {
		s.log.Error("a session is not all removed", "user", s.shell.user, "error", err)
	}
	return cause
}

// greet says on the terminal what it is.
func (s *session) greet(ctx context.Context, start protocol.Start, left time.Duration) {
	s.tell(ctx, fmt.Sprintf("kubectl and karmadactl act on the instance %q as you, with your rights; `kubectl config get-contexts` lists its members. It ends in %s.",
		start.Instance, left.Round(time.Second)))
}

// tell says something on the terminal, beside what the shell says.
func (s *session) tell(ctx context.Context, text string) {
	_ = s.conn.Write(ctx, websocket.MessageBinary, protocol.Frame(remotecommand.StreamStdOut, []byte("\r\n["+text+"]\r\n")))
}

// sayFarewell says how it ended, unless nobody is there.
func (s *session) sayFarewell(ctx context.Context, cause error) {
	last := protocol.Exited(s.shell.code())
	if cause != nil {
		last = protocol.Ended(reasons[cause], cause.Error())
	}
	if s.conn.Write(ctx, websocket.MessageBinary, last) == nil {
		_ = s.conn.Close(websocket.StatusNormalClosure, "")
	}
}

// watchIdle ends a session in which nothing has come or gone for long.
func (s *session) watchIdle(ctx context.Context, most time.Duration, end context.CancelCauseFunc) {
	for {
		quiet := time.Since(time.Unix(0, s.moved.Load()))
		if quiet >= most {
			end(errIdle)
			return
		}
		timer := time.NewTimer(most - quiet)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// read reads what the client sends. It goes on reading while the shell does not, so that it is seen when the client
// leaves.
func (s *session) read(ctx context.Context, input chan<- []byte, end context.CancelCauseFunc) {
	for {
		kind, message, err := s.conn.Read(context.WithoutCancel(ctx)) // ends with the connection
		switch {
		case err != nil:
			end(errLeft)
			return
		case kind != websocket.MessageBinary || len(message) == 0:
			end(errHostile)
			continue
		}
		s.moved.Store(time.Now().UnixNano())
		data := message[1:]
		switch {
		case message[0] == remotecommand.StreamResize && s.resize(data):
			continue
		case message[0] == remotecommand.StreamStdIn, message[0] == remotecommand.StreamClose && bytes.Equal(data, []byte{remotecommand.StreamStdIn}):
		default: // the client has no other channel
			end(errHostile)
			continue
		}
		stalled := time.NewTimer(s.runner.limits.Stall)
		select {
		case input <- message:
		case <-stalled.C:
			end(errStalled)
		case <-ctx.Done():
		}
		stalled.Stop()
	}
}

// resize makes the terminal as large as the client's window; false when the message is none.
func (s *session) resize(message []byte) bool {
	var size struct{ Width, Height uint16 }
	if json.Unmarshal(message, &size) != nil {
		return false
	}
	if size.Width > 0 && size.Height > 0 {
		_ = s.shell.resize(size.Width, size.Height) // of a terminal that may have ended
	}
	return true
}

// feed types what has been read.
func (s *session) feed(ctx context.Context, input <-chan []byte) {
	end := time.NewTicker(endEvery)
	defer end.Stop()
	var ended <-chan time.Time // nil until the input has ended
	for {
		var typed []byte
		select {
		case message := <-input:
			if message[0] == remotecommand.StreamClose {
				ended = end.C
				continue
			}
			typed = message[1:]
		case <-ended:
			typed = []byte{endOfInput}
		case <-ctx.Done():
			return
		}
		if _, err := s.shell.pty.Write(typed); err != nil {
			return
		}
	}
}

// write sends what the shell writes, and reads no more of it until that has been taken.
func (s *session) write(ctx context.Context, written chan<- struct{}) {
	defer close(written)
	message := make([]byte, 1+piece)
	message[0] = remotecommand.StreamStdOut
	for {
		n, err := s.shell.pty.Read(message[1:])
		if n > 0 {
			if s.conn.Write(ctx, websocket.MessageBinary, message[:1+n]) != nil {
				return
			}
			s.moved.Store(time.Now().UnixNano())
		}
		if err != nil {
			return // the terminal has ended
		}
	}
}
