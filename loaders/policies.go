package loaders

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/policy"
)

// PolicyBody is a policy as it is; nil when it is gone. The policies that claim workloads of one batch
// are read together, in one request.
func (k *Loaders) PolicyBody(ctx context.Context, p *model.PolicyMeta) (*model.PolicyBody, error) {
	if p.Body != nil {
		return p.Body, nil
	}
	if p.Batch == nil {
		obj, err := k.Object(ctx, p.Ref)
		if found, ok := obj.(model.Policy); ok {
			return found.PolicyMetadata().Body, err
		}
		return nil, err
	}
	return policyBodies.of(ctx, k, p.Batch, none{}, p.Ref)
}

var policyBodies = &edge[none, model.Ref, *model.PolicyBody]{
	from: claimsOf,
	read: func(ctx context.Context, k *Loaders, _ none, refs []model.Ref) (map[model.Ref]*model.PolicyBody, error) {
		found, unread := gatheredOf[model.Policy](ctx, k, refs)
		out := make(map[model.Ref]*model.PolicyBody, len(found))
		for ref, p := range found {
			out[ref] = p.PolicyMetadata().Body
		}
		return out, unread.any()
	},
}

// claimsOf is the policies that a batch has to do with: those that claim its objects, each once, and those
// that are its members.
func claimsOf(b *model.Batch) []model.Ref {
	var refs []model.Ref
	for _, o := range objectsOf(b) {
		if o.Claim != nil {
			refs = appendOnce(refs, o.Claim.Ref)
		}
	}
	for _, p := range model.Members[model.Policy](b) {
		refs = appendOnce(refs, p.ObjectRef())
	}
	return refs
}

// policyIn is a policy that a batch has to do with.
type policyIn struct {
	ref   model.Ref
	batch *model.Batch
	// body is at hand of one that came alone.
	body *model.PolicyBody
}

func policyInBatch(p *model.PolicyMeta) policyIn {
	if p.Batch == nil {
		return policyIn{p.Ref, nil, p.Body}
	}
	return policyIn{p.Ref, p.Batch, nil}
}

func policiesOf(b *model.Batch) []policyIn {
	refs := claimsOf(b)
	out := make([]policyIn, len(refs))
	for i, ref := range refs {
		out[i] = policyIn{ref, b, nil}
	}
	return out
}

func (p policyIn) id() string { return p.ref.ID() }

// bodies is policies as they are; of those that are members of their batch they are at hand.
func (k *Loaders) bodies(ctx context.Context, policies []policyIn) (map[policyIn]*model.PolicyBody, error) {
	out := make(map[policyIn]*model.PolicyBody, len(policies))
	for _, p := range policies {
		if p.batch == nil {
			continue
		}
		for _, member := range model.Members[model.Policy](p.batch) {
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
		body, err := k.PolicyBody(ctx, &model.PolicyMeta{Ref: p.ref, Batch: p.batch, Body: p.body})
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
	return filterPage(opts, list, keep)
}

// mayselect holds for all policies that can select something, and for others: what a selector selects,
// package policy decides.
func mayselect(want *model.PolicySelectsInput) pedia.Condition {
	selectors := []string{"spec", "resourceSelectors"}
	selector := map[string]any{}
	if want.Kind != nil {
		selector["kind"] = *want.Kind
	}
	if want.APIVersion != nil {
		selector["apiVersion"] = *want.APIVersion
	}
	return pedia.Any(pedia.FieldContains(selectors, []any{selector}), pedia.Not(pedia.FieldContains(selectors, []any{map[string]any{}})))
}

// PolicyMatched are the workloads that a policy claims now, or, of an override policy, those that it applies
// to. The lists of all policies of a batch are read in one request.
func (k *Loaders) PolicyMatched(ctx context.Context, p *model.PolicyMeta, opts ListOptions) (*model.WorkloadConnection, error) {
	return policyMatched.of(ctx, k, p.Batch, opts, policyInBatch(p))
}

var policyMatched = policyList("matched", decodeInto[model.Workload], func(k *Loaders, body *model.PolicyBody) ([]part, error) {
	if body.Propagation != nil {
		return k.claimedBy(body, workloadResources)
	}
	return k.selectedBy(body)
})

// PolicyBindings are the bindings of everything that a policy claims.
func (k *Loaders) PolicyBindings(ctx context.Context, p *model.PolicyMeta, opts ListOptions) (*model.ResourceBindingConnection, error) {
	return policyBindings.of(ctx, k, p.Batch, opts, policyInBatch(p))
}

var policyBindings = policyList("bindings", decodeInto[*model.ResourceBinding], func(k *Loaders, body *model.PolicyBody) ([]part, error) {
	return k.claimedBy(body, bindingResources)
})

// policyList is an edge to a list of a policy, read for all policies of a batch.
func policyList[T model.KubernetesObject](name string, decode pedia.Decode[T], parts func(*Loaders, *model.PolicyBody) ([]part, error)) *edge[ListOptions, policyIn, *model.Connection[T]] {
	return &edge[ListOptions, policyIn, *model.Connection[T]]{
		from: policiesOf,
		read: func(ctx context.Context, k *Loaders, opts ListOptions, policies []policyIn) (map[policyIn]*model.Connection[T], error) {
			bodies, err := k.bodies(ctx, policies)
			if err != nil {
				return nil, err
			}
			return paging[policyIn, T]{
				name: name, of: policyIn.id, decode: decode, metadataTells: true,
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

// claimedBy is the rows that carry the permanent id of a propagation policy.
func (k *Loaders) claimedBy(body *model.PolicyBody, gvrs []schema.GroupVersionResource) ([]part, error) {
	label, id := policy.ClaimLabel(body)
	if id == "" {
		return nil, nil // it claims nothing before it has its id
	}
	return k.nearby(body.Ref, gvrs, pedia.LabelIn(label, id))
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
			where.add(pedia.Namespaces(read.Namespace))
		}
		if len(read.Names) > 0 {
			where.add(pedia.Names(read.Names...))
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

// PolicyClusters are the clusters that a policy reaches now: those that hold something it claims, or, of an
// override policy, those of the instance that its rules are for.
func (k *Loaders) PolicyClusters(ctx context.Context, p *model.PolicyMeta) ([]*model.Cluster, error) {
	return policyClusters.of(ctx, k, p.Batch, none{}, policyInBatch(p))
}

var policyClusters = &edge[none, policyIn, []*model.Cluster]{
	from: policiesOf,
	read: func(ctx context.Context, k *Loaders, _ none, policies []policyIn) (map[policyIn][]*model.Cluster, error) {
		bodies, err := k.bodies(ctx, policies)
		if err != nil {
			return nil, err
		}
		return k.reached(ctx, bodies)
	},
}

// reached asks, for every policy and every cluster, for one binding that the policy placed there: one
// request for all.
func (k *Loaders) reached(ctx context.Context, bodies map[policyIn]*model.PolicyBody) (map[policyIn][]*model.Cluster, error) {
	out, errs := make(map[policyIn][]*model.Cluster, len(bodies)), each[policyIn]{}
	var groups []pedia.Group
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
		errs.add(p, err)
		label, id := policy.ClaimLabel(body)
		for _, name := range slices.Sorted(maps.Keys(states)) {
			switch {
			case body.Override != nil && len(policy.Rules(body, states[name])) > 0:
				out[p] = append(out[p], states[name])
			case id != "":
				parts, err := k.nearby(p.ref, bindingResources, pedia.LabelIn(label, id), placedIn(name))
				errs.add(p, err)
				errs.add(p, lacking(missingOf(parts)))
				for _, g := range groupsOf(parts) {
					groups, of = append(groups, g), append(of, pair{p, states[name]})
				}
			}
		}
	}
	if len(groups) == 0 {
		return out, errs.any()
	}
	lists, err := pedia.FetchGroups(ctx, k.source.Store, pedia.Query{Scope: k.scope, Limit: 1, Groups: groups}, decodeRow)
	if err != nil {
		return nil, err
	}
	for i := range lists {
		if mine := out[of[i].policy]; len(lists[i].Rows) > 0 && !slices.Contains(mine, of[i].cluster) {
			out[of[i].policy] = append(mine, of[i].cluster)
		}
	}
	return out, errs.any()
}
