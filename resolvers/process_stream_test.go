package resolvers_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/schematest"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// streams are the subscriptions of people in one process that all of them use, each beside the same in a process
// of its subscriber's own.
type streams struct {
	processes []*process
	all       []*subscribed
}

type subscribed struct {
	who       *person
	document  string
	warm, own *stream
}

// stream is what a subscription has told so far.
type stream struct {
	mu sync.Mutex
	// last is the last that was told of each object, by its id; of those that are gone nothing.
	last map[string]any
	// told is every id that was ever told.
	told   map[string]bool
	synced bool
	// errors are those of one that could not begin, and of events, each once: how many events there are depends on how
	// soon each is fetched.
	errors []toldError
	// ended is how one ended that should not have; nil while it goes on.
	ended error
}

// subscribeAll subscribes everybody to everything that the schema has to subscribe to.
func subscribeAll(t *testing.T, warm *process, own map[*person]*process) *streams {
	t.Helper()
	out := &streams{processes: []*process{warm}}
	for _, who := range people {
		out.processes = append(out.processes, own[who])
		for _, document := range subscriptions(t) {
			out.all = append(out.all, &subscribed{who, document, warm.subscribe(t, who, document), own[who].subscribe(t, who, document)})
		}
	}
	return out
}

// subscriptions selects all that comes with each event, and what is one step from it.
func subscriptions(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, instance := range []string{"asia", "europe"} {
		for _, at := range [][2]string{{"shop", "cart"}, {"vault", "hidden-cart"}} {
			values := arguments(instance)
			for _, name := range []string{"workloads", "clusters", "policies", "events", "resources"} {
				values["Subscription."+name+".instance"] = values["instance.name"]
			}
			values["Subscription.resources.apiVersion"], values["Subscription.resources.kind"] = values["resources.apiVersion"], values["resources.kind"]
			values["Subscription.workload.id"] = fmt.Sprintf("%q", (model.Ref{Instance: instance, GVK: kinds["Deployment"], Namespace: at[0], Name: at[1]}).ID())
			values["Subscription.operation.id"] = strconv.Quote((&model.Operation{Name: "unjoin-" + instance}).ID())
			walk := schematest.Load(t, values, entries(instance))
			for _, f := range walk.Fields("Subscription") {
				if f.Name == "podLogs" || f.Name == "pods" {
					// Nothing is shared: a member answers each person by themselves (podlogs.TestALogIsReadAsThePerson, live.TestPodsAreWatchedWhileSomebodyLooks).
					continue
				}
				call, ok := walk.Select("Subscription", f)
				if !ok {
					t.Fatalf("nobody subscribes to %s: what are its arguments?", f.Name)
				}
				document := "subscription{" + strings.Replace(call, "{__typename}", shown(walk, f.Type.Name(), 2), 1) + "}"
				if len(out) == 0 || !strings.Contains(strings.Join(out, "\n"), document) {
					out = append(out, document)
				}
			}
		}
	}
	return out
}

// shown selects the values of an object, and those of what is some steps from it.
func shown(walk *schematest.Schema, typeName string, steps int) string {
	selections := []string{"__typename"}
	for _, f := range walk.Fields(typeName) {
		selection, ok := walk.Select(typeName, f)
		call, _, below := strings.Cut(selection, "{")
		switch {
		case !ok || below && steps == 0:
		case below:
			selections = append(selections, call+shown(walk, f.Type.Name(), steps-1))
		default:
			selections = append(selections, selection)
		}
	}
	return "{" + strings.Join(selections, " ") + "}"
}

// subscribe reads a subscription until the test ends.
func (p *process) subscribe(t *testing.T, who *person, document string) *stream {
	t.Helper()
	s := &stream{last: map[string]any{}, told: map[string]bool{}}
	q := query(document)
	r, err := http.NewRequestWithContext(t.Context(), q.method, p.URL+q.path, strings.NewReader(q.body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + who.name, "Content-Type": "application/json", "Accept": "text/event-stream"} {
		r.Header.Set(name, value)
	}
	res, err := p.Client().Do(r) //nolint:bodyclose // whoever reads it closes it
	if err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the test's context
		defer res.Body.Close()
		if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
			body, _ := io.ReadAll(res.Body)
			s.take(body)
			return
		}
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				s.take([]byte(data))
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended = fmt.Errorf("the stream ended: %w", cmp.Or(lines.Err(), io.EOF))
	}()
	return s
}

// version is the version of an object, which counts the changes of all there are.
var version = regexp.MustCompile(`(resourceVersion"?: ?\\?")\d+`)

// change is what one event tells of an object.
type change struct {
	Type model.ChangeType
	ID   *string
	Node map[string]any
	// whole is the object itself, where an event is one.
	whole map[string]any
}

func (c *change) UnmarshalJSON(data []byte) error {
	type plain change
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	if object["__typename"] == "Operation" {
		c.whole = object
		return nil
	}
	return json.Unmarshal(data, (*plain)(c))
}

func (s *stream) take(data []byte) {
	var event struct {
		Data   map[string]change
		Errors []toldError
	}
	err := json.Unmarshal(version.ReplaceAll(data, []byte("$1")), &event)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || len(event.Data) == 0 || len(event.Errors) > 0 {
		for _, e := range event.Errors {
			if !slices.ContainsFunc(s.errors, func(known toldError) bool { return reflect.DeepEqual(known, e) }) {
				s.errors = append(s.errors, e)
			}
		}
	}
	for _, change := range event.Data {
		switch {
		case change.whole != nil: // from the first on, it is all there is to tell
			id, _ := change.whole["id"].(string)
			s.synced, s.told[id], s.last[id] = true, true, change.whole
		case change.Type == model.ChangeSynced:
			s.synced = true
		case change.ID == nil:
		case change.Type == model.ChangeDeleted:
			delete(s.last, *change.ID)
		default:
			s.told[*change.ID], s.last[*change.ID] = true, change.Node
		}
	}
}

// touch changes every object that there is, those that are hidden from most people first.
func (s *streams) touch(t *testing.T, round string) {
	t.Helper()
	for _, p := range s.processes {
		p.touch(t, round)
	}
}

// unfinished is why not all was told that there is to tell of a round; empty when it was.
func (s *stream) unfinished(round string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.synced && len(s.errors) == 0 {
		return "nothing was told"
	}
	if s.synced && s.ended != nil {
		return s.ended.Error()
	}
	for _, node := range s.last {
		if raw, _ := json.Marshal(node); !strings.Contains(string(raw), round) {
			return fmt.Sprintf("nothing was told of round %s of %s", round, raw)
		}
	}
	return ""
}

// until is what was told until now.
func (s *stream) until() *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &stream{last: maps.Clone(s.last), told: maps.Clone(s.told), synced: s.synced, errors: slices.Clone(s.errors)}
}

// compare waits until all have been told of a round, and checks that it is what a process of their own tells them.
func (s *streams) compare(t *testing.T, round string) {
	t.Helper()
	objects := 0
	for _, sub := range s.all {
		testenv.Eventually(t, func() string { return sub.own.unfinished(round) })
		testenv.Eventually(t, func() string {
			// Both may be told late of what could not be read in time.
			unfinished, got, want := sub.warm.unfinished(round), sub.warm.until(), sub.own.until()
			for id := range got.told {
				if !want.told[id] {
					return fmt.Sprintf("%s is told of %s by %s, of errors %+v in a process of their own: %v", sub.who.name, id, sub.document, want.errors, got.last[id])
				}
			}
			if unfinished != "" {
				return unfinished
			}
			return gocmp.Diff([]any{want.synced, want.last, want.errors}, []any{got.synced, got.last, got.errors}, sortedErrors)
		})
		objects += len(sub.own.until().last)
	}
	if objects < 50 {
		t.Errorf("only %d objects were told of: the walk has lost its way", objects)
	}
}
