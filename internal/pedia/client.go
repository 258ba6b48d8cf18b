// Package pedia is the read plane: a query becomes a statement (package sql), an executor runs it, and the answer is
// decoded into a typed list. It does not know the meaning of the rows.
//
// Statements are for PostgreSQL. Clusterpedia passes them on when its gate AllowParameterizedSQLQuery is open; with the
// gate closed nothing is read.
package pedia

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Executor runs statements. Its errors concern the statement's upstream, and do not mention the query.
type Executor interface {
	// Run runs a statement within the executor's timeout. Rows have their kinds and clusters; their order is the
	// executor's own. The caller owns the answer, except for the bytes of rows.
	Run(ctx context.Context, s *sql.Statement) (*Answer, error)
	// Holds reports whether a condition holds for some row that every synced cluster has.
	Holds(ctx context.Context, condition string, params ...any) (bool, error)
	// Timeout is the maximum duration of a statement.
	Timeout() time.Duration
}

// Answer is the result of a statement.
type Answer struct {
	Rows []*sql.View
	// Total is how many rows match the statement; nil where that was not requested.
	Total *int
}

// Client reads from the store through an executor.
type Client struct {
	executor Executor

	features atomic.Pointer[Features]
	probing  upstream.Flight[Features]
}

// New makes a client that reads through Clusterpedia's API. Each request ends after timeout at the latest.
func New(cfg *rest.Config, timeout time.Duration) (*Client, error) {
	api, err := NewAPI(cfg, timeout)
	if err != nil {
		return nil, err
	}
	return NewClient(api), nil
}

// NewClient makes a client that reads through an executor.
func NewClient(e Executor) *Client { return &Client{executor: e} }

// run runs a statement. Errors are translated for the person who asked.
func (c *Client) run(ctx context.Context, s *sql.Statement) (*Answer, error) {
	answer, err := c.executor.Run(ctx, s)
	if err != nil {
		return nil, storeError(s.Query, err)
	}
	return answer, nil
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
