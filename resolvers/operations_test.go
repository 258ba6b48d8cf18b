package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/operations"
	"github.com/kairship-io/kairship/internal/rbac"
)

// hostOperation is an Operation as the host cluster has it.
func hostOperation(name, actor string, second int64, spec v1alpha1.OperationSpec, state v1alpha1.OperationState) *v1alpha1.Operation {
	o := &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "the-one-meant", ResourceVersion: "1", CreationTimestamp: metav1.Unix(second, 0)}, Spec: spec}
	o.Spec.Actor.Name = "kairship:oidc:" + actor
	at := metav1.Unix(second+1, 0)
	o.Status = v1alpha1.OperationStatus{State: state, Message: "for the control plane", Cancellable: state == v1alpha1.OperationRunning,
		Steps: []v1alpha1.Step{{Name: "Create", State: v1alpha1.StepSucceeded, StartedAt: &at, FinishedAt: &at}, {Name: "Install", State: v1alpha1.StepRunning, Message: "Etcd"}}}
	if state.Ended() {
		o.Status.FinishedAt = &at
	}
	return o
}

// operationsOfWorld are operations on both instances, by people who see them and by some who do not.
func operationsOfWorld() *operations.Operations { return operations.Of(hostOperations()...) }

func hostOperations() []*v1alpha1.Operation {
	removed := v1alpha1.OperationSpec{Kind: v1alpha1.OperationUnjoinCluster, Instance: "asia", Cluster: "member-00", UnjoinCluster: &v1alpha1.UnjoinClusterInput{}}
	taken := v1alpha1.OperationSpec{Kind: v1alpha1.OperationPromoteResource, Instance: "europe", Cluster: "member-00", PromoteResource: &v1alpha1.PromoteResourceInput{},
		Object: &v1alpha1.OperationObject{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "cart"}}
	made := v1alpha1.OperationSpec{Kind: v1alpha1.OperationCreateInstance, Instance: "africa", CreateInstance: &v1alpha1.CreateInstanceInput{Instance: "{}"}}
	return []*v1alpha1.Operation{
		hostOperation("unjoin-asia", "owner", 10, removed, v1alpha1.OperationRunning),
		hostOperation("promote-europe", "viewer", 20, taken, v1alpha1.OperationSucceeded),
		hostOperation("promote-europe-again", "ann", 20, taken, v1alpha1.OperationFailed),
		hostOperation("create-africa", "owner", 30, made, v1alpha1.OperationCancelled),
	}
}

// underWay are the operations of which there is to be told in a round.
func underWay(round string) []*v1alpha1.Operation {
	spec := v1alpha1.OperationSpec{Kind: v1alpha1.OperationUnjoinCluster, Instance: "asia", Cluster: "member-00", UnjoinCluster: &v1alpha1.UnjoinClusterInput{}}
	ofOwner := hostOperation("unjoin-asia", "owner", 10, spec, v1alpha1.OperationRunning)
	spec.Instance = "europe"
	ofViewer := hostOperation("unjoin-europe", "viewer", 10, spec, v1alpha1.OperationRunning)
	ofOwner.Status.Message, ofViewer.Status.Message = round, round
	return []*v1alpha1.Operation{ofOwner, ofViewer}
}

// inMemory are the operations of a process. Those that are asked for stay as they are; those that are followed change, as what the hub
// watches does.
type inMemory struct {
	*begun
	followed *operations.Operations
	// holds says which there are; nil for all.
	holds func(name string) bool
}

func newInMemory() *inMemory { return &inMemory{begun: operationsOfWorld(), followed: operations.Of()} }

// keep leaves those of some names.
func (m *inMemory) keep(names []string) {
	m.holds = func(name string) bool { return slices.Contains(names, name) }
	m.begun, m.followed = operations.Of(m.held(hostOperations())...), operations.Of(m.held(underWay("none"))...)
}

func (m *inMemory) held(all []*v1alpha1.Operation) []*v1alpha1.Operation {
	return slices.DeleteFunc(all, func(o *v1alpha1.Operation) bool { return m.holds != nil && !m.holds(o.Name) })
}

func (m *inMemory) touch(round string) {
	for _, o := range m.held(underWay(round)) {
		m.followed.Put(o)
	}
}

func (m *inMemory) Follow(ctx context.Context, p auth.Principal, s rbac.Scope, name string) (<-chan *model.Operation, error) {
	return m.followed.Follow(ctx, p, s, name)
}

// begun are operations, under a name that is none of their methods.
type begun = operations.Operations

// hosted is what changes instances and begins operations; what is to be changed is noted as if it were sent to an instance.
type hosted struct {
	*begun
	*roles
}

func newHosted(r *roles) *hosted { return &hosted{operationsOfWorld(), r} }

func (h *hosted) Create(_ context.Context, spec v1alpha1.OperationSpec, _ map[string][]byte, dryRun bool) (*model.Operation, error) {
	h.note("begin "+string(spec.Kind), dryRun)
	return &model.Operation{Name: "made", Kind: model.OperationCreateInstance, State: model.OperationPending, InstanceName: spec.Instance, Actor: spec.Actor.Name, CreatedAt: time.Unix(1, 0)}, nil
}

func (h *hosted) Cancel(_ context.Context, name, _ string, dryRun bool) (*model.Operation, error) {
	h.note("cancel "+name, dryRun)
	return &model.Operation{Name: name, InstanceName: "asia", CancelRequested: true}, nil
}

func (h *hosted) Unfinished(string, string) (_, _ []*model.Operation) { return nil, nil }

func (h *hosted) Try(_ context.Context, _ rbac.Scope, i *v1alpha1.Instance) (*model.Instance, error) {
	return &model.Instance{Name: i.Name}, nil
}

func (h *hosted) Edit(_ context.Context, _ rbac.Scope, name, _ string, dryRun bool, change func(*v1alpha1.Instance) error) (*model.Instance, error) {
	if err := change(&v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "the-one-meant"}}); err != nil {
		return nil, err
	}
	h.note("edit "+name, dryRun)
	return &model.Instance{Name: name}, nil
}

func (h *hosted) UID(context.Context, string) (string, bool, error) {
	return "the-one-meant", false, nil
}

func (h *hosted) TryDelete(context.Context, string, string) error { return nil }

func (h *hosted) Check(context.Context, []byte) (string, error) { return "identity", nil }

func (h *hosted) Identity(rbac.Scope, string) string { return "identity" }

func (h *hosted) Rotate(_ context.Context, name string, _ []byte, _, dryRun bool) error {
	h.note("rotate "+name, dryRun)
	return nil
}

// Who asked for an operation sees it, and so do the Admins of its instance; to all others it is not there.
func TestOperationsAreForThoseWhoAskedAndForAdmins(t *testing.T) {
	for who, want := range map[string][]string{
		"owner":     {"create-africa", "promote-europe", "promote-europe-again", "unjoin-asia"},
		"viewer":    {"promote-europe"}, // its own
		"editor":    nil,                // of asia, in a namespace
		"neighbour": {"create-africa"},  // an Admin of that instance, which is not there yet
		"stranger":  nil,
	} {
		c := newChanging(t)
		var names []string
		for _, name := range []string{"create-africa", "promote-europe", "promote-europe-again", "unjoin-asia"} {
			id := strconv.Quote((&model.Operation{Name: name}).ID())
			got := c.query(t, who, `{operation(id:`+id+`){name} node(id:`+id+`){id}}`)
			if said := fmt.Sprint(got.Data); strings.Contains(said, "name:"+name) {
				names = append(names, name)
			} else if said != "map[node:<nil> operation:<nil>]" || len(got.Errors) > 0 {
				t.Errorf("of what is hidden %s is told %s %v", who, said, got.Errors)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s sees %q, want %q", who, names, want)
		}
		got := c.query(t, who, `{operations(first:200){totalCount nodes{name}}}`)
		if said := fmt.Sprint(got.Data); strings.Count(said, "name:") != len(want) || len(got.Errors) > 0 {
			t.Errorf("%s is listed %s %v", who, said, got.Errors)
		}
	}
}

func TestOperationsAreListedNewestFirstPageByPage(t *testing.T) {
	c := newChanging(t)
	var names []string
	for after := ""; ; {
		got := c.query(t, "owner", `{operations(first:1, after:`+strconv.Quote(after)+`){nodes{name} pageInfo{hasNextPage endCursor}}}`)
		page := got.Data.(map[string]any)["operations"].(map[string]any)
		for _, n := range page["nodes"].([]any) {
			names = append(names, n.(map[string]any)["name"].(string))
		}
		info := page["pageInfo"].(map[string]any)
		if more, _ := info["hasNextPage"].(bool); !more {
			break
		}
		after = info["endCursor"].(string)
	}
	if want := []string{"create-africa", "promote-europe", "promote-europe-again", "unjoin-asia"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	for filter, want := range map[string]string{
		`instances:["asia"]`: "unjoin-asia", `kinds:[CREATE_INSTANCE]`: "create-africa", `states:[FAILED]`: "promote-europe-again", `mine:true, states:[RUNNING]`: "unjoin-asia",
	} {
		got := c.query(t, "owner", `{operations(filter:{`+filter+`}){nodes{name}}}`)
		if said := fmt.Sprint(got.Data); said != "map[operations:map[nodes:[map[name:"+want+"]]]]" {
			t.Errorf("%s: %s", filter, said)
		}
	}
}

func TestOnlyWhatCanBeCancelledIs(t *testing.T) {
	for _, tc := range []struct{ who, name, want string }{
		{"owner", "unjoin-asia", "cancelRequested:true"}, {"editor", "unjoin-asia", "NOT_FOUND"}, {"owner", "none", "NOT_FOUND"},
		{"viewer", "promote-europe", "CONFLICT"},
	} {
		c := newChanging(t)
		got := c.mutate(t, tc.who, `cancelOperation(input:{id:`+strconv.Quote((&model.Operation{Name: tc.name}).ID())+`}){operation{cancelRequested} userErrors{code}}`)
		if said := fmt.Sprint(got.Data, got.Errors); !strings.Contains(said, tc.want) {
			t.Errorf("%s cancels %s: %s, want %s", tc.who, tc.name, said, tc.want)
		}
	}
}
