// Package pedia is the read plane: a query becomes a statement (package sql), an executor runs it, and the answer is
// decoded into a typed list. It does not know the meaning of the rows.
//
// Statements are for PostgreSQL. A Database runs them there itself; an API has Clusterpedia pass them on, when its gate
// AllowParameterizedSQLQuery is open. With the gate closed nothing is read through it.
package pedia

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Executor runs statements. Its errors concern its upstream, and do not mention the query.
type Executor interface {
	// Name is the upstream's name, in metrics and logs.
	Name() string
	// Run runs a statement within the executor's timeout. Rows have their kinds and clusters; their order is the
	// executor's own. The caller owns the answer, except for the bytes of rows.
	Run(ctx context.Context, s *sql.Statement) (*Answer, error)
	// Holds reports whether a condition holds for some row that every synced cluster has.
	Holds(ctx context.Context, condition string, params ...any) (bool, error)
	// Check fails with ErrUnsuitable when the upstream answers and is not one to read from.
	Check(ctx context.Context) error
	// Timeout is the maximum duration of a statement.
	Timeout() time.Duration
	// Exact reports whether the rows of an answer are those that the statement selects, whatever the upstream's settings:
	// they are not compared with its conditions again, only with what the caller may see.
	Exact() bool
}

// ErrUnsuitable is the error for an upstream from which nothing can be read until somebody changes it.
var ErrUnsuitable = errors.New("it cannot be used as it is")

// Answer is the result of a statement.
type Answer struct {
	Rows []*sql.View
	// Total is the statement's total; nil where it asked for none.
	Total *int
}

// Client reads from the store: through the first of its executors, and through the other one where that does not answer.
type Client struct {
	sources []*source
	hedges  *rate.Limiter
	// own is what people wrote themselves; nil for nothing.
	own *ownwrites.Log
}

// NewClient makes a client that reads through an executor, or through one of two that read the same store.
func NewClient(first Executor, other ...Executor) *Client {
	c := &Client{sources: []*source{{executor: first}}, hedges: rate.NewLimiter(rate.Every(hedgeEvery), hedgeBurst)}
	if len(other) > 0 {
		c.sources = append(c.sources, &source{executor: other[0]})
	}
	return c
}

// Check fails when an upstream answers and is not one to read from. One that does not answer may be starting.
func (c *Client) Check(ctx context.Context) error {
	for _, s := range c.sources {
		if err := s.executor.Check(ctx); errors.Is(err, ErrUnsuitable) {
			return fmt.Errorf("%s: %w", s.executor.Name(), err)
		}
	}
	return nil
}

// Run probes the store until the context ends, and logs when it cannot be read.
func (c *Client) Run(ctx context.Context, log *slog.Logger) error {
	var all sync.WaitGroup
	for _, s := range c.sources {
		all.Go(func() { s.watch(ctx, log) })
	}
	all.Wait()
	return nil
}

// Features is what the store can do, by the last probe of the first source that can be read.
func (c *Client) Features() Features {
	for _, s := range c.sources {
		if f := s.known(); f.Gate == GateOpen {
			return f
		}
	}
	return c.sources[len(c.sources)-1].known()
}

// Gate is the state of the gate in the last probe.
func (c *Client) Gate() Gate { return c.Features().Gate }

// Direct is what the last probe found of the store's own database; nil for a client that does not read it.
func (c *Client) Direct() *Features {
	if len(c.sources) == 1 {
		return nil
	}
	f := c.sources[0].known()
	return &f
}

// Assume sets the features of the store until the next probe. It saves tests the probe.
func (c *Client) Assume(f Features) {
	for _, s := range c.sources {
		s.features.Store(&f)
	}
}

// storeError translates the error of a failed request for the person who asked.
func storeError(q *sql.Query, err error) error {
	if errors.Is(err, context.Canceled) || errors.As(err, new(*panics.Error)) {
		return err
	}
	var told *model.Error
	if errors.As(err, &told) {
		return err
	}
	e := &model.Error{Code: model.CodeUnavailable, Message: "the read store does not answer", Retryable: true, Err: err}
	if len(q.Clusters) == 1 {
		e.Instance, e.Cluster, _ = pediacluster.Parse(q.Clusters[0])
	}
	what := "these kinds"
	if len(q.GVRs) == 1 {
		what = q.GVRs[0].GroupResource().String()
	}
	var status *statusError
	switch {
	case errors.Is(err, upstream.ErrOpen):
		e.Message = "the read store has not answered lately; it is asked again in a few seconds"
	case errors.Is(err, errBusy):
		e.Message = "too much is asked of the read store at the moment"
	case errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = model.CodeTimeout, "the read store did not answer in time"
	case errors.Is(err, errTooLarge):
		e.Code, e.Retryable, e.Message = model.CodeLimitExceeded, false, fmt.Sprintf("the read store gives more than %d MiB: ask for fewer at a time", maxAnswer>>20)
	case errors.As(err, &status) && status.code == http.StatusNotFound:
		e.Code, e.Message = model.CodeNotSynced, fmt.Sprintf("the read store does not hold %s yet", what)
	case errors.As(err, &status) && status.code == http.StatusBadRequest:
		e.Code, e.Message = model.CodeNotSynced, "the read store does not know this cluster yet"
	}
	return e
}
