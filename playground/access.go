package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/playground/internal/bootstrap"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/signin"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
	"github.com/kairship-io/kairship/playground/oidc"
)

type kubeconfigCmd struct {
	Name string `arg:"" help:"host, an instance, a member, or clusterpedia."`
}

// Run prints a path.
func (c kubeconfigCmd) Run(e *environment) error {
	names := append(e.fleet.Clusters(), "clusterpedia")
	if f, err := e.client.Fleet(e.ctx); err == nil { // managed instances that somebody made come and go
		for _, s := range f.Processes {
			if s.Spec.Pod != "" && !slices.Contains(names, s.Spec.Group) {
				names = append(names, s.Spec.Group)
			}
		}
	}
	if !slices.Contains(names, c.Name) {
		return fmt.Errorf("there is no kubeconfig of %q; there are: %s", c.Name, strings.Join(names, ", "))
	}
	path := e.dir.Kubeconfig(c.Name)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is none of %s yet (is the fleet up? See `playground status`): %w", c.Name, err)
	}
	fmt.Println(path)
	return nil
}

type tokenCmd struct {
	User     string        `arg:"" optional:"" help:"owner, editor, viewer or stranger: their ID token, good for an hour. Without one, an administrator's token of the host cluster."`
	Lifetime time.Duration `help:"How long an administrator's token is good for; at least 10m." default:"24h"`
}

// Run prints a token and nothing else.
func (c tokenCmd) Run(e *environment) error {
	if c.Lifetime < 10*time.Minute {
		return fmt.Errorf("--lifetime is %s: allowed are 10m and more", c.Lifetime)
	}
	if _, err := e.client.Fleet(e.ctx); err != nil {
		return err
	}
	token, err := c.token(e)
	if err != nil {
		return err
	}
	fmt.Println(token)
	return nil
}

func (c tokenCmd) token(e *environment) (string, error) {
	if c.User != "" {
		return e.idToken(c.User)
	}
	host, err := kube.Connect(e.dir.Kubeconfig(fleet.Host))
	if err != nil {
		return "", err
	}
	return bootstrap.Token(e.ctx, host, c.Lifetime)
}

// idToken signs a person in.
func (e *environment) idToken(user string) (string, error) {
	record, err := e.record()
	if err != nil {
		return "", err
	}
	p, err := e.plan(record)
	if err != nil {
		return "", err
	}
	password, err := oidc.Secret(p.OIDCPassword())
	if err != nil {
		return "", err
	}
	secret, err := oidc.Secret(p.OIDCClientSecret())
	if err != nil {
		return "", err
	}
	kairship := signin.Client{Issuer: p.OIDCIssuer(), CAFile: p.OIDCAuthority(), ID: oidc.Client, Secret: secret, RedirectURL: p.OIDCRedirect()}
	return kairship.IDToken(e.ctx, user, password)
}

type metricsCmd struct {
	Name string `arg:"" help:"A component."`
}

// Run prints a component's Prometheus page.
func (c metricsCmd) Run(e *environment) error {
	s, err := e.one(c.Name)
	if err != nil {
		return err
	}
	if s.Spec.Metrics == nil {
		return fmt.Errorf("%s has no Prometheus page", c.Name)
	}
	tls, err := supervisor.TLSConfig(*s.Spec.Metrics)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(e.ctx, 15*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Spec.Metrics.URL, nil)
	if err != nil {
		return fmt.Errorf("asking %s for its metrics: %w", c.Name, err)
	}
	resp, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: tls}}).Do(req)
	if err != nil {
		return fmt.Errorf("asking %s (%s) for its metrics: %w", c.Name, s.State, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 300)) // the status says enough
		return fmt.Errorf("asking %s for its metrics: %s: %s", c.Name, resp.Status, body)
	}
	_, err = io.Copy(os.Stdout, resp.Body)
	return err
}
