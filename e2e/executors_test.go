package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// recorded is a query that a test asked.
type recorded struct {
	query     string
	variables map[string]any
}

// compared is about how many queries are compared, taken evenly from all: each is asked three times at least.
const compared = 500

// needsDirectReads skips what needs both ways to read the store on a fleet that has one: that of UP=--through-api.
func needsDirectReads(t *testing.T) {
	t.Helper()
	if directReads(t, address) {
		return
	}
	const why = "the fleet's server does not read the database: see server.features"
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// compareExecutors asks queries of the fleet's server, which reads the read store's database, and of a second one, which
// reads through Clusterpedia's API, and wants the same answers.
func compareExecutors(t *testing.T, queries []recorded) {
	t.Helper()
	needsDirectReads(t)
	other := serverThroughTheAPI(t)
	if directReads(t, other) {
		t.Fatal("the second server reads the database, too")
	}
	step := max(1, len(queries)/compared)
	count := 0
	for i := 0; i < len(queries); i += step {
		q := queries[i]
		if strings.Contains(q.query, "features") {
			continue // what the two are meant to differ in
		}
		count++
		var diff string
		// What changes meanwhile differs once, and then no more.
		for range 3 {
			if diff = differs(t, q, other); diff == "" {
				break
			}
		}
		if diff != "" {
			t.Errorf("%s with %v: -database +API:\n%s", q.query, q.variables, diff)
		}
	}
	t.Logf("%d of %d queries compared", count, len(queries))
}

// differs compares the answers of two servers. What differs between two answers of the first, such as times, is left out.
func differs(t *testing.T, q recorded, other string) string {
	t.Helper()
	before, through, after := answerOf(t, address, q), answerOf(t, other, q), answerOf(t, address, q)
	moving := map[string]bool{}
	walkBoth(before, after, "", func(path string, _, _ any) { moving[path] = true })
	var out []string
	walkBoth(before, through, "", func(path string, x, y any) {
		if !moving[path] {
			out = append(out, path+": "+gocmp.Diff(x, y))
		}
	})
	return strings.Join(out, "\n")
}

// walkBoth calls differ for each place at which two answers differ.
func walkBoth(x, y any, path string, differ func(path string, x, y any)) {
	if object, ok := x.(map[string]any); ok {
		if other, ok := y.(map[string]any); ok && len(object) == len(other) {
			for name, value := range object {
				walkBoth(value, other[name], path+"."+name, differ)
			}
			return
		}
	}
	if list, ok := x.([]any); ok {
		if other, ok := y.([]any); ok && len(list) == len(other) {
			for i, value := range list {
				walkBoth(value, other[i], fmt.Sprintf("%s[%d]", path, i), differ)
			}
			return
		}
	}
	if !gocmp.Equal(withoutNewFields(x), withoutNewFields(y)) {
		differ(path, x, y)
	}
}

// newFields are the fields of Kubernetes' own kinds that Clusterpedia's API does not know, and leaves out.
var newFields = regexp.MustCompile(`^\s*"?(terminatingReplicas)"?: .*$`)

// withoutNewFields is a text without the lines of such fields: of a manifest, as YAML or JSON.
func withoutNewFields(value any) any {
	text, ok := value.(string)
	if !ok || !strings.Contains(text, "\n") {
		return value
	}
	var kept []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, ",\n"); !newFields.MatchString(line) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func answerOf(t *testing.T, server string, q recorded) any {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": q.query, "variables": q.variables})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	delete(out, "extensions")
	return out
}

func directReads(t *testing.T, server string) bool {
	t.Helper()
	features := at(answerOf(t, server, recorded{query: `{server{features{name enabled}}}`}), "data", "server", "features")
	return slices.ContainsFunc(features, func(f any) bool {
		feature := f.(map[string]any)
		enabled, _ := feature["enabled"].(bool)
		return feature["name"] == "directReads" && enabled
	})
}

// serverThroughTheAPI starts a second server as the fleet's own is started, without the read store's database.
func serverThroughTheAPI(t *testing.T) (url string) {
	t.Helper()
	return serverBeside(t, "--store-").url
}

// neighbour is a second server, which ends with the test.
type neighbour struct {
	url   string
	cmd   *exec.Cmd
	said  bytes.Buffer
	ended chan struct{}
	err   error
}

// serverBeside starts a second server as the fleet's own is started, at addresses of its own, without the flags that begin so.
func serverBeside(t *testing.T, without ...string) *neighbour {
	t.Helper()
	return serverWith(t, nil, without...)
}

// serverWith is serverBeside with further flags.
func serverWith(t *testing.T, flags []string, without ...string) *neighbour {
	t.Helper()
	var status struct {
		Components []struct {
			Spec struct {
				Name, Path string
				Args, Env  []string
			}
		}
	}
	if err := json.Unmarshal([]byte(fleetDo(t, "status", "--json")), &status); err != nil {
		t.Fatal(err)
	}
	without = append(without, "--http-address", "--https-address", "--tls-", "--telemetry-address")
	for _, c := range status.Components {
		if c.Spec.Name != "kairship-apiserver" {
			continue
		}
		plain := "127.0.0.1:" + freePort(t)
		args := slices.DeleteFunc(slices.Clone(c.Spec.Args), func(arg string) bool {
			return slices.ContainsFunc(without, func(prefix string) bool { return strings.HasPrefix(arg, prefix) })
		})
		b := &neighbour{url: "http://" + plain, cmd: exec.Command(c.Spec.Path, slices.Concat(args, []string{"--http-address=" + plain}, flags)...), ended: make(chan struct{})}
		b.cmd.Env = append(b.cmd.Environ(), c.Spec.Env...)
		b.cmd.Stdout, b.cmd.Stderr = &b.said, &b.said
		if err := b.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func() { b.err = b.cmd.Wait(); close(b.ended) }()
		t.Cleanup(func() {
			_ = b.cmd.Process.Signal(syscall.SIGTERM)
			<-b.ended
			if killed := b.cmd.ProcessState.ExitCode() == -1; b.err != nil && !killed || strings.Contains(b.said.String(), "DATA RACE") {
				t.Errorf("the second server ended with %v:\n%.4000s", b.err, b.said.String())
			}
		})
		eventually(t, time.Minute, func() error {
			resp, err := http.Get(b.url + "/readyz")
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("it is not ready: %s", resp.Status)
			}
			return nil
		})
		return b
	}
	t.Fatal("the fleet runs no kairship-apiserver")
	return nil
}

// TestSwitchingBetweenExecutorsLosesNothing pages through all workloads while each of the two ways to read the store goes and
// comes again between pages: whoever pages sees each row once, in the same order, and no error.
func TestSwitchingBetweenExecutorsLosesNothing(t *testing.T) {
	needsDirectReads(t)
	database := session(t, fleetStore(t))
	const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'kairship_reader'`
	login := func(t *testing.T) {
		t.Cleanup(func() {
			if _, err := database.Exec(context.Background(), "ALTER ROLE kairship_reader LOGIN"); err != nil {
				t.Error(err)
			}
		})
	}
	// answers are those that an upstream gave to people.
	answers := func(t *testing.T, upstream string) float64 {
		return metricsOf(t, func(series string) bool {
			return strings.Contains(series, `upstream="`+upstream+`"`) && (strings.Contains(series, `code="ok"`) || strings.Contains(series, `code="200"`)) && !strings.Contains(series, `resource="probe"`)
		})["kairship_read_store_request_duration_seconds_count"]
	}
	refused := func(t *testing.T) (again func()) {
		login(t)
		mustExec(t, database, "ALTER ROLE kairship_reader NOLOGIN;\n"+cut)
		return func() { mustExec(t, database, "ALTER ROLE kairship_reader LOGIN") }
	}
	whole := walkWorkloads(t, func(int) {})
	for _, tc := range []struct {
		name string
		away func(t *testing.T) (again func())
		// through is the upstream that has to answer in the meantime.
		through string
	}{
		{"the database refuses the role", refused, "clusterpedia"},
		{"every connection to the database is cut", func(t *testing.T) func() {
			mustExec(t, database, cut)
			return func() { mustExec(t, database, cut) }
		}, "postgresql"},
		{"Clusterpedia's API is frozen", func(t *testing.T) func() { return freeze(t, "clusterpedia-apiserver") }, "postgresql"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			again := func() {}
			var before float64
			got := walkWorkloads(t, func(page int) {
				switch page % 6 {
				case 2:
					before, again = answers(t, tc.through), tc.away(t)
				case 5:
					if after := answers(t, tc.through); after <= before {
						t.Errorf("pages 2 to 4 did not come through %s", tc.through)
					}
					again()
				}
			})
			again()
			eventually(t, 30*time.Second, func() error { // the way that is taken first is taken again
				before := answers(t, "postgresql")
				walkWorkloads(t, func(int) {})
				if after := answers(t, "postgresql"); after <= before {
					return errors.New("nothing is read from the database any more")
				}
				return nil
			})
			if diff := gocmp.Diff(whole, got); diff != "" {
				t.Errorf("paging while it comes and goes (-without +with):\n%s", diff)
			}
		})
	}
}

// walkWorkloads returns the ids of all workloads, page by page; between is called before each page but the first.
func walkWorkloads(t *testing.T, between func(page int)) (ids []string) {
	t.Helper()
	const query = `query($after:String){workloads(first:3,after:$after){pageInfo{hasNextPage endCursor} nodes{id propagation{binding{name}}}}}`
	var after any
	for page := 1; ; page++ {
		if page > 1 {
			between(page)
		}
		out := ask(t, query, map[string]any{"after": after})
		if len(out.Errors) > 0 {
			t.Fatalf("page %d has errors: %+v", page, out.Errors)
		}
		var data struct {
			Workloads struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct{ ID string }
			}
		}
		if err := json.Unmarshal(out.Data, &data); err != nil {
			t.Fatal(err)
		}
		for _, n := range data.Workloads.Nodes {
			ids = append(ids, n.ID)
		}
		if !data.Workloads.PageInfo.HasNextPage {
			if page < 6 {
				t.Fatalf("only %d pages: too few to switch between", page)
			}
			return ids
		}
		after = data.Workloads.PageInfo.EndCursor
	}
}
