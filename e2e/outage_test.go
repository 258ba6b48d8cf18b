package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

// lists are asked for the whole time that the read store is away.
var lists = map[string]string{
	"workloads": `{instance(name:"asia"){workloads(first:200){totalCount nodes{id}}}}`,
	"pods":      `{instance(name:"asia"){cluster(name:"hangzhou"){pods(first:200){totalCount nodes{id}}}}}`,
	"policies":  `{instance(name:"asia"){policies(first:200){totalCount nodes{id}}}}`,
	"resources": `{instance(name:"asia"){resources(apiVersion:"v1",kind:"ConfigMap",first:200){totalCount nodes{id}}}}`,
	"search":    `{search(text:"a",first:200){totalCount nodes{id}}}`,
}

// rowsOf is how many rows the only list in an answer has; -1 when it is null.
func rowsOf(value any) int {
	object, ok := value.(map[string]any)
	if !ok {
		return -1
	}
	if nodes, ok := object["nodes"].([]any); ok {
		return len(nodes)
	}
	for _, v := range object {
		return rowsOf(v)
	}
	return -1
}

// listNow asks for a list: its rows, or -1 and the code of the error that says why there are none.
func listNow(t *testing.T, query string) (rows int, code string, took time.Duration) {
	t.Helper()
	watch := startWatch()
	out := ask(t, query, nil)
	took = watch.took()
	var data any
	if err := json.Unmarshal(out.Data, &data); err != nil {
		t.Fatalf("decoding %s: %v", out.Data, err)
	}
	rows = rowsOf(data)
	switch {
	case len(out.Errors) == 0 && rows < 0:
		t.Errorf("%s is null without an error", query)
	case len(out.Errors) > 0 && rows >= 0:
		t.Errorf("%s has %d rows and errors %+v", query, rows, out.Errors)
	case len(out.Errors) > 0:
		code = out.Errors[0].Extensions.Code
	}
	return rows, code, took
}

// whileAway asks for all lists again and again until it is told to stop: each answer is complete or an error, and comes
// in time.
func whileAway(t *testing.T, whole map[string]int, until func(round int) bool) (failures map[string]int) {
	t.Helper()
	failures = map[string]int{}
	for round := 0; !until(round); round++ {
		for name, query := range lists {
			rows, code, took := listNow(t, query)
			switch {
			case rows < 0 && !slices.Contains([]string{"UNAVAILABLE", "TIMEOUT"}, code):
				t.Errorf("%s failed as %s", name, code)
			case rows < 0:
				failures[code]++
			case rows < whole[name]:
				t.Errorf("%s has %d rows of %d, as if these were all", name, rows, whole[name])
			}
			if took > soon {
				t.Errorf("%s took %s", name, took)
			}
		}
	}
	return failures
}

// complete counts the rows of all lists while all is well.
func complete(t *testing.T) map[string]int {
	t.Helper()
	out := map[string]int{}
	eventually(t, time.Minute, func() error {
		for name, query := range lists {
			rows, code, _ := listNow(t, query)
			if rows < 1 {
				return fmt.Errorf("%s has %d rows: %s", name, rows, code)
			}
			out[name] = rows
		}
		return nil
	})
	return out
}

// Reads go to the read store's database: that its API server restarts is not felt.
func TestAReadStoreThatRestartsIsNotFelt(t *testing.T) {
	needsDirectReads(t)
	whole(t)
	rows := complete(t)
	fleetDo(t, "stop", "clusterpedia-apiserver")
	started := make(chan error, 1)
	t.Cleanup(func() { fleetDo(t, "start", "clusterpedia-apiserver") })
	away := whileAway(t, rows, func(round int) bool { return round == 3 })
	go func() {
		_, err := playground("start", "clusterpedia-apiserver")
		started <- err
	}()
	// It starts while it is asked: half of what it needs may be there.
	var up bool
	cold := whileAway(t, rows, func(int) bool {
		select {
		case err := <-started:
			if err != nil {
				t.Fatal(err)
			}
			up = true
		default:
		}
		return up
	})
	if len(away)+len(cold) > 0 {
		t.Errorf("reads failed: %v while it was away, %v while it started", away, cold)
	}
	complete(t)
}
