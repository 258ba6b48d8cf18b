package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applyv1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
)

// acts measures what is no page of the read store: manifests that are tried, and a list that is followed. Both are asked of
// Karmada, and so they are measured beside the requests to its API server that a bare client makes for the same.
type acts struct {
	*fleet
	address, instance string
	server            *kubernetes.Clientset
	listing           client.Client
	manifests         string
}

const (
	// applied is how many documents are applied at once.
	applied      = 100
	applyAttempt = `mutation($input: ApplyManifestsInput!) { applyManifests(input: $input) { userErrors { message } documents { outcome } } }`
	followAll    = `subscription($instance: String!) { workloads(instance: $instance) { type node { ` + workloadRow + ` } } }`
)

func measureActs(ctx context.Context, f *fleet, o *options) error {
	if _, err := f.run(ctx, "seed", "--workloads", fmt.Sprint(o.workloads), "--instance", o.instance); err != nil {
		return err
	}
	a := &acts{fleet: f, address: o.address, instance: o.instance}
	if err := a.connect(ctx); err != nil {
		return err
	}
	ways := []struct {
		name string
		do   func(context.Context) error
		// of is the way whose time this one's is compared with.
		of   int
		took []time.Duration
	}{
		{name: "a dry run of 100 documents by applyManifests", do: a.apply},
		{name: "raw: a dry run of each, one after the other", do: a.applyEach(1)},
		{name: "raw: a dry run of each, six at a time", do: a.applyEach(atOnce)},
		{name: "a subscription to all workloads, until it is SYNCED", do: a.follow, of: 3},
		{name: "raw: lists of all workloads and their bindings", do: a.list, of: 3},
	}
	rounds := max(1, o.rounds/10)
	for round := range rounds + 2 {
		for i := range ways {
			start := time.Now()
			if err := ways[i].do(ctx); err != nil {
				return fmt.Errorf("%s: %w", ways[i].name, err)
			}
			if round >= 2 {
				ways[i].took = append(ways[i].took, time.Since(start))
			}
		}
	}
	fmt.Printf("what is asked of %s itself, %d workloads seeded, %d rounds interleaved\n\n%-58s %9s %9s %7s\n", o.instance, o.workloads, rounds, "", "p50", "p95", "ratio")
	for _, w := range ways {
		fmt.Printf("%-58s %9s %9s %7.2f\n", w.name, round(quantile(w.took, .5)), round(quantile(w.took, .95)), ratio(ways[w.of].took, w.took))
	}
	fmt.Println()
	return nil
}

func (a *acts) connect(ctx context.Context) error {
	config, client, err := a.karmada(ctx, a.instance)
	if err != nil {
		return err
	}
	a.server = client
	if a.listing, err = typed(config, ""); err != nil {
		return err
	}
	var all strings.Builder
	for i := range applied {
		fmt.Fprintf(&all, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: %s\ndata:\n  value: %q\n", documentName(i), corev1.NamespaceDefault, documentName(i))
	}
	a.manifests = all.String()
	return nil
}

func documentName(i int) string { return fmt.Sprintf("bench-%d", i) }

func (a *acts) apply(ctx context.Context) error {
	var data struct {
		ApplyManifests struct {
			UserErrors []struct{ Message string }
			Documents  []struct{ Outcome string }
		}
	}
	input := map[string]any{"instance": a.instance, "manifests": a.manifests, "dryRun": true}
	if err := a.query(ctx, a.address, applyAttempt, map[string]any{"input": input}, &data); err != nil {
		return err
	}
	got := data.ApplyManifests
	if len(got.UserErrors) > 0 || len(got.Documents) != applied {
		return fmt.Errorf("%d documents were tried: %v", len(got.Documents), got.UserErrors)
	}
	for i, d := range got.Documents {
		if d.Outcome != "CREATED" {
			return fmt.Errorf("document %d is %s", i, d.Outcome)
		}
	}
	return nil
}

// applyEach makes a request for each document, so many at a time.
func (a *acts) applyEach(at int) func(context.Context) error {
	return func(ctx context.Context) error {
		g, together := errgroup.WithContext(ctx)
		g.SetLimit(at)
		for i := range applied {
			g.Go(func() error {
				document := applyv1.ConfigMap(documentName(i), corev1.NamespaceDefault).WithData(map[string]string{"value": documentName(i)})
				_, err := a.server.CoreV1().ConfigMaps(corev1.NamespaceDefault).Apply(together, document, metav1.ApplyOptions{FieldManager: "bench", DryRun: []string{metav1.DryRunAll}})
				return err
			})
		}
		return g.Wait()
	}
}

// follow subscribes, and leaves when the snapshot is whole.
func (a *acts) follow(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	body, err := json.Marshal(map[string]any{"query": followAll, "variables": map[string]any{"instance": a.instance}})
	if err != nil {
		return fmt.Errorf("encoding the subscription: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := graph.Do(req)
	if err != nil {
		return fmt.Errorf("subscribing: %w", err)
	}
	defer resp.Body.Close()
	rows := 0
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("the stream ended after %d rows: %w", rows, errors.Join(err, ctx.Err()))
		}
		event, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var change struct {
			Data struct{ Workloads struct{ Type string } }
		}
		if err := json.Unmarshal(event, &change); err != nil {
			return fmt.Errorf("reading %.300s: %w", event, err)
		}
		switch change.Data.Workloads.Type {
		case "SNAPSHOT":
			rows++
		case "SYNCED":
			if rows == 0 {
				return errors.New("the snapshot is empty")
			}
			return nil
		default:
			return fmt.Errorf("after %d rows came %.300s", rows, event)
		}
	}
}

func (a *acts) list(ctx context.Context) error {
	g, together := errgroup.WithContext(ctx)
	g.Go(func() error { _, err := listed(together, a.listing); return err })
	g.Go(func() error { return a.listing.List(together, &workv1alpha2.ResourceBindingList{}) })
	return g.Wait()
}
