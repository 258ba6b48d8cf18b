package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/components"
	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/state"
)

type agentCmd struct {
	Name    string        `arg:"" help:"A member that playground member started."`
	Command string        `help:"The command that joinCluster(mode: PULL) returned: karmadactl register …" placeholder:"COMMAND"`
	Remove  bool          `help:"End the agent, as a cluster does whose Deployment of it was deleted."`
	Timeout time.Duration `help:"Give up when it is not registered after this time." default:"3m"`
}

// Run runs the command with the real karmadactl, which registers the member and makes a Deployment of the agent there. No pod of a
// member really runs, so that the agent is run here, with the options of that Deployment and the kubeconfig that it would mount.
func (c agentCmd) Run(e *environment) error {
	running, err := e.client.Fleet(e.ctx)
	if err != nil {
		return err
	}
	release, err := e.alone()
	if err != nil {
		return err
	}
	defer release()
	i := slices.IndexFunc(e.fleet.Further, func(m fleet.Further) bool { return m.Name == c.Name })
	if i < 0 {
		return errNotFurther(e.fleet, c.Name)
	}
	m := e.fleet.Further[i]
	if c.Remove {
		return e.removeAgent(m)
	}
	args, err := registration(c.Command)
	if err != nil {
		return err
	}
	binaries := append([]string{"karmadactl", "karmada-agent"}, clusterBinaries...)
	built, err := components.Ensure(e.ctx, components.Options{Names: binaries, Progress: os.Stderr})
	if err != nil {
		return err
	}
	args = append(args, "--kubeconfig="+e.dir.Kubeconfig(m.Name), "--discovery-timeout="+c.Timeout.String())
	register := exec.CommandContext(e.ctx, built["karmadactl"], args...)
	register.Stdout, register.Stderr = os.Stderr, os.Stderr
	if err := register.Run(); err != nil {
		return fmt.Errorf("karmadactl register: %w", err)
	}
	kubeconfig, agent, err := e.registered(m.Name)
	if err != nil {
		return err
	}
	m.Agent = &agent
	f := e.fleet
	f.Further = slices.Clone(f.Further)
	f.Further[i] = m
	p, err := e.changeFurther(f, binaries)
	if err != nil {
		return err
	}
	if err := state.WriteFile(p.RegisteredKubeconfig(m.Name), kubeconfig, 0o600); err != nil {
		return err
	}
	// One that ran before holds another credential.
	if err := e.forget(running, func(_, name string) bool { return name == m.Name+"-agent" }); err != nil {
		return err
	}
	if err := e.startFurther(p, m, c.Timeout); err != nil {
		return err
	}
	fmt.Printf("%s is registered as %s, and its agent runs; `playground logs %s-agent` has what it says.\n", m.Name, agent.Cluster, m.Name)
	return nil
}

// removeAgent ends the agent of a further member.
func (e *environment) removeAgent(m fleet.Further) error {
	running, err := e.client.Fleet(e.ctx)
	if err != nil {
		return err
	}
	if err := e.forget(running, func(_, name string) bool { return name == m.Name+"-agent" }); err != nil {
		return err
	}
	f := e.fleet
	f.Further = slices.Clone(f.Further)
	for i := range f.Further {
		if f.Further[i].Name == m.Name {
			f.Further[i].Agent = nil
		}
	}
	p, err := e.changeFurther(f, nil)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(p.RegisteredKubeconfig(m.Name)); err != nil {
		return fmt.Errorf("deleting the credential of %s's agent: %w", m.Name, err)
	}
	fmt.Printf("%s has no agent any more.\n", m.Name)
	return nil
}

// registration are the arguments of a command that registers a member.
func registration(command string) ([]string, error) {
	words := strings.Fields(strings.ReplaceAll(command, "\\\n", " "))
	if len(words) == 0 {
		return nil, errNoCommand
	}
	if len(words) < 3 || words[0] != "karmadactl" || words[1] != "register" {
		return nil, fmt.Errorf("--command begins with %q: it must be `karmadactl register ADDRESS …`, as joinCluster(mode: PULL) returned it", strings.Join(words[:min(len(words), 2)], " "))
	}
	for _, w := range words {
		if strings.ContainsAny(w, "'\"`$;&|<>\\") {
			return nil, fmt.Errorf("--command holds %q: no shell reads it, so write it without quotes, variables and further commands", w)
		}
		if name, _, _ := strings.Cut(w, "="); name == "--kubeconfig" || name == "--context" {
			return nil, fmt.Errorf("--command holds %s: leave it out, the member's own is used", name)
		}
	}
	return words[1:], nil
}

// registered is what karmadactl made in a member: the kubeconfig by which its agent reaches Karmada, and the options of the agent.
func (e *environment) registered(member string) ([]byte, fleet.Agent, error) {
	c, err := kube.Connect(e.dir.Kubeconfig(member))
	if err != nil {
		return nil, fleet.Agent{}, err
	}
	const namespace, secret, deployment = "karmada-system", "karmada-kubeconfig", "karmada-agent"
	s, err := c.Resource(schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, namespace).Get(e.ctx, secret, metav1.GetOptions{})
	if err != nil {
		return nil, fleet.Agent{}, fmt.Errorf("reading what was registered: %w", err)
	}
	text, _, _ := unstructured.NestedString(s.Object, "data", secret) // absent: empty, which is refused below
	kubeconfig, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(kubeconfig) == 0 {
		return nil, fleet.Agent{}, fmt.Errorf("the Secret %s/%s in %s holds no kubeconfig", namespace, secret, member)
	}
	d, err := c.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, namespace).Get(e.ctx, deployment, metav1.GetOptions{})
	if err != nil {
		return nil, fleet.Agent{}, fmt.Errorf("reading what was registered: %w", err)
	}
	agent, err := agentOf(d)
	return kubeconfig, agent, err
}

// agentOf reads the options of an agent from its Deployment.
func agentOf(deployment *unstructured.Unstructured) (fleet.Agent, error) {
	containers, _, _ := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers") // absent: none
	var a fleet.Agent
	for _, c := range containers {
		container, _ := c.(map[string]any)
		command, _, _ := unstructured.NestedStringSlice(container, "command") // absent: none
		for _, option := range command {
			name, value, _ := strings.Cut(option, "=")
			switch name {
			case "--cluster-name":
				a.Cluster = value
			case "--cluster-provider":
				a.Provider = value
			case "--cluster-region":
				a.Region = value
			case "--cluster-zones":
				a.Zones = value
			}
		}
	}
	if a.Cluster == "" {
		return a, fmt.Errorf("the Deployment %s has no container with --cluster-name", deployment.GetName())
	}
	return a, nil
}
