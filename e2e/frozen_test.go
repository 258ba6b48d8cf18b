package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// frozenFor is how long a part of the fleet is frozen at least: long enough that it counts as away for all who look.
const frozenFor = 6 * time.Second

// question is something that is asked again and again.
type question struct {
	name, bearer, query string
	// refused is a code that is an answer, too.
	refused string
	// once says that it is asked only once: the next time would be another question.
	once bool
	// stream says that it is a subscription, of which the first event is waited for.
	stream bool
}

// timed asks, and tells the code of the first error and how long it took. It may be called by any goroutine.
func timed(ctx context.Context, q question) (code string, took time.Duration, err error) {
	body, err := json.Marshal(map[string]string{"query": q.query})
	if err != nil {
		return "", 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+q.bearer)
	if q.stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	watch := startWatch()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	var first []byte
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		// One line of JSON, by itself or as the data of an event.
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "data:"))
		if strings.HasPrefix(line, "{") {
			first = []byte(line)
			break
		}
	}
	took = watch.took()
	if err := lines.Err(); err != nil {
		return "", took, err
	}
	var out answer
	if err := json.Unmarshal(first, &out); err != nil {
		return "", took, fmt.Errorf("status %d, decoding %.200q: %w", resp.StatusCode, first, err)
	}
	if len(out.Errors) > 0 {
		code = out.Errors[0].Extensions.Code
	}
	return code, took, nil
}

// slowest is the worst answer to each question.
type slowest struct {
	mu  sync.Mutex
	all map[string]time.Duration
}

func (s *slowest) note(name string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name] = max(s.all[name], took)
}

// worst is the worst of all, and which it was.
func (s *slowest) worst() (name string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n, d := range s.all {
		if d > took {
			name, took = n, d
		}
	}
	return name, took
}

// readers ask everything again and again until stop is called.
func readers(t *testing.T, questions []question) (found *slowest, stop func()) {
	t.Helper()
	found = &slowest{all: map[string]time.Duration{}}
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for _, q := range questions {
		asking.Go(func() {
			pause := time.NewTicker(400 * time.Millisecond)
			defer pause.Stop()
			for ctx.Err() == nil {
				code, took, err := timed(context.WithoutCancel(ctx), q)
				switch found.note(q.name, took); {
				case err != nil:
					t.Errorf("%s: %v", q.name, err)
				case took > soon:
					t.Errorf("%s is answered after %s: %q", q.name, took, code)
				case !slices.Contains([]string{"", "UNAVAILABLE", "TIMEOUT", q.refused}, code):
					t.Errorf("%s fails as %s", q.name, code)
				}
				if q.once {
					return
				}
				select {
				case <-pause.C:
				case <-ctx.Done():
				}
			}
		})
	}
	return found, sync.OnceFunc(func() {
		cancel()
		asking.Wait()
	})
}

// freeze stops the clocks of some processes until thaw is called, or the test ends.
func freeze(t *testing.T, names ...string) (thaw func()) {
	t.Helper()
	thaw = sync.OnceFunc(func() {
		for _, name := range names {
			if _, err := playground("resume", name); err != nil {
				t.Error(err) // all others are to be thawed, too
			}
		}
	})
	t.Cleanup(thaw)
	for _, name := range names {
		fleetDo(t, "pause", name)
	}
	return thaw
}

// bystanders are the processes that no answer needs.
func bystanders(t *testing.T) []string {
	t.Helper()
	var status struct {
		Components []struct{ Spec struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(fleetDo(t, "status", "--json")), &status); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range status.Components {
		for _, suffix := range []string{"-scheduler", "-controller-manager", "-webhook", "-agent", "oidc"} {
			if strings.HasSuffix(c.Spec.Name, suffix) && !strings.HasPrefix(c.Spec.Name, "kairship") {
				out = append(out, c.Spec.Name)
			}
		}
	}
	if len(out) < 5 {
		t.Fatalf("only %v: the processes have other names", out)
	}
	return out
}

// TestNoAnswerWaitsForWhatIsFrozen freezes the processes of the fleet in turn, one of each kind, under readers who ask
// for everything: no answer takes two seconds, the first one included, none is an empty list, and none is an error that
// is not said to be one of what is away.
func TestNoAnswerWaitsForWhatIsFrozen(t *testing.T) {
	whole(t)
	rows := complete(t)
	owner := idTokenOf(t, "owner")
	type drill struct {
		name   string
		frozen []string
		// before looks at what is said before it is frozen, and prepares meanwhile.
		before func(t *testing.T) (meanwhile func(t *testing.T))
		// meanwhile looks at what is said while it is frozen.
		meanwhile func(t *testing.T)
	}
	drills := []drill{
		{"the read store's API server", []string{"clusterpedia-apiserver"}, nil, func(t *testing.T) {
			// Its database is read, where that is known; else each read says what is away.
			if failed := whileAway(t, rows, func(round int) bool { return round == 3 }); len(failed) > 0 && directReads(t, address) {
				t.Errorf("reads failed: %v", failed)
			}
		}},
		{"the database", []string{"postgres"}, nil, func(t *testing.T) {
			restOfThePage(t)
			whileAway(t, rows, func(round int) bool { return round == 2 })
			// After some of these nobody waits for the next ones.
			eventually(t, time.Minute, func() error {
				if _, code, took := listNow(t, lists["workloads"]); code != "UNAVAILABLE" || took > 200*time.Millisecond {
					return fmt.Errorf("%s after %s", code, took)
				}
				return nil
			})
		}},
		{"the read store's synchro manager", []string{"clusterpedia-synchro"}, nil, synchroStopped},
		{"the API server of the host cluster", []string{"host-apiserver"}, nil, nil},
		{"etcd of the host cluster and all Karmadas", []string{"etcd"}, nil, nil},
		{"the API server of a Karmada", []string{"asia-apiserver"}, nil, nil},
		{"the aggregated API server of a Karmada", []string{"asia-aggregated-apiserver"}, nil, nil},
		{"the API server of a member", []string{"hangzhou-apiserver"}, podsAreMissed, nil},
		{"etcd of a member", []string{"hangzhou-etcd"}, nil, nil},
		{"all that no answer needs", bystanders(t), nil, nil},
	}
	var table strings.Builder
	for _, d := range drills {
		t.Run(d.name, func(t *testing.T) {
			whole(t)
			// Nobody has shown this one before.
			unseen := tokenOf(t, "stranger", "kairship")
			questions := []question{
				{name: "the page", bearer: token, query: fleetQuery},
				{name: "the page of somebody whom the provider vouches for", bearer: owner, query: surroundingsQuery},
				{name: "who asks", bearer: token, query: `{viewer{name}}`},
				{name: "somebody unknown", bearer: unseen, query: `{viewer{name}}`, refused: "FORBIDDEN", once: true},
				{name: "the audit log", bearer: token, query: `{auditEvents(first:10){nodes{id}}}`},
				{name: "the overview", bearer: token, query: `{overview{__typename}}`},
				{name: "what only Karmada holds", bearer: token, query: `{instance(name:"asia"){resources(apiVersion:"v1",kind:"Secret",first:5){nodes{id}}}}`},
				{name: "what only a member holds", bearer: token, query: `{instance(name:"asia"){cluster(name:"hangzhou"){resourceList(apiVersion:"v1",kind:"Secret",first:5){nodes{id}}}}}`},
				{name: "a write that is tried", bearer: token, query: `mutation{applyManifests(input:{instance:"asia",dryRun:true,manifests:"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: frozen, namespace: default}\n"}){documents{outcome}}}`},
				{name: "a subscription", bearer: token, query: `subscription{clusters(instance:"asia"){type}}`, stream: true},
			}
			meanwhile := d.meanwhile
			if d.before != nil {
				meanwhile = d.before(t)
			}
			thaw := freeze(t, d.frozen...)
			frozen := time.Now()
			found, stop := readers(t, questions)
			defer stop()
			if meanwhile != nil {
				meanwhile(t)
			}
			for time.Since(frozen) < frozenFor {
				_, _, _ = timed(t.Context(), questions[2])
			}
			stop()
			thaw()
			thawed := time.Now()
			whole(t)
			name, took := found.worst()
			fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", d.name, took.Round(10*time.Millisecond), name, time.Since(thawed).Round(100*time.Millisecond))
		})
	}
	t.Logf("\n| frozen | worst answer | to | well again after |\n| --- | --- | --- | --- |\n%s", table.String())
	complete(t)
}

// podsAreMissed follows the pods of a member, whose watches stay open when it is frozen: that is said all the same, also to who comes then.
func podsAreMissed(t *testing.T) (meanwhile func(t *testing.T)) {
	t.Helper()
	type event struct {
		Type    string
		Missing []struct{ ClusterName string }
	}
	follow := func(t *testing.T) *stream {
		t.Helper()
		return subscribe(t, `subscription($of: ID!) { pods(of: $of) { type missing { clusterName } } }`, map[string]any{"of": model.ClusterID("asia", "hangzhou")})
	}
	synced := func(t *testing.T, s *stream, missing int) {
		t.Helper()
		for {
			switch e := next[event](s, 20*time.Second, "pods"); {
			case e.Type == "SYNCED" && len(e.Missing) == missing:
				return
			case e.Type == "SYNCED":
				t.Fatalf("missing are %+v, want %d members", e.Missing, missing)
			}
		}
	}
	early := follow(t)
	synced(t, early, 0)
	return func(t *testing.T) {
		t.Helper()
		synced(t, early, 1)
		synced(t, follow(t), 1)
	}
}

// restOfThePage holds the page against what it shows while the read store is away: everything but what it holds, and an
// error for each instance.
func restOfThePage(t *testing.T) {
	t.Helper()
	// A look may be slow on a busy machine; whatever it says of the read store, it says no less of the rest.
	eventually(t, 10*time.Second, func() error {
		data, errs, took := fleetNow(t)
		if took > soon {
			return fmt.Errorf("the page took %s", took)
		}
		for _, in := range data.Instances.Nodes {
			if in.State != "RUNNING" || in.Clusters == nil || len(in.Clusters.Nodes) == 0 || in.Workloads != nil {
				return fmt.Errorf("%s is %s with clusters %+v and workloads %+v", in.Name, in.State, in.Clusters, in.Workloads)
			}
		}
		if len(errs) != 2 {
			return fmt.Errorf("%d errors, want one for each instance: %+v", len(errs), errs)
		}
		for _, e := range errs {
			if e.Extensions.Code != "UNAVAILABLE" && e.Extensions.Code != "TIMEOUT" || e.Extensions.Instance == "" || !strings.HasSuffix(fmt.Sprint(e.Path), "workloads]") {
				return fmt.Errorf("error %+v", e)
			}
		}
		return nil
	})
}

// synchroStopped waits until it is said that nobody follows the members.
func synchroStopped(t *testing.T) {
	t.Helper()
	eventually(t, time.Minute, func() error {
		if _, freshness, _ := clusterNow(t, "tokyo"); freshness != "STOPPED" {
			return fmt.Errorf("tokyo's rows are %s although nobody follows it", freshness)
		}
		return nil
	})
}
