// Package controllers holds what all controllers of Instances have in common, one package below it for each of them. It
// must not know what any of them does.
package controllers

import (
	"fmt"
	"log/slog"

	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/kairship-io/kairship/internal/instance/connection"
)

// Options are what every controller is given.
type Options struct {
	// Namespace is Kairship's own in the host cluster: it holds the credential Secrets of the instances.
	Namespace   string
	Connections *connection.Set
	// Clock tells the time; nil for the real one.
	Clock  clock.PassiveClock
	Logger *slog.Logger
}

// Controller can be added to a manager.
type Controller interface {
	// Name of the controller in logs, Events and metrics.
	Name() string
	// Register adds the controller to a manager.
	Register(mgr manager.Manager) error
}

// Register adds controllers to a manager. The error names the one that could not be added.
func Register(mgr manager.Manager, all ...Controller) error {
	for _, c := range all {
		if err := c.Register(mgr); err != nil {
			return fmt.Errorf("registering controller %s: %w", c.Name(), err)
		}
	}
	return nil
}

// Base is what every controller needs.
type Base struct {
	// Client reads from the manager's cache and writes to the host cluster.
	Client client.Client
	// Live reads from the host cluster itself.
	Live client.Reader
	// Namespace is Kairship's own in the host cluster: it holds the credential Secrets of the instances.
	Namespace   string
	Connections *connection.Set
	Events      events.EventRecorder
	Clock       clock.PassiveClock
	Logger      *slog.Logger
}

// NewBase makes the Base of a controller from a manager.
func NewBase(mgr manager.Manager, name string, o Options) Base {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return Base{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Namespace: o.Namespace, Connections: o.Connections,
		Events: mgr.GetEventRecorder("kairship-" + name), Clock: o.Clock, Logger: o.Logger.With("controller", name),
	}
}
