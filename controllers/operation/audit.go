package operation

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// auditTimeout is how long the audit log may take to store how an operation ended, and auditPause how long it is left alone after it did not: all
	// operations share the workers that wait for it.
	auditTimeout = 2 * time.Second
	auditPause   = 5 * time.Second
	// auditPatience is how long an operation that has ended is held at least for the audit log.
	auditPatience = time.Hour
)

// record records in the audit log how an operation ended, once: its finalizer is held until the log has it, and a successor that finds it there records
// it again under the same id. It reports when to try again; 0 when it is recorded.
func (c *Controller) record(ctx context.Context, o *v1alpha1.Operation) time.Duration {
	if c.options.Audit == nil || o.Status.FinishedAt == nil || !controllerutil.ContainsFinalizer(o, Finalizer) {
		return 0
	}
	c.mu.Lock()
	pause := c.auditAfter.Sub(c.Clock.Now())
	c.mu.Unlock()
	if pause > 0 {
		return pause
	}
	ctx, cancel := context.WithTimeout(ctx, auditTimeout)
	defer cancel()
	var err error
	events := endings(o)
	for _, e := range events {
		err = cmp.Or(err, c.options.Audit.Keep(ctx, e))
	}
	if err == nil {
		return 0
	}
	if c.Clock.Since(o.Status.FinishedAt.Time) > max(auditPatience, c.options.Keep) {
		for _, e := range events {
			c.options.Audit.Record(ctx, e) // in the log, at least
		}
		return 0
	}
	c.Logger.Warn("the end of an operation is not in the audit log yet, and is held until it is", "operation", o.Name, "error", err)
	c.mu.Lock()
	c.auditAfter = c.Clock.Now().Add(auditPause)
	c.mu.Unlock()
	return auditPause
}

// outcomes are the outcomes of operations by their states.
var outcomes = map[v1alpha1.OperationState]audit.Outcome{
	v1alpha1.OperationSucceeded: audit.Succeeded, v1alpha1.OperationFailed: audit.Failed, v1alpha1.OperationCancelled: audit.Cancelled,
}

// endings are the end of an operation as audit events: of what it was done to, and of each other object that it promoted.
func endings(o *v1alpha1.Operation) []audit.Event {
	end := ending(o)
	out := []audit.Event{end}
	if end.Outcome != audit.Succeeded || o.Spec.Kind != v1alpha1.OperationPromoteResource {
		return out
	}
	for _, m := range o.Status.Made {
		also := end
		if also.Object = refOf(m); m.Where != v1alpha1.MadeInInstance {
			continue
		}
		also.Object.Instance = o.Spec.Instance
		if also.Object == end.Object {
			continue
		}
		also.Message = fmt.Sprintf("made by operation %s", o.Name)
		also.ID = uuid.NewSHA1(uuid.Nil, []byte("the end of operation "+string(o.UID)+" "+also.Object.ID())).String()
		out = append(out, also)
	}
	return out
}

// ending is the end of an operation as an audit event. Its id is made of the operation's UID, so that it is stored once.
func ending(o *v1alpha1.Operation) audit.Event {
	message := fmt.Sprintf("operation %s: %s", o.Name, o.Status.Message)
	if o.Status.Message == "" {
		message = fmt.Sprintf("operation %s has %s", o.Name, strings.ToLower(string(o.Status.State)))
	}
	return audit.Event{
		ID: uuid.NewSHA1(uuid.Nil, []byte("the end of operation "+o.UID)).String(), At: o.Status.FinishedAt.Time,
		Principal: o.Spec.Actor.Name, Groups: o.Spec.Actor.Groups, RequestID: o.Spec.RequestID,
		Via: audit.ViaOperation, Action: mutationOf(o.Spec.Kind), Object: subject(o),
		Outcome: outcomes[o.Status.State], Message: message, Duration: o.Status.FinishedAt.Sub(o.CreationTimestamp.Time),
	}
}

// mutationOf is the mutation that asks for a kind of operation: joinCluster for JoinCluster.
func mutationOf(kind v1alpha1.OperationKind) string {
	return strings.ToLower(string(kind[:1])) + string(kind[1:])
}

// subject is what an operation is done to, as the audit log has it of the mutation that asked for it.
func subject(o *v1alpha1.Operation) model.Ref {
	ref := model.Ref{Instance: o.Spec.Instance}
	switch of := o.Spec.Object; {
	case of != nil:
		ref.GVK, ref.Namespace, ref.Name = schema.FromAPIVersionAndKind(of.APIVersion, of.Kind), of.Namespace, of.Name
	case o.Spec.Cluster != "":
		ref.GVK, ref.Name = clusterKind, o.Spec.Cluster
	}
	return ref
}
