package pedia

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Gate says whether the store applies SQL conditions, as last probed.
type Gate string

// The states of the gate.
const (
	GateOpen    Gate = "open"
	GateClosed  Gate = "closed"
	GateUnknown Gate = "unknown"
)

// Fact is yes, no, or not yet known.
type Fact string

// The facts.
const (
	Yes     Fact = "yes"
	No      Fact = "no"
	Unknown Fact = "unknown"
)

// Features is what the store can do, as last probed.
type Features struct {
	Gate Gate
	// ByBytes says whether the database orders text by bytes. In other databases every statement states the order.
	ByBytes Fact
	// Missing are the indexes of the pack that are missing; nil when Pack is Unknown.
	Missing []indexes.Name
	// Pack says whether all indexes of the pack are there.
	Pack Fact
	// CheckedAt is when the store was probed; zero when it never was.
	CheckedAt time.Time
	// Why says why the gate is closed, where it is for another reason than Clusterpedia's own gate, or why it is unknown.
	Why error
}

// closed is the error of reads while the gate is closed.
func (f Features) closed() error {
	if f.Why == nil {
		return errGate
	}
	return &model.Error{Code: model.CodeUnavailable, Err: f.Why, Message: "the read store's database cannot be read: see Kairship's log"}
}

// unprobed is the features of a store that was never probed.
var unprobed = Features{Gate: GateUnknown, ByBytes: Unknown, Pack: Unknown}

// dialect uses only what any database accepts where little is known of the store.
func (f Features) dialect() sql.Dialect {
	return sql.Dialect{ByBytes: f.ByBytes == Yes, Pack: f.Pack == Yes}
}

const (
	// probeInterval is the time between probes once the gate is known: the store changes only when it is restarted or
	// gets indexes.
	probeInterval = time.Minute
	// probeSoon is how long a probe without a result counts: the store may have been starting.
	probeSoon = 2 * time.Second
)

// traits returns the features of the source, and probes it when they are not known.
func (s *source) traits(ctx context.Context) Features {
	if f := s.features.Load(); f != nil && (f.Gate != GateUnknown || time.Since(f.CheckedAt) < probeSoon) {
		return *f
	}
	return s.refresh(ctx)
}

// refresh probes, once for all concurrent callers. The known features are kept when the source does not answer.
func (s *source) refresh(ctx context.Context) Features {
	f, err := upstream.Await(ctx, s.executor.Name(), s.executor.Timeout(), func(ctx context.Context, _ func()) (Features, error) {
		return s.probing.Do(ctx, "", s.executor.Timeout(), func(ctx context.Context) (Features, error) {
			f, err := s.probe(upstream.NewOperation(ctx)) // the probe serves all callers, not only the first that waits
			if err != nil {
				f.Why = err
			}
			if old := s.features.Load(); err == nil || old == nil || old.Gate == GateUnknown {
				s.features.Store(&f)
			}
			return f, err
		})
	})
	if err != nil {
		return s.known()
	}
	return f
}

// probed is a resource of which every synced cluster has rows.
var probed = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// The conditions of the probe: true for every row, and for none.
const (
	always = "name = name"
	never  = "name <> name"
)

// probe finds out what the store can do. Each question requests one row, which is returned when the answer is yes.
func (s *source) probe(ctx context.Context) (Features, error) {
	f := unprobed
	f.CheckedAt = time.Now()
	if err := s.executor.Check(ctx); errors.Is(err, ErrUnsuitable) {
		f.Gate, f.Why = GateClosed, err
		return f, nil
	} else if err != nil {
		return f, err
	}
	some, err := s.executor.Holds(ctx, always)
	if err != nil || !some {
		return f, err
	}
	some, err = s.executor.Holds(ctx, never)
	if err != nil {
		return f, err
	}
	if some {
		f.Gate = GateClosed
		return f, nil
	}
	byBytes, err := s.executor.Holds(ctx, indexes.ByBytes)
	if err != nil {
		// Statements are not written for a database that cannot evaluate this.
		f.Gate = GateClosed
		return f, notAnswered(err)
	}
	f.Gate, f.ByBytes = GateOpen, factOf(byBytes)
	return s.probePack(ctx, f)
}

// notAnswered is the error when the store did not answer, nil when it answered with an error.
func notAnswered(err error) error {
	var status *statusError
	if errors.As(err, &status) {
		return nil
	}
	return err
}

// probePack looks for all indexes at once, and when some are missing for each of them.
func (s *source) probePack(ctx context.Context, f Features) (Features, error) {
	names := []any{}
	all := "true"
	for _, index := range indexes.Pack() {
		if index.OtherOrderOnly && f.ByBytes == Yes {
			continue
		}
		all += " AND " + indexes.Present
		names = append(names, string(index.Name))
	}
	complete, err := s.executor.Holds(ctx, all, names...)
	if err != nil {
		return f, notAnswered(err)
	}
	f.Pack = factOf(complete)
	for i := 0; i < len(names) && !complete; i++ {
		present, err := s.executor.Holds(ctx, indexes.Present, names[i])
		if err != nil {
			f.Pack, f.Missing = Unknown, nil
			return f, notAnswered(err)
		}
		if !present {
			f.Missing = append(f.Missing, indexes.Name(names[i].(string)))
		}
	}
	return f, nil
}

func factOf(b bool) Fact {
	if b {
		return Yes
	}
	return No
}
