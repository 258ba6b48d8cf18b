package globalmanagement

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const (
	secret  = "0123456789abcdef0123456789abcdef-first"
	another = "0123456789abcdef0123456789abcdef-other"
)

var host *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		host, err = env.Start(testenv.KairshipDefinitions)
		return err
	})
}

// secrets are those that a test says.
type secrets struct {
	mu   sync.Mutex
	list [][]byte
	err  error
}

func (s *secrets) Secrets(context.Context) ([][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list, s.err
}

func (s *secrets) set(err error, list ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.list = err, nil
	for _, one := range list {
		s.list = append(s.list, []byte(one))
	}
}

// bench is a hook with all that it needs.
type bench struct {
	*Hook
	journal *memory
	secrets *secrets
	clock   *testclock.FakeClock
	metrics *prometheus.Registry
	log     *buffer
	source  string

	mu      sync.Mutex
	records []Record
}

// buffer is a log that several write to.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// sourceNumber gives every test a source of its own, whose bindings are not another's.
var sourceNumber = struct {
	sync.Mutex
	next int
}{}

func newBench(t *testing.T) *bench { return newBenchWith(t, nil) }

// newBenchWith makes a hook whose requests to the host cluster go through wrap.
func newBenchWith(t *testing.T, wrap transport.WrapperFunc) *bench {
	t.Helper()
	sourceNumber.Lock()
	sourceNumber.next++
	name := fmt.Sprintf("source-%d", sourceNumber.next)
	sourceNumber.Unlock()
	now := testclock.NewFakeClock(time.Unix(1_800_000_000, 0))
	b := &bench{journal: newMemory(now), secrets: &secrets{}, clock: now, metrics: prometheus.NewRegistry(), log: &buffer{}, source: name}
	b.secrets.set(nil, secret)
	b.start(t, wrap)
	t.Cleanup(func() {
		for _, o := range b.bindings(t) {
			o.Finalizers = nil
			_ = host.Client.Update(context.Background(), &o)
			_ = host.Client.Delete(context.Background(), &o)
		}
	})
	return b
}

// start makes the hook anew, as a restart of the process does.
func (b *bench) start(t *testing.T, wrap transport.WrapperFunc) {
	t.Helper()
	config := rest.CopyConfig(host.Config)
	if wrap != nil {
		config.Wrap(wrap)
	}
	c, err := client.New(config, client.Options{Scheme: host.Client.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	b.metrics = prometheus.NewRegistry()
	b.Hook, err = New(Options{
		Client: c, Journal: b.journal, Secrets: b.secrets, Sources: []string{b.source},
		Audit: func(_ context.Context, r Record) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.records = append(b.records, r)
		},
		Registerer: b.metrics, Logger: slog.New(slog.NewTextHandler(b.log, nil)), Clock: b.clock,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// bindings are the AccessBindings of the source.
func (b *bench) bindings(t *testing.T) []v1alpha1.AccessBinding {
	t.Helper()
	var list v1alpha1.AccessBindingList
	if err := host.Client.List(context.Background(), &list, client.MatchingLabels{LabelSource: b.source}); err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// said is what the bindings of the source say, each in one line.
func (b *bench) said(t *testing.T) []string {
	t.Helper()
	out := []string{}
	for _, o := range b.bindings(t) {
		if o.DeletionTimestamp == nil {
			out = append(out, line(o.Spec))
		}
	}
	slices.Sort(out)
	return out
}

func line(s v1alpha1.AccessBindingSpec) string {
	return strings.TrimRight(fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(s.Subject.Name, "kairship:oidc:"), s.Role, s.Scope.Instance,
		strings.Join(slices.Sorted(slices.Values(s.Scope.Namespaces)), ",")), " ")
}

// of makes a binding of what line says: "alice Viewer asia a,b".
func of(said string) event.Binding {
	parts := strings.Fields(said)
	b := event.Binding{Subject: event.Subject{Kind: "User", Name: "kairship:oidc:" + parts[0]}, Role: parts[1]}
	if len(parts) > 2 {
		b.Scope.Instance = &parts[2]
	}
	if len(parts) > 3 {
		b.Scope.Namespaces = strings.Split(parts[3], ",")
	}
	return b
}

func all(said ...string) []event.Binding {
	out := make([]event.Binding, len(said))
	for i, one := range said {
		out[i] = of(one)
	}
	return out
}

// event makes an event of the source.
func (b *bench) event(id string, kind event.Type, sequence int64, said ...string) event.Event {
	return event.Event{Header: event.Header{ID: id, Type: kind, Source: b.source, Sequence: sequence}, Bindings: all(said...)}
}

// body writes an event as a sender does.
func body(t *testing.T, e event.Event) []byte {
	t.Helper()
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if e.Type == event.SyncFull && len(e.Bindings) == 0 {
		text = bytes.Replace(text, []byte(`"sequence"`), []byte(`"bindings":[],"sequence"`), 1)
	}
	return text
}

// request signs a body as of now.
func (b *bench) request(text []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, Path, bytes.NewReader(text))
	stamp := strconv.FormatInt(b.clock.Now().Unix(), 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(HeaderTimestamp, stamp)
	r.Header.Set(HeaderSignature, Sign([]byte(secret), stamp, text))
	return r
}

// reply is what a sender gets.
type reply struct {
	status int
	header http.Header
	text   string
	Answer
	errorBody
}

func (b *bench) do(t *testing.T, r *http.Request) reply {
	t.Helper()
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	out := reply{status: w.Code, header: w.Header(), text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Errorf("the answer is no JSON: %v: %s", err, w.Body)
	}
	return out
}

// send sends an event, signed anew a second later than the one before.
func (b *bench) send(t *testing.T, e event.Event) reply {
	t.Helper()
	b.clock.Step(time.Second)
	return b.do(t, b.request(body(t, e)))
}

// taken sends an event that is to be taken.
func (b *bench) taken(t *testing.T, e event.Event) reply {
	t.Helper()
	out := b.send(t, e)
	for range 5 {
		if out.Error.Reason != reasonHost {
			break
		}
		out = b.send(t, e) // as senders do when a busy host cluster did not answer in time
	}
	if out.status != http.StatusOK {
		t.Fatalf("%s is refused: %s", e.ID, out.text)
	}
	return out
}

// outcomes are those of the items of an answer, in order, those that the event does not name last.
func (r reply) outcomes() string {
	items := slices.Clone(r.Items)
	key := func(i Item) int {
		if i.Index == nil {
			return 1 << 30
		}
		return *i.Index
	}
	slices.SortFunc(items, func(a, b Item) int { return key(a) - key(b) })
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = string(item.Outcome)
	}
	return strings.Join(out, " ")
}

// metric is the value of a series, all labels of whose name are given; 0 when there is none.
func (b *bench) metric(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	families, err := b.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != "kairship_global_management_"+name {
			continue
		}
		for _, m := range f.GetMetric() {
			var have []string
			for _, l := range m.GetLabel() {
				have = append(have, l.GetName()+"="+l.GetValue())
			}
			if !slices.Equal(have, slices.Sorted(slices.Values(labels))) {
				continue
			}
			if m.GetCounter() != nil {
				return m.GetCounter().GetValue()
			}
			return m.GetGauge().GetValue()
		}
	}
	return 0
}
