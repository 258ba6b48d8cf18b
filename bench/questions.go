package main

import (
	"context"
	"fmt"
)

// question is one that the lab asks at every size.
type question struct {
	name string
	// flat says that its time must not grow with the store.
	flat bool
	// partial says that a page may be shorter than asked for: rows are filtered one by one, and only so many are read.
	partial bool
	// query and variables; the cursor of the middle is filled in when it is known.
	query     string
	variables map[string]any
	middle    bool
	// lean is the question's own condition in SQL, and from what the row before the page is called, by namespace and name.
	lean string
	from [2]string
}

const (
	listQuestion = `query($instance: String!, $after: String, $filter: WorkloadFilter) { instance(name: $instance) {
  workloads(first: 50, after: $after, filter: $filter) { pageInfo { hasNextPage endCursor } nodes { ` + workloadRow + ` } } } }`
	countQuestion    = `query($instance: String!) { instance(name: $instance) { workloads(first: 1) { totalCount } } }`
	featuresQuestion = `{ server { features { name enabled } } }`
	// walkQuestion pages through the list as fast as possible.
	walkQuestion = `query($instance: String!, $after: String) { instance(name: $instance) {
  workloads(first: 200, after: $after) { pageInfo { hasNextPage endCursor } nodes { namespace name } } } }`
)

// questions are the lab's seven.
func questions(states []string) []question {
	filtered := func(filter map[string]any) map[string]any {
		return map[string]any{"instance": labInstance, "filter": filter}
	}
	return []question{
		{name: "first page", flat: true, query: listQuestion, variables: filtered(nil)},
		{name: "middle page", flat: true, query: listQuestion, variables: filtered(nil), middle: true},
		{name: "namespace filter", flat: true, query: listQuestion, variables: filtered(map[string]any{"namespaces": []string{steadyNamespace}}),
			lean: " AND namespace = '" + steadyNamespace + "'"},
		{name: "label filter", query: listQuestion, variables: filtered(map[string]any{"labelSelector": partLabel + "=" + wellKnownPart}),
			lean: ` AND object->'metadata'->'labels' @> '{"` + partLabel + `":"` + wellKnownPart + `"}'`},
		{name: "name search", query: listQuestion, variables: filtered(map[string]any{"nameContains": wellKnownName}),
			lean: " AND name LIKE '%" + wellKnownName + "%'"},
		{name: "state filter", partial: true, query: listQuestion, variables: filtered(map[string]any{"states": states})},
		{name: "totalCount", query: countQuestion, variables: map[string]any{"instance": labInstance}},
	}
}

// excepted names the questions that may take longer than the limit allows beside their raw requests, with
// the reason, before anything is measured. There is none.
var excepted = map[string]string{}

// answer is the part of an answer that the lab checks.
type answer struct {
	Instance struct {
		Workloads struct {
			TotalCount *int
			PageInfo   struct {
				HasNextPage bool
				EndCursor   *string
			}
			Nodes []struct {
				Namespace, Name, State string
				Propagation            *struct{ Targets []struct{} }
			}
		}
	}
}

// ask asks a question and checks that the answer can be right.
func (q *question) ask(ctx context.Context, f *fleet, address string, size int) error {
	var a answer
	if err := f.query(ctx, address, q.query, q.variables, &a); err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	w := a.Instance.Workloads
	if q.query == countQuestion {
		if w.TotalCount == nil || *w.TotalCount != size {
			return fmt.Errorf("%s: %d workloads were loaded and %v counted", q.name, size, show(w.TotalCount))
		}
		return nil
	}
	if !q.partial && (len(w.Nodes) == 0 || len(w.Nodes) < 50 && w.PageInfo.HasNextPage) {
		return fmt.Errorf("%s: the page has %d workloads", q.name, len(w.Nodes))
	}
	for _, n := range w.Nodes {
		if n.Propagation == nil || n.State == "UNKNOWN" {
			return fmt.Errorf("%s: the binding of %s/%s was not read", q.name, n.Namespace, n.Name)
		}
	}
	return nil
}

func show(n *int) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprint(*n)
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
