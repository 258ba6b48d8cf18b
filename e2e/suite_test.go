// Package e2e tests Kairship from outside, on a real fleet: what it answers is compared with what the
// Karmada API says, and with what the demo workloads were made to do.
//
// `make test-e2e` starts the fleet and names it by KAIRSHIP_URL and KAIRSHIP_PLAYGROUND_DIR.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

var (
	// address is where Kairship answers.
	address string
	// token is an administrator's.
	token string
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	address = os.Getenv("KAIRSHIP_URL")
	if address == "" {
		fmt.Fprintln(os.Stderr, "e2e: KAIRSHIP_URL is not set: run `make test-e2e`, which starts a fleet")
		os.Exit(1)
	}
	out, err := playground("token")
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e: there is no fleet:", err)
		os.Exit(1)
	}
	token = strings.TrimSpace(out)
	os.Exit(m.Run())
}

// playground runs the fleet's own command.
func playground(args ...string) (string, error) {
	cmd := exec.Command("../bin/playground", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("playground %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out), nil
}

// fleetDo runs a playground command that has to work.
func fleetDo(t *testing.T, args ...string) string {
	t.Helper()
	out, err := playground(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// stop stops a component or cluster, and starts it again when the test ends.
func stop(t *testing.T, name string) {
	t.Helper()
	fleetDo(t, "stop", name)
	t.Cleanup(func() { fleetDo(t, "start", name) })
}

// config is the client configuration of a cluster of the fleet, as its administrator.
func config(t *testing.T, cluster string) *rest.Config {
	t.Helper()
	cfg, err := clientcmd.BuildConfigFromFlags("", strings.TrimSpace(fleetDo(t, "kubeconfig", cluster)))
	if err != nil {
		t.Fatal(err)
	}
	cfg.Timeout, cfg.QPS = 10*time.Second, -1
	return cfg
}

func karmada(t *testing.T, cluster string) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(config(t, cluster))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// stateDir is the folder of the fleet's state.
func stateDir() string {
	if dir := os.Getenv("KAIRSHIP_PLAYGROUND_DIR"); dir != "" {
		return dir
	}
	return filepath.Join("..", ".playground")
}

// answer is a GraphQL answer.
type answer struct {
	status int
	Data   json.RawMessage `json:"data"`
	Errors []gqlError      `json:"errors"`
}

type gqlError struct {
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code      string `json:"code"`
		Instance  string `json:"instance"`
		Cluster   string `json:"cluster"`
		Retryable bool   `json:"retryable"`
	} `json:"extensions"`
}

// calm is held for writing while Kairship is killed and starts again, so that nobody asks it anything meanwhile.
var calm sync.RWMutex

// post sends a request body as whoever holds the bearer token.
func post(t *testing.T, bearer string, body []byte, headers ...string) answer {
	t.Helper()
	calm.RLock()
	defer calm.RUnlock()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := answer{status: resp.StatusCode}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("status %d, decoding %.500s: %v", resp.StatusCode, raw, err)
	}
	return out
}

// ask runs an operation as the administrator; variables may be nil.
func ask(t *testing.T, query string, variables map[string]any) answer {
	t.Helper()
	return askAs(t, token, query, variables)
}

func askAs(t *testing.T, bearer, query string, variables map[string]any) answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return post(t, bearer, body)
}

// read runs an operation and decodes its data; an error of any of its fields is one.
func read[T any](t *testing.T, query string, variables map[string]any) (data T, err error) {
	t.Helper()
	out := ask(t, query, variables)
	if len(out.Errors) > 0 {
		return data, fmt.Errorf("%s\nerrors: %+v", query, out.Errors)
	}
	if err := json.Unmarshal(out.Data, &data); err != nil {
		return data, fmt.Errorf("decoding %s: %w", out.Data, err)
	}
	return data, nil
}

// into is read of an operation that must not fail. What polls uses read: what was written is not in the read store yet.
func into[T any](t *testing.T, query string, variables map[string]any) T {
	t.Helper()
	data, err := read[T](t, query, variables)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// eventually polls until the check has nothing to object, or fails with the last objection. It asks less often the longer
// it takes: the machine has the fleet to run.
func eventually(t *testing.T, within time.Duration, check func() error) time.Duration {
	t.Helper()
	start := time.Now()
	pause := 200 * time.Millisecond
	for {
		err := check()
		if err == nil {
			return time.Since(start)
		}
		if time.Since(start) > within {
			t.Fatalf("after %s: %v", within, err)
		}
		select {
		case <-time.After(pause):
			pause = min(pause*5/4, time.Second)
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}
