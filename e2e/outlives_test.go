package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// Operations go on where processes that were killed stopped, whichever step that was: control planes are created and deleted, members join and leave, and an
// object is promoted, all at once, while Kairship's API server and its leading controller manager are killed together at each step of each of them. Nothing is
// made twice, nothing is left, and the audit log tells once how each ended.
func TestAnOperationOutlivesItsProcesses(t *testing.T) {
	whole(t)
	r := &reaper{killed: map[string][]string{}, kinds: map[string]v1alpha1.OperationKind{}}
	r.run(t)
	t.Run("while their processes are killed", func(t *testing.T) {
		for _, flow := range []struct { // those that take longest first
			name string
			run  func(*testing.T)
		}{
			{"a member that is pushed to", pushMember}, {"a member that pulls", pullMember}, {"a control plane", controlPlane}, {"a promotion", promotion},
			{"a member that is lost", lostMember},
		} {
			t.Run(flow.name, func(t *testing.T) {
				t.Parallel()
				flow.run(t)
			})
		}
	})
	r.end(t)
	whole(t)
}

// stepsOf are the steps of each kind of operation that the processes have to be killed at.
var stepsOf = map[v1alpha1.OperationKind][]string{
	v1alpha1.OperationCreateInstance: {"Create", "Install", "Connect"}, v1alpha1.OperationDeleteInstance: {"Delete", "Remove"},
	v1alpha1.OperationJoinCluster: {"Check", "Accounts", "Register", "Ready"}, v1alpha1.OperationUnjoinCluster: {"Cordon", "Drain", "Remove", "Clean up"},
	v1alpha1.OperationPromoteResource: {"Check", "Policies", "Templates", "Take over", "Hand over"},
}

// processes are those that are killed.
var processes = []string{"kairship-apiserver", "kairship-controller-manager"}

// reaper kills the processes at the steps of operations that begin while it runs: as soon as it sees a step run, or that it has run.
type reaper struct {
	since time.Time
	pids  map[string]int

	mu sync.Mutex
	// killed are the steps of each operation at which the processes were killed, by its name, and kinds what it does.
	killed map[string][]string
	kinds  map[string]v1alpha1.OperationKind
	kills  int
	err    error
	stop   func()
}

func (r *reaper) run(t *testing.T) {
	t.Helper()
	cfg := config(t, "host")
	cfg.Timeout = 0 // of watches, too
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.since = time.Now().Truncate(time.Second)
	if r.pids, err = pidsOf(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			if err := r.follow(ctx, client); err != nil && ctx.Err() == nil {
				r.mu.Lock()
				r.err = err
				r.mu.Unlock()
				return
			}
		}
	})
	r.stop = func() { cancel(); running.Wait() }
	t.Cleanup(r.stop)
}

func (r *reaper) follow(ctx context.Context, client dynamic.Interface) error {
	w, err := client.Resource(v1alpha1.OperationResource).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		u, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			return nil // the watch begins anew
		}
		var o v1alpha1.Operation
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &o); err != nil {
			return err
		}
		// Members that pull and that are lost are not what this is about.
		if o.CreationTimestamp.Time.Before(r.since) || o.Spec.Cluster == "nara" || o.Spec.Cluster == "kobe" || !r.unseen(&o) {
			continue
		}
		if err := r.kill(client); err != nil {
			return err
		}
	}
	return nil
}

// unseen notes the steps of an operation that have begun, and reports whether one of them was not seen before.
func (r *reaper) unseen(o *v1alpha1.Operation) (one bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[o.Name] = o.Spec.Kind
	for _, s := range o.Status.Steps {
		if s.State != v1alpha1.StepPending && !strings.Contains(s.Name, ": ") && !slices.Contains(r.killed[o.Name], s.Name) {
			r.killed[o.Name] = append(r.killed[o.Name], s.Name)
			one = true
		}
	}
	if one {
		r.kills++
	}
	return one
}

// kill kills the processes without a word, and waits until they are there again. Nobody asks anything meanwhile.
func (r *reaper) kill(host dynamic.Interface) error {
	calm.Lock()
	defer calm.Unlock()
	for _, name := range processes {
		if err := syscall.Kill(r.pids[name], syscall.SIGKILL); err != nil {
			return fmt.Errorf("killing %s: %w", name, err)
		}
	}
	// The next leader does not wait until the Lease of a dead one is over: it is dead indeed.
	leases := host.Resource(schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}).Namespace("kairship-system")
	if _, err := leases.Patch(context.Background(), "kairship-controller-manager", types.MergePatchType, []byte(`{"spec":{"holderIdentity":""}}`), metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("releasing the Lease of the leader: %w", err)
	}
	var last error
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
		if last = r.again(); last == nil {
			return nil
		}
	}
	return last
}

// again starts the processes again, which the playground would do after longer and longer pauses, and fails until they are ready.
func (r *reaper) again() error {
	now, err := pidsOf()
	if err != nil {
		return err
	}
	for _, name := range processes {
		if now[name] == 0 || now[name] == r.pids[name] {
			_, err := playground("start", name)
			return errors.Join(fmt.Errorf("%s does not run again", name), err)
		}
	}
	resp, err := http.Get(address + "/readyz")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the API server is not ready: %s", resp.Status)
	}
	r.pids = now
	return nil
}

// pidsOf are the ids of the processes; 0 of one that does not run.
func pidsOf() (map[string]int, error) {
	// It fails while something is not well, and answers all the same.
	out, _ := exec.Command("../bin/playground", "status", "--json").Output()
	var status struct {
		Components []struct {
			Spec struct{ Name string }
			PID  int
		}
	}
	if err := json.Unmarshal(out, &status); err != nil {
		return nil, fmt.Errorf("decode %s: %w", out, err)
	}
	pids := map[string]int{}
	for _, c := range status.Components {
		if slices.Contains(processes, c.Spec.Name) {
			pids[c.Spec.Name] = c.PID
		}
	}
	return pids, nil
}

// end expects that the processes were killed at each step of each kind of operation, that each operation was begun once, and that the audit log tells once how it
// ended.
func (r *reaper) end(t *testing.T) {
	t.Helper()
	r.stop()
	if r.err != nil {
		t.Fatal(r.err)
	}
	t.Logf("the processes were killed %d times, at %v", r.kills, r.killed)
	begun := map[v1alpha1.OperationKind]int{}
	for kind, steps := range stepsOf {
		whole := false
		for name, killed := range r.killed {
			if r.kinds[name] != kind {
				continue
			}
			begun[kind]++
			whole = whole || !slices.ContainsFunc(steps, func(s string) bool { return !slices.Contains(killed, s) })
		}
		if !whole {
			t.Errorf("no operation %s was killed at each of %q", kind, steps)
		}
	}
	for kind, n := range map[v1alpha1.OperationKind]int{v1alpha1.OperationCreateInstance: 2, v1alpha1.OperationDeleteInstance: 1, v1alpha1.OperationJoinCluster: 1,
		v1alpha1.OperationUnjoinCluster: 1, v1alpha1.OperationPromoteResource: 1} {
		if begun[kind] != n {
			t.Errorf("there were %d operations %s, want %d", begun[kind], kind, n)
		}
	}
	for cluster, namespace := range map[string]string{"host": "kairship-system", "asia": "kube-system"} {
		secrets, err := clientset(t, cluster).CoreV1().Secrets(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets.Items {
			if r.kinds[s.Name] != "" || strings.HasPrefix(s.Name, "bootstrap-token-") {
				t.Errorf("the Secret %s of an operation is left in %s", s.Name, cluster)
			}
		}
	}
	type events struct {
		AuditEvents struct {
			Nodes []struct{ Action, Outcome, Message, Via string }
		}
	}
	eventually(t, 30*time.Second, func() error {
		got, err := read[events](t, `query($since: Time!) { auditEvents(first: 200, filter: {since: $since, actions: ["createInstance", "deleteInstance", "joinCluster", "unjoinCluster", "promoteResource"]}) {
			nodes { action outcome message via } } }`, map[string]any{"since": r.since.Format(time.RFC3339)})
		if err != nil {
			return err
		}
		for name := range r.killed {
			ended := 0
			for _, e := range got.AuditEvents.Nodes {
				if e.Via == "OPERATION" && strings.HasPrefix(e.Message, "operation "+name) {
					ended++
				}
			}
			if ended != 1 {
				return fmt.Errorf("the audit log has %d ends of operation %s: %+v", ended, name, got.AuditEvents.Nodes)
			}
		}
		return nil
	})
}

// A control plane is installed and removed through the graph, with the steps of both. It is guarded by who is joined, and an
// installation that is cancelled leaves nothing.
func controlPlane(t *testing.T) {
	canManage(t)
	const name = "e2e-created"
	id := model.InstanceID(name)
	t.Cleanup(func() {
		_ = karmada(t, "host").Resource(v1alpha1.InstanceResource).Delete(context.Background(), name, metav1.DeleteOptions{})
	})
	if _, problems, _ := changedInstance(t, token, "createInstance", map[string]any{"name": name, "version": "latest"}); !slices.Equal(problems, []string{"BAD_USER_INPUT input.version"}) {
		t.Errorf("a version that is none: %q", problems)
	}
	o, problems, _ := changedInstance(t, token, "createInstance", map[string]any{"name": name, "displayName": "Created by a test"})
	if o == nil || len(problems) > 0 {
		t.Fatalf("creating: %q", problems)
	}
	if _, problems, _ := changedInstance(t, token, "createInstance", map[string]any{"name": name}); !slices.Equal(problems, []string{"CONFLICT input.name"}) {
		t.Errorf("created twice: %q", problems)
	}
	// In the midst of it.
	eventually(t, 2*time.Minute, func() error {
		is, err := operationNow(t, o.ID)
		if err != nil || !is.Cancellable || len(is.Steps) < 5 {
			return fmt.Errorf("it is %+v: %w", is, err)
		}
		return nil
	})
	if got := mutated(t, idTokenOf(t, "viewer"), "cancelOperation", map[string]any{"id": o.ID}); !slices.Equal(got, []string{"NOT_FOUND input.id"}) {
		t.Errorf("somebody else cancels it: %s", got)
	}
	if got := mutated(t, token, "cancelOperation", map[string]any{"id": o.ID}); len(got) > 0 {
		t.Fatal(got)
	}
	endsAs(t, o.ID, "CANCELLED", 3*time.Minute)
	if err := instanceGone(t, name); err != nil {
		t.Error(err)
	}
	eventually(t, 30*time.Second, func() error { return leftovers(t, name) })

	if o, problems, _ = changedInstance(t, token, "createInstance", map[string]any{"name": name, "displayName": "Created by a test"}); o == nil || len(problems) > 0 {
		t.Fatalf("creating: %q", problems)
	}
	seen := endsAs(t, o.ID, "SUCCEEDED", 5*time.Minute)
	for _, step := range []string{"Create SUCCEEDED", "Install SUCCEEDED", "Install: APIServer SUCCEEDED", "Connect SUCCEEDED"} {
		if !seen[step] {
			t.Errorf("%s was not told: %v", step, seen)
		}
	}
	if got := into[struct{ Instance struct{ State string } }](t, `{instance(name:"`+name+`"){state}}`, nil); got.Instance.State != "RUNNING" {
		t.Errorf("it is %+v", got)
	}
	if o, problems, _ = changedInstance(t, token, "deleteInstance", map[string]any{"id": id}); o == nil || len(problems) > 0 {
		t.Fatalf("deleting: %q", problems)
	}
	seen = endsAs(t, o.ID, "SUCCEEDED", 3*time.Minute)
	if !seen["Remove: RemoveControlPlane RUNNING"] && !seen["Remove: RemoveControlPlane SUCCEEDED"] {
		t.Errorf("the steps of the removal were not told: %v", seen)
	}
	eventually(t, 30*time.Second, func() error { return leftovers(t, name) })
}
