package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// fleet is how to reach the fleet of the playground.
type fleet struct {
	playground string
	// token is an administrator's.
	token string
	// store is an HTTP client of Clusterpedia at storeURL.
	store    *http.Client
	storeURL string
	// storeFile is the kubeconfig of Clusterpedia.
	storeFile string
	// host is the host cluster, as an administrator; hostFile is its kubeconfig.
	host     *rest.Config
	hostFile string
}

// graph is the client of Kairship: so many users keep their connections.
var graph = func() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 2 * manyUsers
	return &http.Client{Transport: transport}
}()

// as is the same fleet as somebody else sees it.
func (f *fleet) as(token string) *fleet {
	other := *f
	other.token = token
	return &other
}

func openFleet(ctx context.Context, o *options) (*fleet, error) {
	f := &fleet{playground: o.playground}
	var err error
	if f.token, err = f.run(ctx, "token"); err != nil {
		return nil, err
	}
	if f.hostFile, err = f.run(ctx, "kubeconfig", "host"); err != nil {
		return nil, err
	}
	if f.host, err = clientcmd.BuildConfigFromFlags("", f.hostFile); err != nil {
		return nil, fmt.Errorf("reading the kubeconfig of the host cluster: %w", err)
	}
	pedia, err := f.run(ctx, "kubeconfig", "clusterpedia")
	if err != nil {
		return nil, err
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", pedia)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig of Clusterpedia: %w", err)
	}
	cfg.DisableCompression = true
	if f.store, err = rest.HTTPClientFor(cfg); err != nil {
		return nil, fmt.Errorf("making a client of Clusterpedia: %w", err)
	}
	f.storeURL, f.storeFile = cfg.Host, pedia
	return f, nil
}

// karmada is the API server of an instance, as an administrator who may ask as often as they like.
func (f *fleet) karmada(ctx context.Context, instance string) (*rest.Config, *kubernetes.Clientset, error) {
	file, err := f.run(ctx, "kubeconfig", instance)
	if err != nil {
		return nil, nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the kubeconfig of %s: %w", instance, err)
	}
	config.QPS = -1
	// The machine is shared with what is measured: what asks costs as little as it can.
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, fmt.Errorf("making a client of %s: %w", instance, err)
	}
	return config, client, nil
}

// run runs a command of the playground.
func (f *fleet) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, f.playground, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", f.playground, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// query sends a query to a Kairship. An answer with errors is an error.
func (f *fleet) query(ctx context.Context, address, query string, variables map[string]any, into any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return fmt.Errorf("encoding the query: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+f.token)
	var answer struct {
		Data   json.RawMessage
		Errors []any
	}
	if err := decode(graph, req, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return fmt.Errorf("the answer has errors: %v", answer.Errors)
	}
	if raw, ok := into.(*json.RawMessage); ok {
		*raw = answer.Data
		return nil
	}
	if err := json.Unmarshal(answer.Data, into); err != nil {
		return fmt.Errorf("decoding the answer: %w", err)
	}
	return nil
}

// raw makes one request to Clusterpedia and decodes its list; path is what follows the address.
func (f *fleet) raw(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.storeURL+path, http.NoBody)
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	var list struct{ Items []map[string]any }
	return decode(f.store, req, &list)
}

func decode(client *http.Client, req *http.Request, into any) error {
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("asking %s: %w", req.URL.Host, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", req.URL.Host, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d: %.300s", req.URL.Path, resp.StatusCode, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decoding the answer of %s: %w", req.URL.Host, err)
	}
	return nil
}
