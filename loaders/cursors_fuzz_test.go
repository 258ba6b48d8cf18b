package loaders

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// listed is one of the lists of the graph.
type listed struct {
	name string
	// at is the PediaClusters that its rows may be from, namespace the only namespace; empty for any.
	at        []string
	namespace string
	read      func(ctx context.Context, opts ListOptions) (*page, error)
}

// allLists is every list that is paged beyond a cursor.
func allLists() []listed {
	const apps, core = "apps/v1", "v1"
	plane, eu := []string{"kairship.prod"}, []string{"kairship.prod.eu"}
	members := []string{"kairship.prod.eu", "kairship.prod.us"}
	member := func() *model.Cluster { return &model.Cluster{InstanceName: "prod", Name: "eu"} }
	deployment := func(ctx context.Context, cluster string) (*model.Deployment, error) {
		return object[*model.Deployment](ctx, "prod", cluster, apps, "Deployment", "shop", "cart")
	}
	policyOf := func(ctx context.Context, kind string) (*model.PolicyMeta, error) {
		p, err := object[model.Policy](ctx, "prod", "", "policy.karmada.io/v1alpha1", kind, "shop", "cart")
		if err != nil {
			return nil, err
		}
		return p.PolicyMetadata(), nil
	}
	workloads := func(q WorkloadQuery) func(context.Context, ListOptions) (*page, error) {
		return func(ctx context.Context, opts ListOptions) (*page, error) {
			q := q
			q.ListOptions = opts
			conn, partial, err := From(ctx).Workloads(ctx, q)
			return pageFrom(conn, errors.Join(err, partial))
		}
	}
	created := &model.WorkloadOrder{Field: model.WorkloadsByCreation, Direction: model.Ascending}
	latest := &model.WorkloadOrder{Field: model.WorkloadsByCreation, Direction: model.Descending}
	down := &model.WorkloadOrder{Field: model.WorkloadsByName, Direction: model.Descending}
	prod, both := []string{"prod"}, []string{"prod", "prod-eu"}
	return []listed{
		{"workloads", plane, "", workloads(WorkloadQuery{Instances: prod})},
		{"workloads of all instances", []string{"kairship.prod", "kairship.prod-eu"}, "", workloads(WorkloadQuery{Instances: both, OfAll: true})},
		{"workloads by creation", []string{"kairship.prod", "kairship.prod-eu"}, "", workloads(WorkloadQuery{Instances: both, OfAll: true, Order: created})},
		{"workloads, the newest first", plane, "", workloads(WorkloadQuery{Instances: prod, Order: latest})},
		{"workloads from the end", plane, "", workloads(WorkloadQuery{Instances: prod, Order: down})},
		{"workloads of a namespace", plane, "shop", workloads(WorkloadQuery{Instances: prod, Namespace: "shop"})},
		{"workloads in states", plane, "", workloads(WorkloadQuery{Instances: prod, Filter: &model.WorkloadFilter{States: []model.WorkloadState{model.WorkloadProgressing, model.WorkloadDegraded, model.WorkloadUnknown}}})},
		{"workloads of one kind by creation", plane, "", workloads(WorkloadQuery{Instances: prod, Order: created, Filter: &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindJob}}})},
		{"workloads in a member", eu, "", workloads(WorkloadQuery{Member: member()})},
		{"workloads of a namespace in a member", eu, "shop", workloads(WorkloadQuery{Member: member(), Namespace: "shop"})},
		{"namespaces", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Namespaces(ctx, Place{Instance: "prod"}, nil, nil, opts))
		}},
		{"namespaces of a member by creation", eu, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Namespaces(ctx, Place{"prod", member()}, nil, &model.NamespaceOrder{Field: model.NamespacesByCreation, Direction: model.Descending}, opts))
		}},
		{"nodes", eu, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Nodes(ctx, member(), opts))
		}},
		{"pods of a member", eu, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).MemberPods(ctx, member(), nil, opts))
		}},
		{"events", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).PlaceEvents(ctx, Place{Instance: "prod"}, nil, opts))
		}},
		{"events of members", members, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).PlaceEvents(ctx, Place{Instance: "prod"}, &model.EventFilter{Clusters: []string{"eu", "us"}}, opts))
		}},
		{"bindings", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Bindings(ctx, "prod", nil, opts))
		}},
		{"bindings of a member", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).ClusterBindings(ctx, member(), nil, opts))
		}},
		{"evictions", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Evictions(ctx, member(), opts))
		}},
		{"policies", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Policies(ctx, "prod", nil, nil, opts))
		}},
		{"policies by creation that select Deployments", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			kind := "Deployment"
			return pageFrom(From(ctx).Policies(ctx, "prod", &model.PolicyFilter{Selects: &model.PolicySelectsInput{Kind: &kind}},
				&model.PolicyOrder{Field: model.PoliciesByCreation, Direction: model.Ascending}, opts))
		}},
		{"what a policy claims", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			p, err := policyOf(ctx, "PropagationPolicy")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).PolicyMatched(ctx, p, opts))
		}},
		{"what an override policy with several selectors applies to", plane, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			p, err := policyOf(ctx, "OverridePolicy")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).PolicyMatched(ctx, p, opts))
		}},
		{"bindings of a policy", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			p, err := policyOf(ctx, "PropagationPolicy")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).PolicyBindings(ctx, p, opts))
		}},
		{"policies of a namespace", plane, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			n, err := object[*model.Namespace](ctx, "prod", "", core, "Namespace", "", "cart")
			if err != nil {
				return nil, err
			}
			n.Ref.Name = "shop"
			return pageFrom(From(ctx).NamespacePolicies(ctx, n, opts))
		}},
		{"children", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := deployment(ctx, "eu")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Children(ctx, &d.Object, opts))
		}},
		{"children of one of several", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := oneOfSeveral(ctx)
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Children(ctx, d, opts))
		}},
		{"events of one of several", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := oneOfSeveral(ctx)
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Events(ctx, d, opts))
		}},
		{"events of an object", plane, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := deployment(ctx, "")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Events(ctx, &d.Object, opts))
		}},
		{"pods of a template", members, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := deployment(ctx, "")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Pods(ctx, &d.WorkloadMeta, nil, opts))
		}},
		{"pods of a workload in a member", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := deployment(ctx, "eu")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Pods(ctx, &d.WorkloadMeta, nil, opts))
		}},
		{"services of a workload", plane, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			d, err := deployment(ctx, "")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).Services(ctx, &d.WorkloadMeta, opts))
		}},
		{"pods of a service", members, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			s, err := object[*model.Service](ctx, "prod", "", core, "Service", "shop", "cart")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).ServicePods(ctx, s, opts))
		}},
		{"workloads of a service", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			s, err := object[*model.Service](ctx, "prod", "eu", core, "Service", "shop", "cart")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).ServiceWorkloads(ctx, s, opts))
		}},
		{"pods of a node", eu, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			n, err := object[*model.ClusterNode](ctx, "prod", "eu", core, "Node", "", "cart")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).NodePods(ctx, n, opts))
		}},
		{"services of a pod", eu, "shop", func(ctx context.Context, opts ListOptions) (*page, error) {
			p, err := object[*model.Pod](ctx, "prod", "eu", core, "Pod", "shop", "cart")
			if err != nil {
				return nil, err
			}
			return pageFrom(From(ctx).PodServices(ctx, p, opts))
		}},
		{"resources", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Resources(ctx, Place{Instance: "prod"}, core, "ConfigMap", nil, opts))
		}},
		{"resources of a member", eu, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Resources(ctx, Place{"prod", member()}, apps, "Deployment", nil, opts))
		}},
		{"custom resources", plane, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Resources(ctx, Place{Instance: "prod"}, customGroup+"/v1", "Deployment", nil, opts))
		}},
		{"search", []string{"kairship.prod", "kairship.prod.eu", "kairship.prod.us"}, "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Search(ctx, "cart-", nil, prod, opts))
		}},
		{"search over all instances", worldClusters(), "", func(ctx context.Context, opts ListOptions) (*page, error) {
			return pageFrom(From(ctx).Search(ctx, "car", []string{"Pod", "Deployment"}, both, opts))
		}},
	}
}

// oneOfSeveral is a Deployment that was read together with other workloads.
func oneOfSeveral(ctx context.Context) (*model.Object, error) {
	q := WorkloadQuery{Member: &model.Cluster{InstanceName: "prod", Name: "eu"}, ListOptions: ListOptions{Page: model.Page{First: 5}}}
	conn, partial, err := From(ctx).Workloads(ctx, q)
	if err := errors.Join(err, partial); err != nil {
		return nil, err
	}
	for _, w := range conn.Nodes() {
		if w.Meta().Ref.GVK.Kind == "Deployment" {
			return &w.Meta().Object, nil
		}
	}
	return nil, errors.New("there is no Deployment among the workloads")
}

// whole is a list read in one page, and what may be in it.
type whole struct {
	listed
	rows    []row
	cursors []string
}

// readWholes reads every list whole, and learns the SQL of its pages: from every row.
func readWholes(tb testing.TB) ([]whole, *vocabulary) {
	tb.Helper()
	var all []whole
	known := newVocabulary()
	for _, l := range allLists() {
		ctx, w := newWorld(tb)
		p, err := l.read(ctx, ListOptions{Page: model.Page{First: maxPage}})
		if err != nil || p == nil || p.info.HasNextPage {
			tb.Fatalf("%s: %+v, %v", l.name, p, err)
		}
		if err := l.foreign(p.rows); err != nil {
			tb.Fatalf("%s: %v", l.name, err)
		}
		known.learn(tb, w)
		all = append(all, whole{l, p.rows, p.cursors})
		for i, cursor := range p.cursors {
			if len(p.cursors) > 20 && i%5 != 0 {
				continue
			}
			ctx, w := newWorld(tb)
			if _, err := l.read(ctx, ListOptions{Page: model.Page{First: 1 + i%3, After: cursor}}); err != nil {
				tb.Fatalf("%s, after row %d: %v", l.name, i, err)
			}
			known.learn(tb, w)
		}
	}
	return all, known
}

// foreign says which row is not of the list's place.
func (l *listed) foreign(rows []row) error {
	for _, r := range rows {
		if at := pediacluster.Name(r.Instance, r.Cluster); !slices.Contains(l.at, at) || l.namespace != "" && r.Namespace != l.namespace {
			return fmt.Errorf("a row of %s: %+v", at, r)
		}
		custom := strings.Contains(r.uid, "/custom/")
		if !strings.HasPrefix(r.uid, pediacluster.Name(r.Instance, r.Cluster)+"/") || custom != (r.GVK.Group == customGroup) {
			return fmt.Errorf("%+v is really %s", r.Ref, r.uid)
		}
	}
	return nil
}

// part says what is wrong with a page that was read beyond a cursor: it has to be a piece of the list, as
// long as was asked for unless the list ends there.
func (l *whole) part(p *page, first int) error {
	if p == nil {
		return errors.New("there is neither a page nor an error")
	}
	if len(p.rows) > first {
		return fmt.Errorf("%d rows, %d were asked for", len(p.rows), first)
	}
	if err := l.foreign(p.rows); err != nil {
		return err
	}
	if len(p.rows) == 0 {
		if p.info.HasNextPage {
			return errors.New("an empty page before the end")
		}
		return nil
	}
	from := slices.Index(l.rows, p.rows[0])
	if from < 0 || !slices.Equal(l.rows[from:from+len(p.rows)], p.rows) {
		return fmt.Errorf("the page is no piece of the list: %v", p.rows)
	}
	end := from+len(p.rows) == len(l.rows)
	if p.info.HasNextPage == end || !end && len(p.rows) < first {
		return fmt.Errorf("the page ends at row %d of %d, and says that more follow: %v", from+len(p.rows), len(l.rows), p.info.HasNextPage)
	}
	return nil
}

func TestEveryListIsReadPageByPageWithoutLossOrRepetition(t *testing.T) {
	all, known := readWholes(t)
	for _, l := range all {
		t.Run(l.name, func(t *testing.T) {
			if len(l.rows) < 2 {
				t.Fatalf("only %d rows: nothing is shown by them", len(l.rows))
			}
			for _, first := range []int{1, 2, 3, 7} {
				var rows []row
				for after := ""; ; {
					ctx, w := newWorld(t)
					p, err := l.read(ctx, ListOptions{Page: model.Page{First: first, After: after}})
					if err != nil {
						t.Fatal(err)
					}
					if err := errors.Join(l.part(p, first), known.check(w, true)); err != nil {
						t.Fatal(err)
					}
					rows = append(rows, p.rows...)
					if !p.info.HasNextPage || len(rows) > len(l.rows) {
						break
					}
					after = *p.info.EndCursor
				}
				if !slices.Equal(rows, l.rows) {
					t.Fatalf("pages of %d: %d rows, the list has %d", first, len(rows), len(l.rows))
				}
			}
		})
	}
}

// FuzzCursors reads every list beyond every text: cursors of rows, of other lists, cut, spliced and made up.
func FuzzCursors(f *testing.F) {
	all, known := readWholes(f)
	for i, l := range all {
		for j, cursor := range l.cursors {
			if j != 0 && j != len(l.cursors)/2 && j != len(l.cursors)-1 {
				continue
			}
			raw, err := base64.RawURLEncoding.DecodeString(cursor)
			if err != nil {
				f.Fatal(err)
			}
			if j == 0 {
				f.Add(uint8(i+1), uint8(2), false, cursor)
				f.Add(uint8(i), uint8(3), true, strings.ReplaceAll(string(raw), "kairship.prod", "kairship.prod-eu"))
				f.Add(uint8(i), uint8(3), true, strings.ReplaceAll(string(raw), "2026-", "0000-"))
				f.Add(uint8(i), uint8(3), true, strings.ReplaceAll(string(raw), "00Z", "00,5Z"))
				f.Add(uint8(i), uint8(3), true, strings.ReplaceAll(string(raw), "cart", "\x00'; DROP TABLE resources --"))
				f.Add(uint8(i), uint8(3), true, strings.ReplaceAll(string(raw), "deployments", "secrets"))
			}
			f.Add(uint8(i), uint8(j), true, string(raw))
		}
	}
	f.Fuzz(func(t *testing.T, which, first uint8, encode bool, cursor string) {
		l := all[int(which)%len(all)]
		n := 1 + int(first)%maxPage
		if encode {
			cursor = base64.RawURLEncoding.EncodeToString([]byte(cursor))
		}
		ctx, w := newWorld(t)
		p, err := l.read(ctx, ListOptions{Page: model.Page{First: n, After: cursor}})
		if failed := errors.Join(told(err, model.CodeBadUserInput), known.check(w, true)); failed != nil {
			t.Fatalf("%s, after %q: %v", l.name, cursor, failed)
		}
		if err == nil {
			if failed := l.part(p, n); failed != nil {
				t.Fatalf("%s, after %q: %v", l.name, cursor, failed)
			}
		}
	})
}
