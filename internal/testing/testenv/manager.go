package testenv

import (
	"context"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// Run runs a manager on an API server, with the controllers that add adds to it, until stop is called or the test ends.
// Every request of its clients passes through wrap, if set.
func (s *Server) Run(tb testing.TB, wrap transport.WrapperFunc, add func(manager.Manager) error) (stop func()) {
	tb.Helper()
	host := rest.CopyConfig(s.Config)
	if wrap != nil {
		host.Wrap(wrap)
	}
	skip, priorities := true, false
	mgr, err := ctrl.NewManager(host, ctrl.Options{
		Scheme:     s.Client.Scheme(),
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Client:     client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Controller: config.Controller{SkipNameValidation: &skip, UsePriorityQueue: &priorities}, // as the controller manager
	})
	if err != nil {
		tb.Fatal(err)
	}
	if err := add(mgr); err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- mgr.Start(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-stopped; err != nil {
			tb.Errorf("the manager: %v", err)
		}
	})
	tb.Cleanup(stop)
	if !mgr.GetCache().WaitForCacheSync(tb.Context()) {
		tb.Fatal("the cache did not fill")
	}
	return stop
}
