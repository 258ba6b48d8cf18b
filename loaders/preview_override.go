package loaders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// OverridePreview is a change of an override policy as it is previewed; see PolicyPreview.
func (k *Loaders) OverridePreview(ctx context.Context, proposed *model.ProposedPolicy) (*model.OverridePreview, error) {
	before, after, err := k.changed(ctx, proposed)
	if err != nil {
		return nil, err
	}
	instance := proposed.Ref.Instance
	p := &model.OverridePreview{Instance: instance, Before: before, After: after, Proposed: proposed,
		Findings: append(k.sightFindings(instance, before, after), notComputed(before)...)}
	if slices.ContainsFunc(selectedKinds(before, after), isNoKind) {
		p.Findings = append(p.Findings, model.PreviewFinding{Code: model.PreviewIncomplete,
			Message: "The policy selects everything: objects of kinds that the read store does not keep are not among the rows."})
	}
	return p, nil
}

var overridePolicies = catalog.Resources("ClusterOverridePolicy", "OverridePolicy")

const (
	// mostPairs is how many pairs of objects and clusters are compared for one page.
	mostPairs = 4000
	// mostChangeBytes is the most of paths and values that the changes of one page have together: ten large objects, or 4 KiB for each pair. One
	// policy may put the same megabyte into every object in every cluster.
	mostChangeBytes = 16 << 20
)

// OverridePreviewRows are the objects that a change of an override policy concerns.
func (k *Loaders) OverridePreviewRows(ctx context.Context, p *model.OverridePreview, opts ListOptions) (*model.OverridePreviewRowConnection, error) {
	if before := p.Before; before != nil && before.Excess != "" {
		return nil, tooCostly(fmt.Sprintf("%s %q has %s: what it changes now is not computed", before.Ref.GVK.Kind, before.Ref.Place(), before.Excess))
	}
	concern := concerned{instance: p.Instance, ref: p.Ref(), selecting: p.After, also: p.Before, kinds: selectedKinds(p.Before, p.After)}
	page, partial := k.concernedBy(ctx, &concern, opts)
	if page == nil {
		return nil, partial
	}
	subjects, err := k.subjects(ctx, page.Nodes())
	if err != nil {
		return nil, err
	}
	kinds := []string{}
	for i := range subjects {
		if kind := subjects[i].object.Ref.GVK.Kind; !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	others, err := k.policiesOf(ctx, p.Ref(), p.Ref().Namespace, kinds, overridePolicies)
	if err != nil {
		return nil, err
	}
	for _, finding := range notComputed(others...) {
		partial = cmp.Or(partial, tooCostly(finding.Message))
	}
	members, err := k.members(p.Instance)
	if err != nil {
		return nil, err
	}
	pairs := 0
	for i := range subjects {
		if subjects[i].binding != nil {
			pairs += len(subjects[i].binding.Clusters)
		}
	}
	if pairs > mostPairs {
		return nil, &model.Error{Code: model.CodeLimitExceeded, Instance: p.Instance,
			Message: fmt.Sprintf("these rows are %d pairs of objects and clusters, at most %d are compared at once: ask for fewer rows", pairs, mostPairs)}
	}
	o := &overriding{before: with(others, p.Before), after: with(others, p.After), members: members, read: map[*model.PolicyBody]*policy.Overriding{}}
	rows, err := panics.Catch(func() ([]*model.OverridePreviewRow, error) {
		out := make([]*model.OverridePreviewRow, len(subjects))
		for i := range subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			row, err := o.row(&subjects[i])
			if err != nil {
				return nil, err
			}
			out[i] = row
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	return sameEdges(page, rows), partial
}

// with is policies and one more, which may be nil.
func with(others []*model.PolicyBody, one *model.PolicyBody) []*model.PolicyBody {
	if one == nil {
		return others
	}
	return append(slices.Clip(slices.Clone(others)), one)
}

// overriding computes what override policies change on one page.
type overriding struct {
	before, after []*model.PolicyBody
	members       map[string]*model.Cluster
	// read is the policies whose overriders were read.
	read map[*model.PolicyBody]*policy.Overriding
	// bytes is those of the changes so far.
	bytes int
}

// row is what changes of an object in its clusters.
func (o *overriding) row(s *subject) (*model.OverridePreviewRow, error) {
	row := &model.OverridePreviewRow{Object: model.PreviewObject{Ref: s.object.Ref}, Clusters: []model.OverridePreviewCluster{}}
	ordered := [2][]*model.PolicyBody{policy.OrderOverrides(s.object, o.before), policy.OrderOverrides(s.object, o.after)}
	for _, at := range s.places() {
		c := o.members[at.ClusterName]
		if c == nil {
			continue // it is not joined any more
		}
		out := model.OverridePreviewCluster{ClusterName: c.Name, Policies: []model.PreviewObject{}}
		var sent [2][]byte
		for i := range ordered {
			rules, applied, err := o.rules(ordered[i], c)
			if err != nil {
				return nil, err
			}
			raw, problem := propagation.Overridden(s.object.Ref, s.object.Raw, at.Replicas, rules)
			if raw == nil {
				return nil, problem
			}
			if sent[i], err = objects.Mask(s.object.Ref.GVK.GroupKind(), raw); err != nil {
				return nil, err
			}
			if i == 1 {
				out.Policies = applied
				if problem != nil {
					text := problem.Error()
					out.Problem = &text
				}
			}
		}
		changes, err := objects.Diff(sent[0], sent[1])
		if err != nil {
			return nil, err
		}
		for i := range changes {
			o.bytes += bytesOf(&changes[i])
		}
		if o.bytes > mostChangeBytes {
			return nil, tooCostly(fmt.Sprintf("the changes of these rows have more than %d bytes together, up to %s %q in cluster %q: ask for fewer rows",
				mostChangeBytes, s.object.Ref.GVK.Kind, s.object.Ref.Place(), c.Name))
		}
		out.Changes = changes
		row.Clusters = append(row.Clusters, out)
	}
	return row, nil
}

// places is the clusters that an object is sent to, because it is scheduled there or because something else needs it there.
func (s *subject) places() []model.PreviewCluster {
	out := s.now()
	if s.binding == nil {
		return out
	}
	for _, d := range s.binding.RequiredBy {
		for _, name := range d.Clusters {
			if !slices.ContainsFunc(out, func(c model.PreviewCluster) bool { return c.ClusterName == name }) {
				out = append(out, model.PreviewCluster{ClusterName: name})
			}
		}
	}
	slices.SortFunc(out, func(a, b model.PreviewCluster) int { return strings.Compare(a.ClusterName, b.ClusterName) })
	return out
}

func bytesOf(c *model.FieldChange) int {
	n := len(c.Path)
	for _, value := range []*string{c.From, c.To} {
		if value != nil {
			n += len(*value)
		}
	}
	return n
}

// rules is what policies do to an object in a cluster, in their order, and which of them do anything there.
func (o *overriding) rules(policies []*model.PolicyBody, c *model.Cluster) ([]policyv1alpha1.Overriders, []model.PreviewObject, error) {
	var rules []policyv1alpha1.Overriders
	applied := []model.PreviewObject{}
	for _, p := range policies {
		read := o.read[p]
		if read == nil {
			var err error
			if read, err = policy.NewOverriding(p); err != nil {
				return nil, nil, err
			}
			o.read[p] = read
		}
		if mine := read.In(c); len(mine) > 0 {
			rules, applied = append(rules, mine...), append(applied, model.PreviewObject{Ref: p.Ref})
		}
	}
	return rules, applied, nil
}
