// Package report gathers the state of a fleet: its processes, its clusters as Karmada sees them, its read store as
// Clusterpedia sees it. It changes nothing.
package report

import (
	"context"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/playground/internal/fleet"
	"github.com/kairship-io/kairship/playground/internal/kube"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// askTimeout bounds each API server's part: a dead one must not hold up the rest.
const askTimeout = 3 * time.Second

var (
	clusters      = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
	pediaClusters = schema.GroupVersionResource{Group: "cluster.clusterpedia.io", Version: "v1alpha2", Resource: "pediaclusters"}
)

// Report is the state of a fleet.
type Report struct {
	Components []supervisor.Status `json:"components"`
	Clusters   []Cluster           `json:"clusters"`
	Sync       []Sync              `json:"sync"`
	// Unanswered are the API servers that could not be read.
	Unanswered []string `json:"unanswered,omitempty"`
}

// Cluster is a member as its Karmada sees it.
type Cluster struct {
	Instance string `json:"instance"`
	Name     string `json:"name"`
	SyncMode string `json:"syncMode"`
	Ready    string `json:"ready"` // True, False, Unknown
	Message  string `json:"message,omitempty"`
	Nodes    int64  `json:"nodes"`
}

// Sync is one cluster of the read store.
type Sync struct {
	Name      string `json:"name"`
	Healthy   string `json:"healthy"` // True, False, Unknown
	Running   string `json:"running"`
	Message   string `json:"message,omitempty"`
	Resources int    `json:"resources"`
	Syncing   int    `json:"syncing"`
}

// Gather asks the instances and the host. kubeconfig returns the file of a
// cluster.
func Gather(ctx context.Context, f fleet.Fleet, kubeconfig func(string) string) Report {
	r := Report{Clusters: []Cluster{}, Sync: []Sync{}}
	for _, i := range f.Instances {
		list, err := ask(ctx, kubeconfig(i.Name), clusters)
		if err != nil {
			r.Unanswered = append(r.Unanswered, fmt.Sprintf("%s: %v", i.Name, err))
			for _, m := range i.Members {
				r.Clusters = append(r.Clusters, Cluster{Instance: i.Name, Name: m.Name, SyncMode: string(m.SyncMode), Ready: "Unknown", Message: i.Name + " does not answer"})
			}
			continue
		}
		for _, m := range i.Members {
			r.Clusters = append(r.Clusters, cluster(i.Name, m, list))
		}
	}
	syncs, err := Syncs(ctx, kubeconfig(fleet.Host))
	if err != nil {
		r.Unanswered = append(r.Unanswered, fmt.Sprintf("host: %v", err))
	}
	r.Sync = append(r.Sync, syncs...)
	return r
}

// Syncs reads the state of the read store from the host.
func Syncs(ctx context.Context, kubeconfig string) ([]Sync, error) {
	list, err := ask(ctx, kubeconfig, pediaClusters)
	if err != nil {
		return nil, err
	}
	var all []Sync
	for _, o := range list {
		all = append(all, sync(&o))
	}
	return all, nil
}

// Complete reports whether everything is synced that should be for this cluster.
func (s Sync) Complete() bool {
	return s.Healthy == "True" && s.Running == "True" && s.Resources > 0 && s.Syncing == s.Resources
}

func ask(ctx context.Context, kubeconfig string, gvr schema.GroupVersionResource) ([]unstructured.Unstructured, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	c, err := kube.Connect(kubeconfig)
	if err != nil {
		return nil, err
	}
	list, err := c.Resource(gvr, "").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

func cluster(instance string, m fleet.Member, list []unstructured.Unstructured) Cluster {
	c := Cluster{Instance: instance, Name: m.Name, SyncMode: string(m.SyncMode), Ready: "Unknown", Message: "has not joined"}
	for _, o := range list {
		if o.GetName() != m.Name {
			continue
		}
		c.Ready, c.Message = kube.Condition(&o, "Ready")
		if c.Ready == "" {
			c.Ready = "Unknown"
		}
		c.Nodes, _, _ = unstructured.NestedInt64(o.Object, "status", "nodeSummary", "readyNum") // absent: 0
	}
	return c
}

func sync(o *unstructured.Unstructured) Sync {
	s := Sync{Name: o.GetName()}
	var message string
	s.Healthy, s.Message = orUnknown(kube.Condition(o, "ClusterHealthy"))
	s.Running, message = orUnknown(kube.Condition(o, "SynchroRunning"))
	if s.Running != "True" {
		s.Message = message
	}
	groups, _, _ := unstructured.NestedSlice(o.Object, "status", "syncResources") // absent: nothing syncs yet
	for _, g := range groups {
		resources, _, _ := unstructured.NestedSlice(g.(map[string]any), "resources")
		for _, r := range resources {
			conditions, _, _ := unstructured.NestedSlice(r.(map[string]any), "syncConditions")
			for _, c := range conditions {
				s.Resources++
				if c.(map[string]any)["status"] == "Syncing" {
					s.Syncing++
				}
			}
		}
	}
	return s
}

func orUnknown(status, message string) (string, string) {
	if status == "" {
		return "Unknown", message
	}
	return status, message
}

// Problems lists what is wrong.
func (r Report) Problems() []string {
	var p []string
	for _, s := range r.Components {
		if !s.State.Healthy() {
			p = append(p, trim(fmt.Sprintf("%s is %s: %s", s.Spec.Name, s.State, s.Message)))
		}
	}
	for _, c := range r.Clusters {
		if c.Ready != "True" {
			p = append(p, trim(fmt.Sprintf("cluster %s of %s is not ready: %s", c.Name, c.Instance, c.Message)))
		}
	}
	for _, s := range r.Sync {
		if s.Healthy != "True" || s.Running != "True" {
			p = append(p, trim(fmt.Sprintf("the read store's %s is not in sync: %s", s.Name, s.Message)))
		}
	}
	for _, u := range r.Unanswered {
		p = append(p, "no answer from "+u)
	}
	return p
}

func trim(s string) string {
	return strings.TrimRight(s, ": ")
}
