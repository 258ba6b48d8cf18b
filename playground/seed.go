package main

import (
	"context"
	"fmt"
	"time"

	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/seed"
)

type seedCmd struct {
	Workloads int           `required:"" help:"How many Deployments there shall be. Surplus ones of an earlier seed are deleted; 0 deletes all."`
	Instance  string        `help:"The instance to fill." default:"asia"`
	Namespace string        `help:"The namespace to fill; it is the seed's own. By default one that lists behind those of the demo." default:"synthetic"`
	Replicas  int           `help:"Replicas of each Deployment in each cluster." default:"1"`
	Timeout   time.Duration `help:"How long to wait until all is propagated." default:"10m"`
}

// Run makes an instance hold exactly as many seeded workloads as asked for.
func (c seedCmd) Run(e *environment) error {
	i, ok := e.fleet.Instance(c.Instance)
	if !ok {
		var names []string
		for _, i := range e.fleet.Instances {
			names = append(names, i.Name)
		}
		return fmt.Errorf("--instance is %q: allowed are %v", c.Instance, names)
	}
	s := seed.Seed{Namespace: c.Namespace, Workloads: c.Workloads, Replicas: c.Replicas}
	for _, m := range i.Members {
		s.Clusters = append(s.Clusters, m.Name)
	}
	if err := s.Check(); err != nil {
		return err
	}
	if _, err := e.client.Fleet(e.ctx); err != nil {
		return err
	}
	k, err := kube.Connect(e.dir.Kubeconfig(c.Instance))
	if err != nil {
		return err
	}
	ctx, cancel := e.whileUp()
	defer cancel()
	began := time.Now()
	err = s.Run(ctx, k, c.Timeout, func(format string, args ...any) {
		fmt.Printf("%6.1fs  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	})
	if err != nil {
		return err
	}
	fmt.Printf("%s/%s holds %d workloads after %.1f s.\n", c.Instance, c.Namespace, c.Workloads, time.Since(began).Seconds())
	return nil
}

// whileUp returns a context that ends with the fleet, so that nothing is waited for that cannot come.
func (e *environment) whileUp() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(e.ctx)
	go func() { // ends with ctx, which the caller cancels
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(2 * time.Second):
				if _, err := e.client.Fleet(ctx); err != nil {
					cancel(err)
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
