package loaders

import (
	"context"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Diagnosis says why an object is not where, or not as, it should be. The data is read for all objects of a batch
// together, and of members only where something is unhealthy.
func (k *Loaders) Diagnosis(ctx context.Context, p *model.Propagation) ([]model.Finding, error) {
	b := k.Batch(p.Object)
	if b == nil {
		// It came with its propagation, from a watch.
		found, err := panics.Catch(func() (map[*model.Object][]model.Finding, error) { return k.diagnose(ctx, []*model.Propagation{p}) })
		return found[p.Object], batch.ErrorOf(err, p.Object)
	}
	return diagnosis.Of(ctx, k, b, batch.None{}, p.Object)
}

var diagnosis = &edge[batch.None, *model.Object, []model.Finding]{
	From: objectsOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, objects []*model.Object) (map[*model.Object][]model.Finding, error) {
		ps := make([]*model.Propagation, 0, len(objects))
		for _, o := range objects {
			if p, err := k.Propagation(ctx, o); err != nil {
				return nil, err
			} else if p != nil {
				ps = append(ps, p)
			}
		}
		return k.diagnose(ctx, ps)
	},
}

// diagnosing is the data for the diagnosis of several objects.
type diagnosing struct {
	*Loaders

	of       []*model.Propagation
	policies policyBook
	works    map[model.Ref]*model.Work
	members  map[model.Ref]model.KubernetesObject
	pods     map[*model.PropagationTarget][]*model.Pod
	events   map[*model.PropagationTarget][]*model.KubernetesEvent
	needs    map[model.Ref]propagation.DependencyState
	// unread is the data that could not be read: findings of these objects may be missing.
	unread batch.Each[*model.Object]
}

func (k *Loaders) diagnose(ctx context.Context, ps []*model.Propagation) (map[*model.Object][]model.Finding, error) {
	d := &diagnosing{Loaders: k, of: ps, unread: batch.Each[*model.Object]{}}
	for _, read := range []func(context.Context) error{d.readPolicies, d.readMembers, d.readPods, d.readEvents, d.readNeeds} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	out := make(map[*model.Object][]model.Finding, len(ps))
	for _, p := range ps {
		out[p.Object] = propagation.Diagnose(d.input(p))
	}
	return out, d.unread.Any()
}

// held reports whether the read store holds a kind in a target's cluster.
func (d *diagnosing) held(t *model.PropagationTarget, gvr schema.GroupVersionResource) bool {
	err := d.source.Fleet.Synced(t.InstanceName, t.ClusterName, gvr)
	d.unread.Add(t.Of.Object, batch.Lacking(err))
	return err == nil
}

// input is the input for the diagnosis of one object.
func (d *diagnosing) input(p *model.Propagation) propagation.Diagnosis {
	o := p.Object
	in := propagation.Diagnosis{
		Object: o, Propagation: p, Now: time.Now(), Clusters: d.clusterStates(o.Ref.Instance),
		Freshness: d.Freshness(o.Ref.Instance, ""), Places: map[string]*propagation.Place{}, PoliciesHidden: d.hidesPolicies(o.Ref),
	}
	if b := d.Batch(o); b != nil {
		for _, w := range workloadMetas(b) {
			if &w.Object == o {
				in.Workload = w
			}
		}
	}
	if bodies, known := d.policies.of(o.Ref.Instance); known {
		in.Policies = policy.Order(o, bodies)
		if in.Policies == nil {
			in.Policies = []model.PolicyMatch{}
		}
		if p.Scheduled.Value != model.FactTrue {
			d.place(&in, bodies)
		}
	}
	if p.Binding != nil {
		for _, need := range p.Binding.DependsOn {
			if state, known := d.needs[need.Ref]; known {
				in.Dependencies = append(in.Dependencies, state)
			}
		}
	}
	for _, t := range p.Targets {
		place := &propagation.Place{Freshness: d.Freshness(t.InstanceName, t.ClusterName), Pods: d.pods[t], Events: d.events[t]}
		if w := d.works[workRef(o, t.ClusterName)]; w != nil && carries(w, p.Binding) {
			place.Work = w
			// Overrides that cannot be explained are not blamed.
			place.Overrides, _ = explain(o, w, t.DesiredReplicas)
		}
		in.Places[t.ClusterName] = place
	}
	return in
}

// place evaluates which clusters fit the claiming policy's placement.
func (d *diagnosing) place(in *propagation.Diagnosis, bodies []*model.PolicyBody) {
	i := slices.IndexFunc(bodies, func(b *model.PolicyBody) bool { return in.Object.Claim != nil && b.Ref == in.Object.Claim.Ref })
	if i < 0 || bodies[i].Propagation == nil {
		return
	}
	in.Claiming = bodies[i].Raw
	want := &policy.Request{GVK: in.Object.Ref.GVK}
	if in.Workload != nil {
		want.Replicas = in.Workload.Replicas
	}
	if b := in.Propagation.Binding; b != nil {
		want.Scheduled = map[string]int32{}
		for _, c := range b.Clusters {
			want.Scheduled[c.ClusterName] = 0
			if c.Replicas != nil {
				want.Scheduled[c.ClusterName] = *c.Replicas
			}
		}
		for _, e := range b.Evictions {
			want.Evicting = append(want.Evicting, e.ClusterName)
		}
		want.Cores, want.Bytes = requested(b)
	}
	placing := policy.Place(&bodies[i].Propagation.Placement, want, slices.Collect(maps.Values(in.Clusters)))
	in.Verdicts, in.Unfit = placing.Verdicts, placing.Unfit
}

// requested is the request of one replica as recorded in the binding: CPU in cores and memory in bytes.
func requested(b *model.ResourceBinding) (cores, bytes float64) {
	var o struct {
		Spec struct {
			ReplicaRequirements struct {
				ResourceRequest map[string]string `json:"resourceRequest"`
			} `json:"replicaRequirements"`
		} `json:"spec"`
	}
	if jsonv2.Unmarshal(b.Raw, &o) != nil {
		return 0, 0
	}
	amount := func(name string) float64 {
		q, err := resource.ParseQuantity(o.Spec.ReplicaRequirements.ResourceRequest[name])
		if err != nil {
			return 0
		}
		return q.AsApproximateFloat64()
	}
	return amount("cpu"), amount("memory")
}

// mostPolicies is how many policies are considered. Beyond it there are no findings about policies that could claim an
// object.
const mostPolicies = 2000

// policyBook is the propagation policies of some instances; instances of which not all were read are left out.
type policyBook map[string][]*model.PolicyBody

func (b policyBook) of(instance string) ([]*model.PolicyBody, bool) {
	bodies, known := b[instance]
	return bodies, known
}

var propagationPolicies = catalog.Resources("ClusterPropagationPolicy", "PropagationPolicy")

// hidesPolicies reports whether the reader may not see all policies that could select an object.
func (d *diagnosing) hidesPolicies(ref model.Ref) bool {
	return slices.ContainsFunc(propagationPolicies, func(gvr schema.GroupVersionResource) bool {
		namespace := ""
		if gvr == propagationPolicies[1] {
			namespace = ref.Namespace
		}
		return !d.scope.Sees(ref.Instance, gvr.GroupResource()).Has(namespace)
	})
}

// readPolicies reads the policies that could select one of the objects: one request.
func (d *diagnosing) readPolicies(ctx context.Context) error {
	d.policies = policyBook{}
	namespaces := []string{""} // that of cluster-wide policies
	var clusters []string
	var kinds []sql.Condition
	seen := map[string]bool{}
	for _, p := range d.of {
		ref := p.Object.Ref
		for _, gvr := range propagationPolicies {
			if err := d.source.Fleet.Synced(ref.Instance, "", gvr); err != nil {
				return err
			}
		}
		if _, known := d.policies[ref.Instance]; !known {
			d.policies[ref.Instance] = []*model.PolicyBody{}
			clusters = append(clusters, pediacluster.OfInstance(ref.Instance))
		}
		if !slices.Contains(namespaces, ref.Namespace) {
			namespaces = append(namespaces, ref.Namespace)
		}
		if kind := ref.GVK.Kind; !seen[kind] {
			seen[kind] = true
			kinds = append(kinds, sql.FieldContains([]string{"spec", "resourceSelectors"}, []any{map[string]any{"kind": kind}}))
		}
	}
	if len(clusters) == 0 {
		return nil
	}
	list, err := pedia.Fetch(ctx, d.source.Store, sql.Query{Scope: d.scope, Clusters: clusters, GVRs: propagationPolicies,
		Where: []sql.Condition{sql.Namespaces(namespaces...), sql.Any(kinds...)}, Limit: mostPolicies}, decodeInto[model.Policy])
	if err != nil {
		return err
	}
	if list.Full {
		d.policies = policyBook{}
		return nil
	}
	for _, p := range list.Rows {
		ref := p.ObjectRef()
		d.policies[ref.Instance] = append(d.policies[ref.Instance], p.PolicyMetadata().Body)
	}
	return nil
}

// unhealthyTargets is the targets of all objects that are not applied, unhealthy or being evicted.
func (d *diagnosing) unhealthyTargets() []*model.PropagationTarget {
	var out []*model.PropagationTarget
	for _, p := range d.of {
		for _, t := range p.Targets {
			if t.Applied.Value != model.FactTrue || t.Healthy.Value != model.FactTrue || t.Reason == model.PlacementEvicting {
				out = append(out, t)
			}
		}
	}
	return out
}

// readMembers reads the Works and member objects of unhealthy targets: one request.
func (d *diagnosing) readMembers(ctx context.Context) error {
	var refs []model.Ref
	for _, t := range d.unhealthyTargets() {
		refs = append(refs, workRef(t.Of.Object, t.ClusterName), t.MemberRef())
	}
	found, failed := d.gatherRefs(ctx, refs)
	d.works, d.members = map[model.Ref]*model.Work{}, map[model.Ref]model.KubernetesObject{}
	for ref, obj := range found {
		if w, ok := obj.(*model.Work); ok {
			d.works[ref] = w
		} else {
			d.members[ref] = obj
		}
	}
	// A member that cannot be read must not hide the findings of the others.
	for _, t := range d.unhealthyTargets() {
		if err := failed[workRef(t.Of.Object, t.ClusterName)]; err != nil {
			return err
		}
		d.unread.Add(t.Of.Object, batch.Lacking(failed[t.MemberRef()]))
	}
	return nil
}

// mostPods and mostEvents are how many are considered in each cluster.
const (
	mostPods   = 20
	mostEvents = 30
)

// readPods reads the pods of unhealthy objects in members: one request.
func (d *diagnosing) readPods(ctx context.Context) error {
	asked := &groupsAsked{limit: mostPods}
	var of []*model.PropagationTarget
	for _, t := range d.unhealthyTargets() {
		ref := t.MemberRef()
		if _, ok := model.WorkloadKindOf(ref.GVK); !ok || d.members[ref] == nil || !d.held(t, podResource[0]) {
			continue
		}
		asked.groups = append(asked.groups, sql.Group{GVR: podResource[0], Cluster: pediacluster.Name(ref.Instance, ref.Cluster),
			Where: []sql.Condition{sql.OwnedByObjects(storeKey(ref))}})
		of = append(of, t)
	}
	d.pods = map[*model.PropagationTarget][]*model.Pod{}
	return gathered(ctx, d, asked, of, d.pods)
}

// readEvents reads events about the unhealthy objects, their pods and the objects in between: one request.
func (d *diagnosing) readEvents(ctx context.Context) error {
	asked := &groupsAsked{limit: mostEvents, sorting: newestFirst}
	var of []*model.PropagationTarget
	for _, t := range d.unhealthyTargets() {
		ref := t.MemberRef()
		member, ok := d.members[ref].(interface{ ObjectMeta() *model.Object })
		if !ok || !d.held(t, eventResource[0]) {
			continue
		}
		uids := []string{member.ObjectMeta().UID}
		for _, pod := range d.pods[t] {
			uids = append(uids, pod.UID)
			for _, owner := range pod.Owners {
				if !slices.Contains(uids, owner.UID) {
					uids = append(uids, owner.UID)
				}
			}
		}
		asked.groups = append(asked.groups, sql.Group{GVR: eventResource[0], Cluster: pediacluster.Name(ref.Instance, ref.Cluster),
			Where: []sql.Condition{sql.Involving(uids...)}})
		of = append(of, t)
	}
	d.events = map[*model.PropagationTarget][]*model.KubernetesEvent{}
	return gathered(ctx, d, asked, of, d.events)
}

// gathered reads groups, one for each target, into lists by target.
func gathered[T model.KubernetesObject](ctx context.Context, d *diagnosing, asked *groupsAsked, of []*model.PropagationTarget, into map[*model.PropagationTarget][]T) error {
	if len(asked.groups) == 0 {
		return nil
	}
	lists, err := d.groups.Load(ctx, asked)()
	if err != nil {
		return err
	}
	for i := range lists {
		for _, obj := range lists[i].Rows {
			if row, ok := obj.(T); ok {
				into[of[i]] = append(into[of[i]], row)
			}
		}
	}
	return nil
}

// readNeeds reads the named dependencies of objects: one request for them and one for their bindings.
func (d *diagnosing) readNeeds(ctx context.Context) error {
	d.needs = map[model.Ref]propagation.DependencyState{}
	var refs []model.Ref
	for _, p := range d.of {
		for _, need := range d.needsOf(p) {
			refs = appendOnce(refs, need.Ref)
		}
	}
	found, failed := d.gatherRefs(ctx, refs)
	for _, p := range d.of {
		for _, need := range d.needsOf(p) {
			if err := failed[need.Ref]; err != nil {
				d.unread.Add(p.Object, batch.Lacking(err))
				continue
			}
			state := propagation.DependencyState{Dependency: need, Exists: found[need.Ref] != nil}
			if o, ok := found[need.Ref].(interface{ ObjectMeta() *model.Object }); ok {
				var err error
				state.Propagation, err = d.Propagation(ctx, o.ObjectMeta())
				d.unread.Add(p.Object, batch.Lacking(err))
			}
			d.needs[need.Ref] = state
		}
	}
	return nil
}

// needsOf is the dependencies of an object that are named and may be seen: a hidden one must not be reported as
// missing.
func (d *diagnosing) needsOf(p *model.Propagation) []model.Dependency {
	if p.Binding == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Binding.DependsOn), func(need model.Dependency) bool {
		known := catalog.ByGVK(need.Ref.GVK)
		return need.Ref.Name == "" || known != nil && !d.scope.Sees(need.Ref.Instance, known.GVR().GroupResource()).Has(need.Ref.Namespace)
	})
}
