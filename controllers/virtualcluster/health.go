package virtualcluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// pediaClusterStatus is the part of a PediaCluster's status that is read here.
type pediaClusterStatus struct {
	Conditions    []metav1.Condition `json:"conditions,omitempty"`
	SyncResources []struct {
		Group     string `json:"group"`
		Resources []struct {
			Name           string `json:"name"`
			SyncConditions []struct {
				Status           string `json:"status"`
				Reason           string `json:"reason,omitempty"`
				InitialListPhase bool   `json:"initialListPhase,omitempty"`
			} `json:"syncConditions"`
		} `json:"resources"`
	} `json:"syncResources,omitempty"`
}

// health is whether Clusterpedia follows one source.
type health struct {
	synced bool
	// starting says that it is not synced yet, rather than no longer.
	starting bool
	// why it is not synced, for people.
	why string
}

// pediaConditions have to be True, in the order in which they become so.
var pediaConditions = []string{"Validated", "SynchroRunning", "ClusterHealthy"}

// startingReasons are reasons of those conditions that resolve by themselves.
var startingReasons = []string{"WaitInit", "Pending", "MonitorStop"}

func healthOf(r registered) health {
	if r.deleting() {
		return health{why: "is being dropped by Clusterpedia"}
	}
	var status pediaClusterStatus
	content, _ := r.object.Object["status"].(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, &status); err != nil {
		return health{why: fmt.Sprintf("has a status that cannot be read: %s", err)}
	}
	for _, kind := range pediaConditions {
		c := meta.FindStatusCondition(status.Conditions, kind)
		switch {
		case c == nil:
			return health{starting: true, why: "has not been taken up by Clusterpedia"}
		case c.Status != metav1.ConditionTrue:
			return health{starting: slices.Contains(startingReasons, c.Reason), why: fmt.Sprintf("%s: %s", c.Reason, text.Sentence(c.Message))}
		}
	}
	var listing, failing []string
	for _, group := range status.SyncResources {
		for _, resource := range group.Resources {
			name := schema.GroupResource{Group: group.Group, Resource: resource.Name}.String()
			for _, c := range resource.SyncConditions {
				switch {
				case c.Status == "Syncing" && !c.InitialListPhase:
				case c.Status == "Error" || c.Status == "Stop":
					failing = append(failing, strings.TrimSpace(name+" "+c.Reason))
				default:
					listing = append(listing, name)
				}
			}
		}
	}
	switch {
	case len(failing) > 0:
		return health{why: "does not follow " + text.Enumerate(failing)}
	case len(listing) > 0:
		return health{starting: true, why: "is still listing " + text.Enumerate(listing)}
	case len(status.SyncResources) == 0:
		return health{starting: true, why: "has not begun to list"}
	}
	return health{synced: true}
}

// outcome is what one pass over an instance found out besides what is registered.
type outcome struct {
	observed
	plan plan
	// unregistered are members that could not be registered yet, and why.
	unregistered map[string]string
	// unreachable is why Karmada does not answer, nil when it does.
	unreachable error
}

// objects are the PediaClusters of the instance.
func (o outcome) objects() []*unstructured.Unstructured {
	out := make([]*unstructured.Unstructured, 0, len(o.registered))
	for _, r := range o.registered {
		out = append(out, r.object)
	}
	return out
}

// shards are those that follow the instance and its members.
func (o outcome) shards() []string {
	var out []string
	for _, object := range o.objects() {
		if shard := shardOf(object); shard != "" {
			out = append(out, shard)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pending says that Karmada has neither answered nor failed to.
func (o outcome) pending() bool {
	return o.unreachable == nil && (o.identity == "" || !o.membersKnown)
}

// judge turns what was found into the condition and the numbers that people see.
func judge(o outcome) (metav1.Condition, *v1alpha1.VirtualClusterStatus) {
	numbers := &v1alpha1.VirtualClusterStatus{Name: pediacluster.OfInstance(o.instance.Name), Shards: o.shards()}
	var problems []string
	starting := true
	var syncedMembers int32
	members := slices.Sorted(maps.Keys(o.members))
	if !o.membersKnown {
		// What is registered is all that is known of the members.
		members = slices.DeleteFunc(slices.Sorted(maps.Keys(o.registered)), func(name string) bool { return name == "" })
	}
	for _, name := range members {
		h := health{starting: true, why: "is not registered yet"}
		if r, ok := o.registered[name]; ok {
			h = healthOf(r)
		} else if why, ok := o.unregistered[name]; ok {
			h = health{starting: true, why: "is not registered yet: " + why}
		}
		if h.synced {
			syncedMembers++
			continue
		}
		starting = starting && h.starting
		problems = append(problems, fmt.Sprintf("%s %s", name, h.why))
	}
	if o.membersKnown || len(members) > 0 {
		total := int32(len(members)) //nolint:gosec // a Karmada has thousands of members at most
		numbers.Members, numbers.MembersSynced = &total, &syncedMembers
	}

	root := health{starting: true, why: "is not registered yet"}
	if r, ok := o.registered[""]; ok {
		root = healthOf(r)
	}
	condition := metav1.Condition{Type: v1alpha1.ConditionReadPathSynced, Status: metav1.ConditionFalse}
	switch {
	case o.plan.rebuild:
		condition.Reason = v1alpha1.ReasonRebuilding
		condition.Message = "another Karmada, or another member, has taken the place of the one that was registered; waiting for Clusterpedia to drop " + named(o.instance.Name, append(o.plan.remove, o.plan.leaving...))
	case o.unreachable != nil:
		condition.Reason, condition.Message = connection.Trouble(o.unreachable)
	case o.pending():
		condition.Reason = v1alpha1.ReasonSyncing
		condition.Message = "waiting for Karmada's first answer"
	case !root.synced && root.starting:
		condition.Reason = v1alpha1.ReasonSyncing
		condition.Message = "the control plane " + root.why
	case !root.synced:
		condition.Reason = v1alpha1.ReasonControlPlaneNotSynced
		condition.Message = "the control plane " + root.why
	case len(problems) > 0 && starting:
		condition.Reason = v1alpha1.ReasonSyncing
		condition.Message = strings.Join(problems, "; ")
	case len(problems) > 0:
		condition.Reason = v1alpha1.ReasonMembersNotSynced
		condition.Message = strings.Join(problems, "; ")
	default:
		condition.Status = metav1.ConditionTrue
		condition.Reason = v1alpha1.ReasonSynced
		condition.Message = "the read store follows the control plane and " + counted(len(members))
	}
	return condition, numbers
}

// counted formats a number of members.
func counted(n int) string {
	switch n {
	case 0:
		return "no members"
	case 1:
		return "one member"
	default:
		return fmt.Sprintf("%d members", n)
	}
}

// named lists PediaClusters by the members that they are for.
func named(instance string, clusters []string) string {
	names := make([]string, 0, len(clusters))
	for _, cluster := range clusters {
		names = append(names, pediacluster.Name(instance, cluster))
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
