package audit

import (
	"context"
	"slices"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Limits of the selectors of an event. A policy with more of them is recorded by the kinds that it selects, the first hundred: it is told of
// an object too many rather than too few.
const (
	maxSelectors     = 100
	maxSelectorTexts = 1000 // names, keys and values of all
)

// Selection is a policy with what it selected when somebody wrote it.
type Selection struct {
	// Policy is of the version that was written.
	Policy model.Ref
	// Selects are its selectors, at most 100; empty for everything.
	Selects []model.ResourceSelector
}

// SelectionQuery asks which policies were written whose selectors an object fits, but for their label selectors: those are not compared.
type SelectionQuery struct {
	// Object is in a control plane. Policies of its namespace are looked at, and those of none.
	Object model.Ref
	// Namespaces are those of the policies; empty is that of cluster-wide ones.
	Namespaces []string
	// Since is the earliest event; zero for no bound.
	Since time.Time
	// Scan is how many of the newest events of each namespace are looked at, Limit how many selections are found, each once.
	Scan, Limit int
}

const (
	selectionScan  = 5000
	selectionLimit = 200
)

// Policies returns what policies selected, or may have selected, of an object, as far as the viewer may see that somebody wrote them, the
// latest first. It looks at the latest 5,000 writes of policies in the namespace, and of cluster-wide ones, and returns at most 200.
// Errors are those of Page.
func (r *Reader) Policies(ctx context.Context, visible Visible, object model.Ref, since time.Time) ([]Selection, error) {
	q := SelectionQuery{Object: object, Since: since, Scan: selectionScan, Limit: selectionLimit}
	for _, namespace := range slices.Compact([]string{object.Namespace, ""}) {
		if visible.Shows(object.Instance, namespace) {
			q.Namespaces = append(q.Namespaces, namespace)
		}
	}
	switch {
	case len(q.Namespaces) == 0 || object.Cluster != "":
		return nil, nil
	case r.store == nil:
		return nil, notKept()
	}
	return r.store.AuditSelections(ctx, q)
}

// tidySelectors makes selectors fit to be stored.
func tidySelectors(selectors []model.ResourceSelector, hidden redact.Values) []model.ResourceSelector {
	if selectors == nil {
		return nil
	}
	texts := 0
	for i := range selectors {
		texts += 4
		if labels := selectors[i].LabelSelector; labels != nil {
			texts += 2 * len(labels.MatchLabels)
			for _, e := range labels.MatchExpressions {
				texts += 2 + len(e.Values)
			}
		}
	}
	narrow := len(selectors) <= maxSelectors && texts <= maxSelectorTexts
	tidied := func(text string) string { return clip(printable(redact.Tokens(hidden.Hide(text))), maxName) }
	orNil := func(text *string) *string {
		if text == nil {
			return nil
		}
		out := tidied(*text)
		return &out
	}
	out := []model.ResourceSelector{}
	kinds := map[[2]string]bool{}
	for _, s := range selectors {
		one := model.ResourceSelector{APIVersion: tidied(s.APIVersion), Kind: tidied(s.Kind)}
		kind := [2]string{one.APIVersion, one.Kind}
		switch {
		case narrow:
			one.Namespace, one.Name, one.LabelSelector = orNil(s.Namespace), orNil(s.Name), tidyLabels(s.LabelSelector, tidied)
			out = append(out, one)
		case !kinds[kind] && len(out) < maxSelectors:
			kinds[kind] = true
			out = append(out, one)
		}
	}
	return out
}

func tidyLabels(s *model.LabelSelector, tidied func(string) string) *model.LabelSelector {
	if s == nil {
		return nil
	}
	out := &model.LabelSelector{}
	for _, l := range s.MatchLabels {
		out.MatchLabels = append(out.MatchLabels, model.KeyValue{Key: tidied(l.Key), Value: tidied(l.Value)})
	}
	for _, e := range s.MatchExpressions {
		values := make([]string, len(e.Values))
		for i, v := range e.Values {
			values[i] = tidied(v)
		}
		out.MatchExpressions = append(out.MatchExpressions, model.SelectorRequirement{Key: tidied(e.Key), Operator: e.Operator, Values: values})
	}
	return out
}
