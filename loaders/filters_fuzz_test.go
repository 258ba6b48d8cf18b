package loaders

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// texts is what a user wrote into a filter.
type texts struct {
	// list is the entries of lists of names.
	list []string
	// part is what names are to contain.
	part string
	// selector of labels.
	selector string
	// word is a policy, a kind, a cluster …
	word string
	// more is for whatever is left.
	more string
}

// filtered is a list with a filter.
type filtered struct {
	listed
	// spaces and parts say that the filter's list is of namespaces, and that it asks for a part of a name.
	spaces, parts bool
	by            func(ctx context.Context, in texts) (*page, error)
}

var onePage = ListOptions{Page: model.Page{First: maxPage}}

// allFilters is every list with every field of its filter that is a text.
func allFilters() []filtered {
	plane, eu := []string{"kairship.prod"}, []string{"kairship.prod.eu"}
	members := []string{"kairship.prod.eu", "kairship.prod.us"}
	both := []string{"kairship.prod", "kairship.prod-eu"}
	member := func() *model.Cluster { return &model.Cluster{InstanceName: "prod", Name: "eu"} }
	workloads := func(ctx context.Context, q WorkloadQuery) (*page, error) {
		q.ListOptions = onePage
		conn, partial, err := From(ctx).Workloads(ctx, q)
		return pageFrom(conn, errors.Join(err, partial))
	}
	where := func(name string, at []string, spaces, parts bool, by func(context.Context, texts) (*page, error)) filtered {
		return filtered{listed: listed{name: name, at: at}, spaces: spaces, parts: parts, by: by}
	}
	return []filtered{
		where("workloads", both, true, true, func(ctx context.Context, in texts) (*page, error) {
			return workloads(ctx, WorkloadQuery{Instances: []string{"prod", "prod-eu"}, OfAll: true, Filter: &model.WorkloadFilter{Namespaces: in.list, NameContains: &in.part, LabelSelector: &in.selector}})
		}),
		where("workloads in clusters", plane, false, false, func(ctx context.Context, in texts) (*page, error) {
			return workloads(ctx, WorkloadQuery{Instances: []string{"prod"}, Filter: &model.WorkloadFilter{Clusters: in.list}})
		}),
		where("workloads of a policy", plane, false, false, func(ctx context.Context, in texts) (*page, error) {
			return workloads(ctx, WorkloadQuery{Instances: []string{"prod"}, Filter: &model.WorkloadFilter{Policy: &in.word, LabelSelector: &in.selector}})
		}),
		where("workloads in states", plane, false, true, func(ctx context.Context, in texts) (*page, error) {
			return workloads(ctx, WorkloadQuery{Instances: []string{"prod"}, Filter: &model.WorkloadFilter{NameContains: &in.part, States: []model.WorkloadState{model.WorkloadState(in.word), model.WorkloadDegraded}}})
		}),
		where("workloads of kinds in a member", eu, true, true, func(ctx context.Context, in texts) (*page, error) {
			return workloads(ctx, WorkloadQuery{Member: member(), Filter: &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.WorkloadKind(in.word), model.KindDeployment}, Namespaces: in.list, NameContains: &in.part}})
		}),
		where("policies", plane, true, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Policies(ctx, "prod", &model.PolicyFilter{Namespaces: in.list, NameContains: &in.part, LabelSelector: &in.selector}, nil, onePage))
		}),
		where("policies that select", plane, false, false, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Policies(ctx, "prod", &model.PolicyFilter{Selects: &model.PolicySelectsInput{APIVersion: &in.more, Kind: &in.word, Namespace: &in.part, Name: &in.selector}}, nil, onePage))
		}),
		where("namespaces", plane, false, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Namespaces(ctx, Place{Instance: "prod"}, &model.NamespaceFilter{Names: in.list, NameContains: &in.part, LabelSelector: &in.selector}, nil, onePage))
		}),
		where("pods", eu, true, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).MemberPods(ctx, member(), &model.PodFilter{Namespaces: in.list, NameContains: &in.part, LabelSelector: &in.selector, Phases: []model.PodPhase{model.PodPhase(in.word), model.PodRunning}}, onePage))
		}),
		where("pods of a template", members, false, false, func(ctx context.Context, in texts) (*page, error) {
			d, err := object[*model.Deployment](ctx, "prod", "", "apps/v1", "Deployment", "shop", "cart")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Pods(ctx, &d.WorkloadMeta, &model.PodFilter{Clusters: in.list, NameContains: &in.part}, onePage))
		}),
		where("events", plane, true, false, func(ctx context.Context, in texts) (*page, error) {
			since := time.Unix(int64(len(in.more)), 0)
			return pageFrom(From(ctx).PlaceEvents(ctx, Place{Instance: "prod"}, &model.EventFilter{Namespaces: in.list, Reasons: []string{in.word, "BackOff"}, RegardingKinds: []string{in.more, "Deployment"},
				Types: []model.EventType{model.EventType(in.selector), model.EventWarning}, Since: &since}, onePage))
		}),
		where("events of members", append(members, plane...), false, false, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).PlaceEvents(ctx, Place{Instance: "prod"}, &model.EventFilter{Clusters: in.list}, onePage))
		}),
		where("bindings", plane, true, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Bindings(ctx, "prod", &model.ResourceBindingFilter{Namespaces: in.list, NameContains: &in.part, Kinds: []string{in.word, in.selector}, Clusters: []string{in.more}}, onePage))
		}),
		where("resources", plane, true, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Resources(ctx, Place{Instance: "prod"}, in.more, in.word, &model.ResourceFilter{Namespaces: in.list, NameContains: &in.part, LabelSelector: &in.selector}, onePage))
		}),
		where("resources of a member", eu, true, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Resources(ctx, Place{"prod", member()}, "v1", "ConfigMap", &model.ResourceFilter{Namespaces: in.list, NameContains: &in.part, LabelSelector: &in.selector}, onePage))
		}),
		where("search", worldClusters(), false, true, func(ctx context.Context, in texts) (*page, error) {
			return pageFrom(From(ctx).Search(ctx, in.part, in.list, []string{"prod", "prod-eu"}, onePage))
		}),
	}
}

// harmless is filters of which every value is the canary, one for each form of a filter.
func harmless() []texts {
	out := []texts{
		{},
		{list: []string{canary}}, {list: []string{canary, canary + "2"}}, {part: canary}, {part: "z"},
		{list: []string{canary}, part: canary, selector: canary + "=" + canary, word: canary, more: canary},
		{list: []string{"eu"}, part: canary}, {list: []string{"eu", "us"}, part: "c"},
		{word: "cart"}, {word: "shop/cart"}, {word: canary, more: "v1"},
		{word: "Deployment", part: "shop"}, {word: "Pod", more: "v1"},
		{list: []string{"Deployment"}, part: canary}, {list: []string{"Deployment", "Pod"}, part: "z"},
		{part: canary, word: "ConfigMap", more: "v1"}, {part: "z", word: "PropagationPolicy", more: "policy.karmada.io/v1alpha1"},
		{word: "RUNNING"}, {word: "STOPPED"}, {word: "PAUSED"}, {word: "NOT_PROPAGATED"}, {word: "COMPLETED"}, {word: "DELETING"},
	}
	for _, operator := range []string{"%s=%s", "%s!=%s", "%s in (%s,a)", "%s notin (%s,a)"} {
		out = append(out, texts{selector: fmt.Sprintf(operator, canary, canary)}, texts{selector: fmt.Sprintf(operator, "propagationpolicy.karmada.io/permanent-id", canary), word: "shop/cart"},
			texts{selector: fmt.Sprintf(operator, "clusterpropagationpolicy.karmada.io/permanent-id", canary)}, texts{selector: fmt.Sprintf(operator, "resourcebinding.karmada.io/permanent-id", canary)},
			texts{selector: fmt.Sprintf(operator, "clusterresourcebinding.karmada.io/permanent-id", canary)})
	}
	for _, operator := range []string{"%s", "!%s", "%s>1", "%s<1"} {
		out = append(out, texts{selector: fmt.Sprintf(operator, canary)}, texts{selector: fmt.Sprintf(operator, canary), list: []string{canary}, word: "shop/cart"})
	}
	return out
}

// learnFilters is the words of the SQL of all filters.
func learnFilters(tb testing.TB, all []filtered) *vocabulary {
	tb.Helper()
	known := newVocabulary()
	for _, l := range all {
		for _, in := range harmless() {
			ctx, w := newWorld(tb)
			_, err := l.by(ctx, in)
			if err := told(err, model.CodeBadUserInput, model.CodeNotFound, model.CodeNotSynced); err != nil {
				tb.Fatalf("%s by %+v: %v", l.name, in, err)
			}
			known.learn(tb, w)
		}
	}
	return known
}

// wrong says which row the filter does not allow.
func (l *filtered) wrong(p *page, in texts) error {
	if err := l.foreign(p.rows); err != nil {
		return err
	}
	for _, r := range p.rows {
		if l.spaces && len(in.list) > 0 && !slices.Contains(in.list, r.Namespace) {
			return fmt.Errorf("a row of namespace %q", r.Namespace)
		}
		if l.parts && !strings.Contains(r.Name, in.part) {
			return fmt.Errorf("a row called %q", r.Name)
		}
	}
	return nil
}

// FuzzFilters asks for lists by whatever text.
func FuzzFilters(f *testing.F) {
	all := allFilters()
	known := learnFilters(f, all)
	for i := range all {
		f.Add(uint8(i), "shop|shop-a", "cart", "app=cart", "shop/cart", "v1")
		f.Add(uint8(i), "eu|us", "cart-", "app in (cart,cart-1),!x", "Deployment", "apps/v1")
		f.Add(uint8(i), "shop'); DROP TABLE resources; --", "' OR 1=1 --", "a='b'", "x') UNION SELECT 1 --", "?::text")
		f.Add(uint8(i), "\x00", "%_\\", "a>9223372036854775808", "prod-eu/cart", "v1\x00")
		f.Add(uint8(i), "us,kairship.prod-eu", "é", "app notin (x),app,!y,z<1", "ConfigMap", "v1")
		f.Add(uint8(i), "shop,shop-a", "CART", "app==cart", model.Ref{Instance: "prod-eu", GVK: model.PolicyPropagation.GVK(), Namespace: "shop", Name: "cart"}.ID(), "a/b/c")
		f.Add(uint8(i), "", "1", "x/y/z", model.Ref{Instance: "prod", Cluster: "eu", GVK: model.PolicyPropagation.GVK(), Namespace: "shop", Name: "cart"}.ID(), customGroup+"/v1")
	}
	f.Fuzz(func(t *testing.T, which uint8, list, part, selector, word, more string) {
		l := all[int(which)%len(all)]
		in := texts{part: strings.ToValidUTF8(part, "?"), selector: strings.ToValidUTF8(selector, "?"), word: strings.ToValidUTF8(word, "?"), more: strings.ToValidUTF8(more, "?")}
		if list != "" {
			in.list = strings.Split(strings.ToValidUTF8(list, "?"), "|")
		}
		ctx, w := newWorld(t)
		p, err := l.by(ctx, in)
		failed := errors.Join(told(err, model.CodeBadUserInput, model.CodeNotFound, model.CodeNotSynced), known.check(w, false))
		if err == nil && p != nil {
			failed = errors.Join(failed, l.wrong(p, in))
		}
		if failed != nil {
			t.Fatalf("%s by %+v: %v", l.name, in, failed)
		}
	})
}
