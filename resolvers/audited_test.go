package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
)

// auditedEvents are an audit log in memory, the newest first.
type auditedEvents []audit.Event

// auditedWorld is what was done in every namespace of the world, and to its instances.
func auditedWorld() auditedEvents {
	var out auditedEvents
	was, is := "1", "2"
	for i, object := range []model.Ref{
		{}, {Instance: "asia"}, {Instance: "europe"},
		{Instance: "asia", GVK: kinds["Deployment"], Namespace: "shop", Name: "cart"}, {Instance: "europe", GVK: kinds["Deployment"], Namespace: "shop", Name: "cart"},
		{Instance: "asia", GVK: kinds["Deployment"], Namespace: "vault", Name: "hidden-cart"}, {Instance: "europe", Cluster: "member-00", GVK: kinds["Pod"], Namespace: "vault", Name: "hidden-cart"},
	} {
		out = append(out, audit.Event{ID: fmt.Sprintf("01920000-0000-7000-8000-%012d", 100-i), At: time.Unix(int64(100-i), 0).UTC(),
			Principal: "kairship:oidc:ann", Groups: []string{"kairship:oidc:team"}, Remote: "127.0.0.1", UserAgent: "kubectl", Action: "patch", Via: audit.ViaProxy,
			Object: object, Resource: "deployments", Subresource: "scale", Outcome: audit.Refused, Code: "403", Message: "no", Changes: []model.FieldChange{{Path: "/spec/replicas", From: &was, To: &is}}, RequestID: "r", Duration: time.Second})
	}
	return out
}

// AuditPage gives what the partitions hold.
func (l auditedEvents) AuditPage(_ context.Context, q audit.Query) ([]audit.Event, error) {
	var out []audit.Event
	for _, e := range l {
		in := slices.ContainsFunc(q.Partitions, func(s audit.Partition) bool {
			if s.Object.Name != "" {
				return s.Object.Is(&e)
			}
			return s.Instance == "" || s.Instance == e.Object.Instance && (s.Namespace == "" || s.Namespace == e.Object.Namespace)
		})
		if in && (q.Before == nil || e.At.Before(q.Before.At)) && len(out) < q.Limit {
			out = append(out, e)
		}
	}
	return out, nil
}

// AuditSelections gives what policies selected that may have selected an object; package database compares more of it.
func (l auditedEvents) AuditSelections(_ context.Context, q audit.SelectionQuery) (out []audit.Selection, err error) {
	for _, e := range l {
		if e.Selects != nil && e.Object.Instance == q.Object.Instance && slices.Contains(q.Namespaces, e.Object.Namespace) && !e.At.Before(q.Since) {
			out = append(out, audit.Selection{Policy: e.Object, Selects: e.Selects})
		}
	}
	return out, nil
}

// auditedNow is the audit log of upstreams.
func (u *upstreams) auditedNow() auditedEvents {
	if u.audited != nil {
		return u.audited
	}
	return auditedWorld()
}
