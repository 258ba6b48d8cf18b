package loaders

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/loaders/batch"
)

var policiesAt = newListAt("policies", decodeInto[model.Policy])

// PolicyBody is a policy's body; nil when the policy is gone. The policies that claim workloads of one batch are read
// together, in one request.
func (k *Loaders) PolicyBody(ctx context.Context, p *model.PolicyMeta) (*model.PolicyBody, error) {
	if p.Body != nil {
		return p.Body, nil
	}
	return k.policyBody(ctx, p.Ref, k.Batch(p))
}

func (k *Loaders) policyBody(ctx context.Context, ref model.Ref, b *batch.Batch) (*model.PolicyBody, error) {
	if b != nil {
		return policyBodies.Of(ctx, k, b, batch.None{}, ref)
	}
	obj, err := k.Object(ctx, ref)
	if found, ok := obj.(model.Policy); ok {
		return found.PolicyMetadata().Body, err
	}
	return nil, err
}

// ClaimingPolicy is the policy of a claim; its body is read only when one of its fields is requested, together with
// those of the claims read together with this one. Nil for no claim.
func (k *Loaders) ClaimingPolicy(claim *model.PolicyClaim) model.Policy {
	if claim == nil {
		return nil
	}
	p := model.NewPolicy(model.PolicyMeta{Ref: claim.Ref})
	if p != nil {
		k.Follow(p, claim)
	}
	return p
}

var policyBodies = &edge[batch.None, model.Ref, *model.PolicyBody]{
	From: claimsOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, refs []model.Ref) (map[model.Ref]*model.PolicyBody, error) {
		found, unread := gatheredOf[model.Policy](ctx, k, refs)
		out := make(map[model.Ref]*model.PolicyBody, len(found))
		for ref, p := range found {
			out[ref] = p.PolicyMetadata().Body
		}
		return out, unread.Any()
	},
}

// claimsOf is the policies related to a batch: those that claim its objects, each once, and those that are its members.
func claimsOf(b *batch.Batch) []model.Ref {
	var refs []model.Ref
	for _, o := range objectsOf(b) {
		if o.Claim != nil {
			refs = appendOnce(refs, o.Claim.Ref)
		}
	}
	for _, p := range batch.Members[model.Policy](b) {
		refs = appendOnce(refs, p.ObjectRef())
	}
	return refs
}

// policyIn is a policy related to a batch.
type policyIn struct {
	ref   model.Ref
	batch *batch.Batch
	// body is set for a policy that came alone.
	body *model.PolicyBody
}

func (k *Loaders) policyIn(p *model.PolicyMeta) policyIn {
	if b := k.Batch(p); b != nil {
		return policyIn{p.Ref, b, nil}
	}
	return policyIn{p.Ref, nil, p.Body}
}

func (p policyIn) id() string { return p.ref.ID() }

func policiesOf(b *batch.Batch) []policyIn {
	refs := claimsOf(b)
	out := make([]policyIn, len(refs))
	for i, ref := range refs {
		out[i] = policyIn{ref, b, nil}
	}
	return out
}

// bodies is the bodies of policies; members of their batch have theirs already.
func (k *Loaders) bodies(ctx context.Context, policies []policyIn) (map[policyIn]*model.PolicyBody, error) {
	out := make(map[policyIn]*model.PolicyBody, len(policies))
	for _, p := range policies {
		if p.batch == nil {
			continue
		}
		for _, member := range batch.Members[model.Policy](p.batch) {
			if known := (policyIn{member.ObjectRef(), p.batch, nil}); slices.Contains(policies, known) {
				out[known] = member.PolicyMetadata().Body
			}
		}
		break // they are all of one batch
	}
	for _, p := range policies {
		if out[p] != nil {
			continue
		}
		body, err := p.body, error(nil)
		if body == nil {
			body, err = k.policyBody(ctx, p.ref, p.batch)
		}
		if err != nil {
			return nil, err
		}
		out[p] = body
	}
	return out, nil
}

// Policies are the policies of an instance: one request, whatever their kinds.
func (k *Loaders) Policies(ctx context.Context, instance string, f *model.PolicyFilter, by *model.PolicyOrder, opts ListOptions) (*model.PolicyConnection, error) {
	var where conditions
	gvrs := policyResources
	var keep func(model.Policy) (bool, error)
	if f != nil {
		where.namespaces(f.Namespaces)
		where.nameContains(f.NameContains)
		where.labels(f.LabelSelector)
		if f.Selects != nil {
			where.add(mayselect(f.Selects))
			keep = func(p model.Policy) (bool, error) { return policy.CanSelect(p.PolicyMetadata().Body, f.Selects), nil }
		}
		if len(f.Kinds) > 0 {
			gvrs = nil
			for _, kind := range model.PolicyKinds {
				if slices.Contains(f.Kinds, kind) {
					gvrs = append(gvrs, kind.GVR())
				}
			}
		}
	}
	if where.err != nil {
		return nil, where.err
	}
	var order sorting
	if by != nil {
		order = ordered(by.Field == model.PoliciesByCreation, by.Direction)
	}
	list := func(opts ListOptions) (*model.PolicyConnection, error) {
		return policiesAt.at(ctx, k, Place{Instance: instance}, rowsAsked{opts, gvrs, where.all, order})
	}
	if keep == nil {
		return list(opts)
	}
	return filterPage(k, opts, list, keep)
}

// mayselect holds for all policies that can select the object, and for others: package policy decides exactly.
func mayselect(want *model.PolicySelectsInput) sql.Condition {
	selectors := []string{"spec", "resourceSelectors"}
	selector := map[string]any{}
	if want.Kind != nil {
		selector["kind"] = *want.Kind
	}
	if want.APIVersion != nil {
		selector["apiVersion"] = *want.APIVersion
	}
	return sql.Any(sql.FieldContains(selectors, []any{selector}), sql.Not(sql.FieldContains(selectors, []any{map[string]any{}})))
}

// PolicyMatched are the workloads that a policy claims now; for an override policy, those that it applies to. The lists
// of all policies of a batch are read in one request.
func (k *Loaders) PolicyMatched(ctx context.Context, p *model.PolicyMeta, opts ListOptions) (*model.WorkloadConnection, error) {
	return policyMatched.Of(ctx, k, k.Batch(p), opts, k.policyIn(p))
}

var policyMatched = policyList("matched", decodeInto[model.Workload], func(k *Loaders, body *model.PolicyBody) ([]part, error) {
	if body.Propagation != nil {
		return k.claimedBy(body, workloadResources)
	}
	return k.selectedBy(body)
})

// PolicyBindings are the bindings of everything that a policy claims.
func (k *Loaders) PolicyBindings(ctx context.Context, p *model.PolicyMeta, opts ListOptions) (*model.ResourceBindingConnection, error) {
	return policyBindings.Of(ctx, k, k.Batch(p), opts, k.policyIn(p))
}

var policyBindings = policyList("bindings", decodeInto[*model.ResourceBinding], func(k *Loaders, body *model.PolicyBody) ([]part, error) {
	return k.claimedBy(body, bindingResources)
})

// policyList is an edge to a list of a policy, read for all policies of a batch.
func policyList[T model.KubernetesObject](name string, decode pedia.Decode[T], parts func(*Loaders, *model.PolicyBody) ([]part, error)) *edge[ListOptions, policyIn, *model.Connection[T]] {
	return &edge[ListOptions, policyIn, *model.Connection[T]]{
		From: policiesOf,
		Read: func(ctx context.Context, k *Loaders, opts ListOptions, policies []policyIn) (map[policyIn]*model.Connection[T], error) {
			bodies, err := k.bodies(ctx, policies)
			if err != nil {
				return nil, err
			}
			return paging[policyIn, T]{
				name: name, of: policyIn.id, decode: decode, metadataTells: true, ranked: true,
				parts: func(p policyIn) ([]part, error) {
					if body := bodies[p]; body != nil {
						return parts(k, body)
					}
					return nil, nil // it is gone
				},
			}.read(ctx, k, opts, policies)
		},
	}
}

// claimedBy is the rows with the permanent id of a propagation policy.
func (k *Loaders) claimedBy(body *model.PolicyBody, gvrs []schema.GroupVersionResource) ([]part, error) {
	label, id := policy.ClaimLabel(body)
	if id == "" {
		return nil, nil // it claims nothing before it has its id
	}
	return k.nearby(body.Ref, gvrs, sql.LabelIn(label, id))
}

// selectedBy is the workloads that an override policy's selectors select.
func (k *Loaders) selectedBy(body *model.PolicyBody) ([]part, error) {
	var out []part
	for _, read := range policy.Reads(body) {
		gvrs := workloadResources
		if !read.GVK.Empty() {
			kind, ok := model.WorkloadKindOf(read.GVK)
			if !ok {
				continue
			}
			gvrs = []schema.GroupVersionResource{kind.GVR()}
		}
		var where conditions
		if read.Namespace != "" {
			where.add(sql.Namespaces(read.Namespace))
		}
		if len(read.Names) > 0 {
			where.add(sql.Names(read.Names...))
		}
		where.labels(&read.LabelSelector)
		if where.err != nil {
			return nil, where.err
		}
		rows, err := k.nearby(body.Ref, gvrs, where.all...)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// PolicyClusters are the clusters that a policy reaches now: those that hold something it claims; for an override
// policy, those that its rules select.
func (k *Loaders) PolicyClusters(ctx context.Context, p *model.PolicyMeta) ([]*model.Cluster, error) {
	return policyClusters.Of(ctx, k, k.Batch(p), batch.None{}, k.policyIn(p))
}

var policyClusters = &edge[batch.None, policyIn, []*model.Cluster]{
	From: policiesOf,
	Read: func(ctx context.Context, k *Loaders, _ batch.None, policies []policyIn) (map[policyIn][]*model.Cluster, error) {
		bodies, err := k.bodies(ctx, policies)
		if err != nil {
			return nil, err
		}
		return k.reached(ctx, bodies)
	},
}

// reached requests, for every policy and every cluster, one binding that the policy placed there: one request for all.
func (k *Loaders) reached(ctx context.Context, bodies map[policyIn]*model.PolicyBody) (map[policyIn][]*model.Cluster, error) {
	out, errs := make(map[policyIn][]*model.Cluster, len(bodies)), batch.Each[policyIn]{}
	var groups []sql.Group
	type pair struct {
		policy  policyIn
		cluster *model.Cluster
	}
	var of []pair
	for p, body := range bodies {
		out[p] = []*model.Cluster{}
		if body == nil {
			continue
		}
		states, err := k.members(p.ref.Instance)
		errs.Add(p, err)
		label, id := policy.ClaimLabel(body)
		for _, name := range slices.Sorted(maps.Keys(states)) {
			switch {
			case body.Override != nil && len(policy.Rules(body, states[name])) > 0:
				out[p] = append(out[p], states[name])
			case id != "":
				parts, err := k.nearby(p.ref, bindingResources, sql.LabelIn(label, id), placedIn(name))
				errs.Add(p, err)
				errs.Add(p, batch.Lacking(missingOf(parts)))
				for _, g := range groupsOf(parts) {
					groups, of = append(groups, g), append(of, pair{p, states[name]})
				}
			}
		}
	}
	if len(groups) == 0 {
		return out, errs.Any()
	}
	lists, err := pedia.FetchGroups(ctx, k.source.Store, sql.Query{Scope: k.scope, Limit: 1, Groups: groups}, decodeRow)
	if err != nil {
		return nil, err
	}
	for i := range lists {
		if mine := out[of[i].policy]; len(lists[i].Rows) > 0 && !slices.Contains(mine, of[i].cluster) {
			out[of[i].policy] = append(mine, of[i].cluster)
		}
	}
	return out, errs.Any()
}

// OverridePolicies are the override policies that changed an object in any of its clusters, cluster-wide ones first.
func (k *Loaders) OverridePolicies(ctx context.Context, p *model.Propagation) ([]model.Policy, error) {
	refs := map[model.Ref]bool{}
	for _, t := range p.Targets {
		w, err := k.Work(ctx, t)
		if err != nil {
			return nil, err // *batch.Reported too: a list without those of this cluster would be wrong
		}
		if w == nil {
			continue
		}
		for _, ref := range propagation.AppliedPolicies(w) {
			refs[ref] = true
		}
	}
	out := []model.Policy{}
	for _, ref := range slices.SortedFunc(maps.Keys(refs), compareOverrides) {
		if policy := model.NewPolicy(model.PolicyMeta{Ref: ref}); policy != nil {
			out = append(out, policy)
		}
	}
	return out, nil
}

// compareOverrides orders override policies as Karmada applies them: cluster-wide ones first.
func compareOverrides(a, b model.Ref) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}
