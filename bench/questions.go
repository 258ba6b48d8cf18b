package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// question is a page that the lab asks for at every size, and what else answers the same: pages to come are an entry more in
// questions.
type question struct {
	name string
	// flat says that its time must not grow with the store.
	flat bool
	// once says that it is asked at the first size only.
	once bool
	// query and variables; the cursor of the middle is filled in when it is known.
	query     string
	variables map[string]any
	middle    bool
	// check says what is wrong with an answer from a store with so many workloads.
	check func(data json.RawMessage, size int) error
	// alone reads the rows that the answer shows from PostgreSQL, by the leanest statements there are; nil where no plain
	// statement does.
	alone func(ctx context.Context, l *lean, q *question) error
	// from is the namespace and name of the row before the page.
	from [2]string
	// dashboards says that those who read from Karmada's API servers are asked for it, too.
	dashboards bool
}

const (
	listQuestion = `query($instance: String!, $first: Int, $after: String, $filter: WorkloadFilter) { instance(name: $instance) {
  workloads(first: $first, after: $after, filter: $filter) { pageInfo { hasNextPage endCursor } nodes { ` + workloadRow + ` } } } }`
	// allQuestion is the newest workloads of all instances.
	allQuestion = `query($first: Int) { workloads(first: $first, orderBy: {field: CREATED_AT, direction: DESC}) { pageInfo { hasNextPage endCursor } nodes { instance { name } ` + workloadRow + ` } } }`

	countQuestion    = `query($instance: String!) { instance(name: $instance) { workloads(first: 1) { totalCount } } }`
	estimateQuestion = `query($instance: String!) { instance(name: $instance) { workloads(first: 1) { totalCountEstimate { value exact } } } }`
	featuresQuestion = `{ server { features { name enabled } } }`
	// walkQuestion pages through the list as fast as possible.
	walkQuestion = `query($instance: String!, $after: String) { instance(name: $instance) {
  workloads(first: 200, after: $after) { pageInfo { hasNextPage endCursor } nodes { namespace name kind } } } }`

	overviewQuestion = `{ overview { instances { state total } clusters { total ready } nodes { total ready } workloads { kind total } policies { kind total } asOf }
  instances(first: 50) { nodes { name state stateMessage freshness { state } clusters(first: 20) { nodes { name state } } } } }`
	detailQuestion = `query($instance: String!, $namespace: String!, $name: String!) { instance(name: $instance) { workload(kind: DEPLOYMENT, namespace: $namespace, name: $name) {
  ` + workloadRow + ` labels { key value } images propagation { binding { name conditions { type status reason message } }
    targets { work { name } member { name } pods(first: 20) { nodes { name } } events(first: 20) { nodes { message } } } } } } }`
	policiesQuestion = `query($instance: String!) { instance(name: $instance) { policies(first: 50) { nodes { namespace name
  matched(first: 5) { nodes { namespace name } } ... on PropagationPolicy { resourceSelectors { kind name } } } } } }`
	clusterQuestion = `query($instance: String!, $cluster: String!) { instance(name: $instance) { cluster(name: $cluster) { name state stateMessage
  workloads(first: 50) { nodes { namespace name state } } pods(first: 20) { nodes { namespace name } } events(first: 20) { nodes { message } } } } }`
	searchQuestion = `query($instance: String!, $text: String!) { search(text: $text, instances: [$instance], first: 50) { nodes { kind name } } }`
)

// questions are what the lab asks; detailed is the workload whose page is asked for, and seededInstance has seeded workloads,
// each in three clusters.
func questions(states []string, detailed [2]string, seededInstance string) []question {
	page := func(first int, filter map[string]any) map[string]any {
		return map[string]any{"instance": labInstance, "first": first, "filter": filter}
	}
	of := func(pairs ...string) map[string]any {
		out := map[string]any{"instance": labInstance}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	return []question{
		{name: "first page", flat: true, query: listQuestion, variables: page(50, nil), check: isPage, alone: pageAlone(50, ""), dashboards: true},
		{name: "middle page", flat: true, query: listQuestion, variables: page(50, nil), middle: true, check: isPage, alone: pageAlone(50, "")},
		{name: "100 rows", once: true, query: listQuestion, variables: page(100, nil), check: isPage, alone: pageAlone(100, "")},
		{name: "three targets", once: true, query: listQuestion, check: isPage,
			variables: map[string]any{"instance": seededInstance, "first": 50, "filter": map[string]any{"labelSelector": seeded}}},
		{name: "200 rows", flat: true, query: listQuestion, variables: page(200, nil), check: isPage, alone: pageAlone(200, "")},
		{name: "namespace filter", flat: true, query: listQuestion, variables: page(50, map[string]any{"namespaces": []string{steadyNamespace}}),
			check: isPage, alone: pageAlone(50, " AND namespace = '"+steadyNamespace+"'")},
		{name: "label filter", query: listQuestion, variables: page(50, map[string]any{"labelSelector": partLabel + "=" + wellKnownPart}),
			check: isPage, alone: pageAlone(50, ` AND object->'metadata'->'labels' @> '{"`+partLabel+`":"`+wellKnownPart+`"}'`)},
		{name: "name search", query: listQuestion, variables: page(50, map[string]any{"nameContains": wellKnownName}),
			check: isPage, alone: pageAlone(50, " AND name LIKE '%"+wellKnownName+"%'")},
		// A page may be shorter than asked for: rows are filtered one by one, and only so many are read.
		{name: "state filter", query: listQuestion, variables: page(50, map[string]any{"states": states}), check: haveBindings},
		{name: "totalCount", query: countQuestion, variables: of(), check: isCount, alone: countAlone},
		{name: "estimate", query: estimateQuestion, variables: of(), check: isEstimate, alone: countAlone},
		// A few milliseconds, of which what else the machine does is much: its growth is not limited.
		{name: "overview", query: overviewQuestion, check: says("overview", "instances")},
		{name: "workload detail", flat: true, query: detailQuestion, variables: of("namespace", detailed[0], "name", detailed[1]),
			check: says("instance", "workload", "propagation", "binding"), alone: detailAlone(detailed)},
		{name: "policies", query: policiesQuestion, variables: of(), check: says("instance", "policies", "nodes"), alone: policiesAlone},
		{name: "cluster page", query: clusterQuestion, variables: of("cluster", memberName(0)), check: says("instance", "cluster", "workloads", "nodes"), alone: clusterAlone},
		{name: "search", query: searchQuestion, variables: of("text", wellKnownName), check: says("search", "nodes"), alone: searchAlone},
		{name: "of all instances", query: allQuestion, variables: map[string]any{"first": 50}, check: says("workloads", "nodes")},
		{name: "of 100 clusters", once: true, query: listQuestion, variables: map[string]any{"instance": wideInstance, "first": 50}, check: isPage},
	}
}

// excepted names the questions that may take longer than the limits allow beside their raw requests or PostgreSQL alone,
// with the reason, before anything is measured.
var excepted = map[string]string{
	"estimate": "of less than 10,000 rows it asks twice, first about how many there are: two milliseconds more, of three",
}

// answer is the part of a page of workloads that the lab checks.
type answer struct {
	Instance struct {
		Workloads struct {
			TotalCount         *int
			TotalCountEstimate *struct {
				Value int
				Exact bool
			}
			PageInfo struct {
				HasNextPage bool
				EndCursor   *string
			}
			Nodes []struct {
				Namespace, Name, Kind, State string
				Propagation                  *struct{ Targets []struct{} }
			}
		}
	}
}

func answerOf(data json.RawMessage) (a answer, err error) {
	if err = json.Unmarshal(data, &a); err != nil {
		err = fmt.Errorf("decoding the page: %w", err)
	}
	return a, err
}

// isPage checks a page that has to be full where another one follows.
func isPage(data json.RawMessage, size int) error {
	a, err := answerOf(data)
	if err != nil {
		return err
	}
	if w := a.Instance.Workloads; len(w.Nodes) == 0 || len(w.Nodes) < 50 && w.PageInfo.HasNextPage {
		return fmt.Errorf("the page has %d workloads", len(w.Nodes))
	}
	return haveBindings(data, size)
}

// haveBindings checks that the rows of a page have their bindings.
func haveBindings(data json.RawMessage, _ int) error {
	a, err := answerOf(data)
	if err != nil {
		return err
	}
	for _, n := range a.Instance.Workloads.Nodes {
		if n.Propagation == nil || n.State == "UNKNOWN" {
			return fmt.Errorf("the binding of %s/%s was not read", n.Namespace, n.Name)
		}
	}
	return nil
}

func isCount(data json.RawMessage, size int) error {
	a, err := answerOf(data)
	if err != nil {
		return err
	}
	if n := a.Instance.Workloads.TotalCount; n == nil {
		return fmt.Errorf("%d workloads were loaded and none counted", size)
	} else if *n != size {
		return fmt.Errorf("%d workloads were loaded and %d counted", size, *n)
	}
	return nil
}

// isEstimate checks a number that may be off by a fifth, and is exact for few.
func isEstimate(data json.RawMessage, size int) error {
	a, err := answerOf(data)
	if err != nil {
		return err
	}
	n := a.Instance.Workloads.TotalCountEstimate
	if n == nil || n.Exact && n.Value != size || n.Value < size*4/5 || n.Value > size*6/5 {
		return fmt.Errorf("%d workloads were loaded and %+v estimated", size, n)
	}
	return nil
}

// says checks that something is at a path of an answer: neither null nor an empty list.
func says(path ...string) func(json.RawMessage, int) error {
	return func(data json.RawMessage, _ int) error {
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			return fmt.Errorf("decoding the answer: %w", err)
		}
		for _, name := range path {
			object, _ := value.(map[string]any)
			value = object[name]
		}
		if list, ok := value.([]any); value == nil || ok && len(list) == 0 {
			return fmt.Errorf("there is nothing at %v", path)
		}
		return nil
	}
}

// ask asks a question and checks that the answer can be right.
func (q *question) ask(ctx context.Context, f *fleet, address string, size int) error {
	var data json.RawMessage
	if err := f.query(ctx, address, q.query, q.variables, &data); err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	if err := q.check(data, size); err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	return nil
}

// middleOf pages to the middle of the list, and returns the cursor there with the namespace and name of the last row before
// it.
func middleOf(ctx context.Context, f *fleet, address string, size int) (cursor *string, last [2]string, err error) {
	const step = 200
	variables := map[string]any{"instance": labInstance, "after": nil}
	for at := 0; at < max(size/2, 1); at += step {
		var a answer
		if err := f.query(ctx, address, walkQuestion, variables, &a); err != nil {
			return nil, last, fmt.Errorf("walking to the middle: %w", err)
		}
		page := a.Instance.Workloads.PageInfo
		if cursor = page.EndCursor; cursor == nil || !page.HasNextPage {
			return nil, last, fmt.Errorf("walking to the middle: the list ends after %d of %d workloads", at+step, size)
		}
		variables["after"] = *cursor
		row := a.Instance.Workloads.Nodes[len(a.Instance.Workloads.Nodes)-1]
		last = [2]string{row.Namespace, row.Name}
	}
	return cursor, last, nil
}

// detailedOf is the first Deployment of the list.
func detailedOf(ctx context.Context, f *fleet, address string) (workload [2]string, err error) {
	var a answer
	if err := f.query(ctx, address, walkQuestion, map[string]any{"instance": labInstance}, &a); err != nil {
		return workload, fmt.Errorf("looking for a Deployment: %w", err)
	}
	for _, n := range a.Instance.Workloads.Nodes {
		if n.Kind == "Deployment" {
			return [2]string{n.Namespace, n.Name}, nil
		}
	}
	return workload, errors.New("the lab's first 200 workloads have no Deployment")
}
