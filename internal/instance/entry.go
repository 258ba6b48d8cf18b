package instance

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// entry is an Instance object and the connection made from it. It is immutable: a change makes another entry.
type entry struct {
	object *v1alpha1.Instance
	// version is that of what people say of it, and earlier are those before, the newest first.
	version string
	earlier []saying
	// phaseSince is when the current phase was first seen.
	phaseSince time.Time
	// conn is nil without a usable credential; then why is the reason, and blindSince since when.
	conn       *Connection
	why        string
	blindSince time.Time
	// credential is the digest of the kubeconfig that conn, or why, came from.
	credential [sha256.Size]byte
	// next is a connection with a newer credential that is not ready yet: until it is, the old one serves.
	next *successor
}

// successor is a connection that is to replace another one.
type successor struct {
	conn       *Connection
	credential [sha256.Size]byte
}

// connections returns all connections that the entry holds.
func (e *entry) connections() []*Connection {
	var out []*Connection
	if e.conn != nil {
		out = append(out, e.conn)
	}
	if e.next != nil {
		out = append(out, e.next.conn)
	}
	return out
}

// connect makes the entry for an Instance; old is its entry until now, nil when there is none.
func (f *Fleet) connect(ctx context.Context, object *v1alpha1.Instance, old *entry) *entry {
	now := f.cfg.Clock.Now()
	if old == nil || old.object.UID != object.UID {
		old = &entry{object: object, phaseSince: now, blindSince: now}
	}
	e := &entry{object: object, version: old.version, earlier: old.earlier, phaseSince: old.phaseSince, blindSince: now}
	if e.version == "" || object.ResourceVersion != old.object.ResourceVersion {
		e.version = version(object)
	}
	if old.version != "" && e.version != old.version {
		e.earlier = append([]saying{{old.version, said(old.object)}}, old.earlier[:min(len(old.earlier), keptSayings-1)]...)
	}
	if object.Status.Phase != old.object.Status.Phase {
		e.phaseSince = now
	}
	if old.conn == nil {
		e.blindSince = old.blindSince
	}
	raw, err := connection.Kubeconfig(ctx, f.cache, f.cfg.Namespace, object)
	if err != nil {
		e.why = err.Error()
		if e.why != old.why && !e.provisioning() {
			f.cfg.Logger.Warn("instance without credential", "instance", object.Name, "why", e.why)
		}
		return e
	}
	e.credential = sha256.Sum256(raw)
	switch {
	case old.credential == e.credential:
		e.conn, e.why = old.conn, old.why
		return e
	case old.next != nil && old.next.credential == e.credential:
		if old.next.conn.settled() {
			f.cfg.Logger.Info("instance has a new credential", "instance", object.Name)
			e.conn = old.next.conn
			return e
		}
		e.conn, e.credential, e.next = old.conn, old.credential, old.next
		return e
	}
	conn, err := f.open(object, raw, old.conn)
	switch {
	case err != nil:
		e.why = err.Error()
		f.cfg.Logger.Warn("instance with a bad credential", "instance", object.Name, "error", err)
	case old.conn != nil:
		e.next = &successor{conn: conn, credential: e.credential}
		e.conn, e.credential = old.conn, old.credential
	default:
		e.conn = conn
	}
	return e
}

// open connects to an instance by its kubeconfig.
func (f *Fleet) open(object *v1alpha1.Instance, raw []byte, old *Connection) (*Connection, error) {
	credential, err := connection.Parse(raw, object)
	if err != nil {
		return nil, err
	}
	return newConnection(f.cfg, object.Name, credential, old, f.nudge)
}

// own returns what this server sees of the instance through its connection.
func (e *entry) own() (s sight, blind bool) {
	if e.conn == nil {
		return sight{state: model.InstanceDown, why: e.why, since: e.blindSince}, true
	}
	return e.conn.sight(), false
}

// provisioning reports whether the control plane is being provisioned and has never been read.
func (e *entry) provisioning() bool {
	return (e.conn == nil || !e.conn.synced()) && controllersSay(e.object, e.phaseSince).state == model.InstanceInstalling
}

// connection returns the connection, or UNAVAILABLE.
func (e *entry) connection() (*Connection, error) {
	switch {
	case e.conn != nil:
		return e.conn, nil
	case e.provisioning():
		return nil, model.InstanceUnavailable(e.object.Name, "it is being installed", nil)
	}
	return nil, model.InstanceUnavailable(e.object.Name, e.why, nil)
}

// seen returns the instance as a scope may see it: counts over all namespaces are for those who may see all of them.
func (e *entry) seen(scope rbac.Scope, now time.Time) *model.Instance {
	in := e.model(now)
	if !scope.Whole(in.Name) {
		in.Statistics = nil
	}
	return in
}

// model returns the instance as the graph shows it.
func (e *entry) model(now time.Time) *model.Instance {
	in := instanceModel(e.object)
	in.ResourceVersion = e.version
	own, blind := e.own()
	in.State, in.StateMessage = settle(controllersSay(e.object, e.phaseSince), own, blind, now)
	in.Provisioning = e.provisioning()
	if e.conn != nil {
		if version := e.conn.health.Load().version; version != "" {
			in.KubernetesVersion = &version
		}
	}
	return in
}
