package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/bench/abuse"
)

// collect has a process collect garbage before it tells of its heap.
const collect = "/debug/pprof/heap?gc=1"

// allocated is the heap in bytes; right after a collection, what is live of it.
const allocated = "go_memstats_heap_alloc_bytes"

// runReaders measures the API server beside as many instances as are asked for: at rest, while somebody reads the
// workloads of each, and after the readers have gone.
func runReaders(ctx context.Context, f *fleet, o options) (err error) {
	slog.Info("attaching instances", "number", o.readers)
	if _, err := f.attach(ctx, o.content, o.readers); err != nil {
		return err
	}
	if err := f.untilReady(ctx, o.content, 10*time.Minute); err != nil {
		return err
	}
	if err := f.untilQuiet(ctx); err != nil {
		return err
	}
	_, watches, connections := f.requests()

	slog.Info("starting the API server")
	server, to, err := f.startAPIServer(ctx, o.kairship)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	// Without the controller manager's watches and connections, whose number does not change.
	holds := func() (footprint, error) {
		// What has a finalizer or is in a pool goes with the second collection.
		for range 2 {
			if _, err := server.read(ctx, server.telemetry+collect); err != nil {
				return footprint{}, err
			}
		}
		s, err := server.sample(ctx)
		held := f.holding(s)
		held.heap = s.sum(allocated, nil)
		held.watches -= watches
		held.connections -= connections
		return held, err
	}
	// An instance is UNAVAILABLE until it was reached. What is made for its first reader stays.
	err = poll(ctx, 2*time.Minute, time.Second, func(ctx context.Context) (string, error) {
		sockets, err := f.readAll(ctx, to)
		closeAll(sockets)
		return why(err), nil
	})
	if err != nil {
		return err
	}
	if err := f.untilSteady(ctx); err != nil {
		return err
	}
	rest, err := holds()
	if err != nil {
		return err
	}
	sockets, err := f.readAll(ctx, to)
	defer closeAll(sockets)
	if err != nil {
		return err
	}
	read, err := holds()
	if err != nil {
		return err
	}
	closeAll(sockets)
	if err := f.untilSteady(ctx); err != nil {
		return err
	}
	gone, err := holds()
	if err != nil {
		return err
	}

	w := os.Stdout
	fmt.Fprintf(w, "The API server beside %d instances, each of %d Deployments in %d clusters; a reader looks at the workloads of each.\n\n", o.readers, o.content.Workloads, o.content.Clusters)
	fmt.Fprintln(w, "| | resident memory | live heap | goroutines | watches | connections |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, row := range []struct {
		when string
		footprint
	}{{"at rest", rest}, {"with readers", read}, {"after them", gone}} {
		fmt.Fprintf(w, "| %s | %.0f MiB | %.0f MiB | %.0f | %d | %d |\n", row.when, row.resident/mebibyte, row.heap/mebibyte, row.goroutines, row.watches, row.connections)
	}
	return left(rest, gone, o.readers)
}

// startAPIServer starts the API server, and returns its address and the token of an administrator.
func (f *fleet) startAPIServer(ctx context.Context, program string) (server *process, to abuse.Target, err error) {
	ports, err := freePorts(ctx, 2)
	if err != nil {
		return nil, to, err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "reader"}}
	if err := f.host.Client.Create(ctx, account); err != nil {
		return nil, to, fmt.Errorf("making the reader's account: %w", err)
	}
	token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"kairship"}}}
	if err := f.host.Client.SubResource("token").Create(ctx, account, token); err != nil {
		return nil, to, fmt.Errorf("making the reader's token: %w", err)
	}
	to = abuse.Target{Address: "http://" + ports[0], Token: token.Status.Token}
	server, err = startProcess(ctx, f.logs, ports[1], program, "apiserver", "--host-kubeconfig", f.kubeconfig,
		"--admin-groups", "kairship:host:system:serviceaccounts:"+namespace, "--http-address", ports[0], "--telemetry-address", ports[1])
	if err != nil {
		return nil, to, err
	}
	err = poll(ctx, time.Minute, 100*time.Millisecond, func(ctx context.Context) (string, error) {
		_, err := server.read(ctx, to.Address+"/readyz")
		return why(err), nil
	})
	if err != nil {
		return nil, to, errors.Join(err, server.stop())
	}
	return server, to, nil
}

// readAll subscribes to the workloads of every instance, and waits for the first answer of each.
func (f *fleet) readAll(ctx context.Context, to abuse.Target) (sockets []*abuse.Socket, err error) {
	for names := range slices.Chunk(f.names(), abuse.PerConnection) {
		socket, refusal, err := abuse.Open(ctx, to, false)
		if err != nil {
			return sockets, err
		}
		if socket == nil {
			return sockets, fmt.Errorf("the WebSocket was refused: %s", refusal.Name)
		}
		sockets = append(sockets, socket)
		var queries []string
		for _, name := range names {
			queries = append(queries, fmt.Sprintf("subscription{workloads(instance:%q){type node{id name state}}}", name))
		}
		if err := socket.Ask(ctx, queries...); err != nil {
			return sockets, err
		}
		refused, err := socket.Answers(ctx)
		if err != nil {
			return sockets, err
		}
		for r, n := range refused {
			return sockets, fmt.Errorf("%d subscriptions were refused with %s %s", n, r.Code, r.Name)
		}
		go socket.Drain(context.WithoutCancel(ctx))
	}
	return sockets, nil
}

func closeAll(sockets []*abuse.Socket) {
	for _, s := range sockets {
		s.Close()
	}
}

// untilSteady waits until no watch has been opened or closed for longer than watches outlive their last reader.
func (f *fleet) untilSteady(ctx context.Context) error {
	const steady = 45 * time.Second
	last, since := -1, time.Now()
	return poll(ctx, 5*time.Minute, time.Second, func(context.Context) (string, error) {
		if _, open, _ := f.requests(); open != last {
			last, since = open, time.Now()
		}
		if time.Since(since) < steady {
			return fmt.Sprintf("watches come and go, %d are open", last), nil
		}
		return "", nil
	})
}
