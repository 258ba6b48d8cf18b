package console

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// pingEvery keeps servers in front of this one from closing a console that is silent.
	pingEvery = 25 * time.Second
	// lastWords is how long a client may take to read why its console ended.
	lastWords = 2 * time.Second
)

// ErrDraining ends consoles when the server shuts down.
var ErrDraining = &model.Error{Code: model.CodeUnavailable, Retryable: true, Message: "this server is shutting down; open the console again"}

// ending is how a console ended.
type ending struct {
	how    string
	result audit.Result
	// last is the last message for the client; nil when it has had it, or has left.
	last []byte
}

var (
	endedByClient = ending{how: endClient, result: audit.Result{Outcome: audit.Succeeded, Message: "the client left"}}
	endedByRunner = ending{how: endRunner, result: audit.Result{Outcome: audit.Failed, Code: string(model.CodeUnavailable), Message: "the console runner has gone"},
		last: protocol.Ended(metav1.StatusReasonServiceUnavailable, "the console runner has gone; open the console again")}
)

// Serve carries the terminal between the client and the shell until one of them ends, or ctx does: the client is told
// its cause, a *model.Error. Then the shell is ended, and the credential is void. At most two messages are held. It
// returns how it ended, for the log.
func (s *Session) Serve(ctx context.Context, client *websocket.Conn) string {
	client.SetReadLimit(protocol.MaxMessage)
	// The end of a context that is passed to it closes a connection, which is to hear the last words.
	carrying, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := make(chan ending, 2)
	var input, output sync.WaitGroup
	input.Go(func() {
		if end, ok := carryInput(carrying, client, s.runner); ok {
			ended <- end
		}
	})
	output.Go(func() { ended <- carryOutput(carrying, s.runner, client) })
	input.Go(func() { ping(carrying, client) })
	var end ending
	select {
	case end = <-ended:
	case <-ctx.Done():
		end = endedBy(context.Cause(ctx))
	}
	s.discard()
	bounded := time.AfterFunc(lastWords, stop) // a client that does not read
	output.Wait()
	if end.last != nil {
		_ = client.Write(carrying, websocket.MessageBinary, end.last)
	}
	bounded.Stop()
	s.finish(end)
	leave(client, stop)
	input.Wait()
	return end.result.Message
}

// End ends a session whose client never came.
func (s *Session) End() {
	s.discard()
	s.finish(endedByClient)
}

func (s *Session) finish(end ending) {
	s.of.metrics.open.Dec()
	s.of.metrics.ended.WithLabelValues(end.how).Inc()
	s.audit(end.result)
}

// leave closes the client's connection, and waits for its answer no longer than for its reading.
func leave(client *websocket.Conn, stop func()) {
	bounded := time.AfterFunc(lastWords, stop)
	defer bounded.Stop()
	_ = client.Close(websocket.StatusNormalClosure, "")
	stop()
}

func endedBy(cause error) ending {
	known := (*model.Error)(nil)
	switch {
	case !errors.As(cause, &known):
		return endedByClient
	case errors.Is(cause, ErrDraining):
		return ending{how: endServer, result: audit.ResultOf(known), last: protocol.Ended(metav1.StatusReasonServiceUnavailable, known.Message)}
	}
	result := audit.ResultOf(known)
	result.Outcome = audit.Refused // from now on it is not allowed
	return ending{how: endLost, result: result, last: protocol.Ended(metav1.StatusReasonForbidden, "the console ended: "+known.Message)}
}

// carryInput carries what the client sends to the shell. That the shell takes no more is no ending: it says how it ended.
func carryInput(ctx context.Context, client, shell *websocket.Conn) (end ending, ok bool) {
	for {
		kind, message, err := client.Read(ctx)
		switch {
		case err != nil:
			return endedByClient, true
		case kind != websocket.MessageBinary || len(message) == 0:
			return ending{how: endClient, result: audit.Result{Outcome: audit.Failed, Code: string(model.CodeBadUserInput), Message: "the client sent a message that is none of the remote command protocol"},
				last: protocol.Ended(metav1.StatusReasonBadRequest, "messages have to be binary and begin with a channel")}, true
		}
		if shell.Write(ctx, websocket.MessageBinary, message) != nil {
			return ending{}, false
		}
	}
}

// carryOutput carries what the shell says to the client.
func carryOutput(ctx context.Context, shell, client *websocket.Conn) ending {
	for {
		kind, message, err := shell.Read(ctx)
		if err != nil || kind != websocket.MessageBinary || len(message) == 0 {
			return endedByRunner
		}
		if client.Write(ctx, websocket.MessageBinary, message) != nil {
			return endedByClient
		}
		if message[0] == remotecommand.StreamErr {
			return endedItself(message[1:])
		}
	}
}

// endedItself is the ending by a status that the runner sent.
func endedItself(raw []byte) ending {
	end := ending{how: endShell, result: audit.Result{Outcome: audit.Succeeded, Message: "the shell ended"}}
	var status metav1.Status
	if json.Unmarshal(raw, &status) == nil && status.Message != "" {
		end.result.Message = status.Message
	}
	return end
}

func ping(ctx context.Context, client *websocket.Conn) {
	every := time.NewTicker(pingEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			// One that cannot be sent beside other messages is not missed: those keep the connection, too.
			_ = client.Ping(ctx)
		case <-ctx.Done():
			return
		}
	}
}
