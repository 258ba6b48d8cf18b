package loaders

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// ManifestsPreview says what becomes of documents that were tried: who would claim each, and where it would go, with the policies
// among them in force.
func (k *Loaders) ManifestsPreview(ctx context.Context, instance string, tried []model.TriedDocument) (*model.ManifestsPreview, error) {
	m := &manifests{Loaders: k, instance: instance, hidden: k.hidesSome(instance), out: make([]model.DocumentPreview, len(tried)), tried: tried}
	for i := range tried {
		m.out[i] = documentPreview(&tried[i])
	}
	if err := m.read(ctx); err != nil {
		return nil, err
	}
	if len(m.of) > 0 {
		if err := m.claim(ctx); err != nil {
			return nil, err
		}
	}
	return &model.ManifestsPreview{Documents: m.out, Findings: append(k.sightFindings(instance), m.findings...)}, nil
}

// changes is what becomes of a document, by its outcome in a dry run.
var changes = map[model.ApplyOutcome]model.DocumentChange{
	model.OutcomeCreated: model.DocumentCreated, model.OutcomeConfigured: model.DocumentConfigured, model.OutcomeUnchanged: model.DocumentUnchanged,
	model.OutcomeFailed: model.DocumentRefused, model.OutcomeSkipped: model.DocumentRefused,
}

func documentPreview(d *model.TriedDocument) model.DocumentPreview {
	out := model.DocumentPreview{
		Index: d.Index, APIVersion: d.APIVersion, Kind: d.Kind, Namespace: d.Namespace, Name: d.Name, Change: changes[d.Outcome],
		Changes: d.Changes, Error: d.Error, RequiredBy: []model.PreviewObject{}, After: []model.PreviewCluster{}, Findings: []model.PreviewFinding{},
	}
	if out.Changes == nil || out.Change == model.DocumentUnchanged {
		out.Changes = []model.FieldChange{}
	}
	if d.Outcome == model.OutcomeSkipped {
		out.Error = &model.UserError{Code: string(model.CodeTimeout), Message: "it was not tried: the API server did not answer, or the time of the preview was up"}
	}
	if d.StoodIn {
		out.Findings = append(out.Findings, model.PreviewFinding{Code: model.PreviewNamespaceNew,
			Message: "Its namespace does not exist yet: it was tried under another name in the namespace \"default\"."})
	}
	return out
}

// manifests is the documents of one preview.
type manifests struct {
	*Loaders

	instance string
	tried    []model.TriedDocument
	out      []model.DocumentPreview
	findings []model.PreviewFinding
	// hidden says that there may be policies that the reader does not see.
	hidden bool
	// policies is the propagation policies among the documents.
	policies []*model.PolicyBody
	// of is the objects that are propagated, with the index of their document.
	of    []model.KubernetesObject
	index []int
	kinds []string
}

// read decodes what would be there.
func (m *manifests) read(context.Context) error {
	for i := range m.tried {
		d := &m.tried[i]
		if d.After == nil {
			continue
		}
		obj, err := propagation.Decode(d.Ref.GVK, m.instance, "", d.After)
		if err != nil {
			continue // it has another shape than its kind, which a resource of the same name may have
		}
		if p, ok := obj.(model.Policy); ok {
			if body := p.PolicyMetadata().Body; body.Propagation != nil && d.Outcome != model.OutcomeUnchanged {
				m.policies = append(m.policies, policy.Bounded(body))
				m.out[i].Findings = append(m.out[i].Findings, notComputed(body)...)
			}
			continue
		}
		meta, ok := obj.(interface{ ObjectMeta() *model.Object })
		if !ok || !propagates(meta.ObjectMeta()) {
			continue
		}
		m.of, m.index = append(m.of, obj), append(m.index, i)
		if kind := d.Ref.GVK.Kind; !slices.Contains(m.kinds, kind) {
			m.kinds = append(m.kinds, kind)
		}
	}
	return nil
}

// claim fills in who claims the objects and where they go.
func (m *manifests) claim(ctx context.Context) error {
	all, err := m.otherPolicies(ctx, model.Ref{Instance: m.instance}, "", m.kinds)
	if err != nil {
		return err
	}
	m.findings = append(m.findings, notComputed(all...)...)
	subjects, err := m.subjects(ctx, m.of)
	if err != nil {
		return err
	}
	p, err := m.newPlacing(m.instance)
	if err != nil {
		return err
	}
	_, err = panics.Catch(func() (struct{}, error) {
		where := make([]placed, len(subjects))
		for i := range subjects {
			if err := ctx.Err(); err != nil {
				return struct{}{}, err
			}
			s, d := &subjects[i], m.index[i]
			s.changed = m.out[d].Change != model.DocumentUnchanged
			if where[i], err = m.one(ctx, p, all, s, &m.out[d]); err != nil {
				return struct{}{}, err
			}
		}
		m.goAlong(subjects, where)
		return struct{}{}, nil
	})
	return err
}

// one follows an object through the changes, and returns where it is then: the policies first, as they are applied first, and then its
// own.
func (m *manifests) one(ctx context.Context, p *placing, all []*model.PolicyBody, s *subject, out *model.DocumentPreview) (placed, error) {
	object := *s.object
	under := *s
	under.object = &object
	was := object.Claim
	claimed := policy.Claimed{}
	policies := all
	moved := false
	for _, after := range m.policies {
		change := &policy.Change{Before: bodyOf(policies, after.Ref), After: after, Preemption: true, Hidden: m.hidden}
		change.Others = slices.DeleteFunc(slices.Clone(policies), func(b *model.PolicyBody) bool { return b.Ref == after.Ref })
		policies = with(change.Others, after)
		if was == nil && object.Claim == nil {
			continue // it comes after them
		}
		claimed = change.Claims(&object)
		moved = moved || claimed.Fresh || claimed.By == after
		object.Claim = claimOf(claimed.By)
	}
	if object.Claim == nil {
		change := &policy.Change{Others: policies, Before: nothing}
		claimed, moved = change.Claims(&object), true
	}
	holder := claimed.By
	if holder == nil && object.Claim != nil {
		holder = bodyOf(policies, object.Claim.Ref)
	}
	switch {
	case holder == nil && object.Claim != nil && m.hidden: // by a policy that the reader does not see
		return s.stays(), nil
	case holder == nil:
		out.Rule = rulePointer(model.RuleUnclaimed)
		return s.stays(), nil
	case claimed.By == nil:
		claimed.Rule = model.RuleFirstClaim
	}
	out.ClaimedBy, out.Rule = &model.PreviewObject{Ref: holder.Ref}, rulePointer(claimed.Rule)
	// A claim stays while the policy selects the object no more, and its binding as it was (getAndApplyPolicy).
	if !moved && !s.changed || policy.Selects(holder, &object) == policy.HowNot {
		return s.stays(), nil
	}
	return p.under(ctx, holder, &under, false)
}

// goAlong fills in where the objects go: by themselves, and along with those that depend on them.
func (m *manifests) goAlong(subjects []subject, where []placed) {
	at, bindings := map[model.Ref]int{}, map[model.Ref]bool{}
	takers := make([][]int, len(subjects))
	for i := range subjects {
		at[subjects[i].object.Ref], bindings[bindingRef(subjects[i].object)] = i, true
	}
	for i := range subjects {
		for _, d := range subjects[i].carried(&where[i]) {
			if of, ok := at[d.Ref]; ok {
				takers[of] = append(takers[of], i)
			}
		}
	}
	for i := range subjects {
		out := &m.out[m.index[i]]
		out.After, out.Findings = slices.Clone(where[i].clusters), append(out.Findings, where[i].findings...)
		along := func(name string) {
			if !slices.ContainsFunc(out.After, func(c model.PreviewCluster) bool { return c.ClusterName == name }) {
				out.After = append(out.After, model.PreviewCluster{ClusterName: name})
			}
		}
		var with []string
		for _, by := range takers[i] {
			ref := subjects[by].object.Ref
			out.RequiredBy = append(out.RequiredBy, model.PreviewObject{Ref: ref})
			with = append(with, fmt.Sprintf("%s %q", ref.GVK.Kind, ref.Name))
			for _, c := range where[by].clusters {
				along(c.ClusterName)
			}
		}
		if b := subjects[i].binding; b != nil {
			others := false
			for _, by := range b.RequiredBy {
				if bindings[by.Ref] {
					continue // it is among the documents
				}
				others = true
				for _, name := range by.Clusters {
					along(name)
				}
			}
			if others {
				with = append(with, "objects that are not among the documents")
			}
		}
		slices.SortFunc(out.After, func(a, b model.PreviewCluster) int { return strings.Compare(a.ClusterName, b.ClusterName) })
		if len(with) == 0 {
			continue
		}
		out.Findings = append(out.Findings, model.PreviewFinding{Code: model.PreviewDependents,
			Message: "It goes along with what depends on it, whose policy propagates that, too: " + strings.Join(with, ", ") + "."})
		if out.Rule != nil && *out.Rule == model.RuleUnclaimed {
			out.Rule = nil
		}
	}
}

// nothing stands for a policy that is not there.
var nothing = &model.PolicyBody{Object: model.Object{Ref: model.Ref{GVK: schema.GroupVersionKind{Kind: "none"}}}}

func rulePointer(r model.ClaimRule) *model.ClaimRule { return &r }

func bodyOf(all []*model.PolicyBody, ref model.Ref) *model.PolicyBody {
	if i := slices.IndexFunc(all, func(b *model.PolicyBody) bool { return b.Ref == ref }); i >= 0 {
		return all[i]
	}
	return nil
}

func claimOf(by *model.PolicyBody) *model.PolicyClaim {
	if by == nil {
		return nil
	}
	return &model.PolicyClaim{Ref: by.Ref}
}
