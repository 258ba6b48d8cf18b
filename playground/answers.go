package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/bootstrap"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/plan"
)

// answers waits until Kairship answers an administrator's query with all
// instances.
func (e *environment) answers(ctx context.Context, p plan.Plan) error {
	host, err := kube.Connect(e.dir.Kubeconfig(fleet.Host))
	if err != nil {
		return err
	}
	token, err := bootstrap.Token(ctx, host, 10*time.Minute)
	if err != nil {
		return err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/graphql", p.Ports.HTTP)
	return kube.Wait(ctx, 200*time.Millisecond, "an answer from "+url, func(ctx context.Context) (bool, string) {
		n, err := instances(ctx, url, token)
		if err != nil {
			return false, err.Error()
		}
		return n == len(p.Fleet.Instances), fmt.Sprintf("it knows %d of %d instances", n, len(p.Fleet.Instances))
	})
}

func instances(ctx context.Context, url, token string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"query":"{instances{nodes{name}}}"}`))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return 0, err
	}
	var answer struct {
		Data struct {
			Instances *struct{ Nodes []struct{ Name string } }
		}
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(body, &answer); err != nil || resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s: %.200s", resp.Status, body)
	}
	if len(answer.Errors) > 0 {
		return 0, fmt.Errorf("%s", answer.Errors[0].Message)
	}
	if answer.Data.Instances == nil {
		return 0, nil
	}
	return len(answer.Data.Instances.Nodes), nil
}
