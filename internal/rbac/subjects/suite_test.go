package subjects

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var host *testenv.Server

func TestMain(m *testing.M) {
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		host, err = env.Start()
		return err
	})
}

var (
	ann = auth.NewPrincipal("oidc", "ann", []string{"devs", "ops"})
	bob = auth.NewPrincipal("oidc", "bob", []string{"devs"})
)

// writing is a recorder that writes to a namespace of its own until the test ends.
func writing(t *testing.T, namespace string, now *testclock.FakeClock) *Recorder {
	t.Helper()
	if err := host.EnsureNamespace(namespace); err != nil {
		t.Fatal(err)
	}
	n := notebook(t, namespace, now)
	run(t, n)
	return n
}

func notebook(t *testing.T, namespace string, now *testclock.FakeClock) *Recorder {
	t.Helper()
	clients, err := kubernetes.NewForConfig(host.Config)
	if err != nil {
		t.Fatal(err)
	}
	return NewRecorder(clients.CoreV1().ConfigMaps(namespace), now, slog.New(slog.DiscardHandler))
}

func run(t *testing.T, n *Recorder) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() { stopped <- n.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-stopped
	})
}

func atFour() *testclock.FakeClock {
	return testclock.NewFakeClock(time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC))
}

// versions are those of the ConfigMaps of a namespace.
func versions(t *testing.T, namespace string) map[string]string {
	t.Helper()
	var list corev1.ConfigMapList
	if err := host.Client.List(t.Context(), &list, client.InNamespace(namespace), client.MatchingLabels{Label: "true"}); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i := range list.Items {
		out[list.Items[i].Name] = list.Items[i].ResourceVersion
	}
	return out
}

func users(t *testing.T, r *Reader, now time.Time, groups ...string) []string {
	t.Helper()
	out, err := r.Users(t.Context(), groups, now)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhoIsNotedIsReadByTheirGroups(t *testing.T) {
	now := atFour()
	n := writing(t, "noted", now)
	if !n.Note(t.Context(), ann) || !n.Note(t.Context(), bob) {
		t.Error("somebody new is not said to be")
	}
	r := NewReader(host.Client, "noted")
	for group, want := range map[string][]string{
		"kairship:oidc:devs": {ann.Name, bob.Name}, "kairship:oidc:ops": {ann.Name}, "kairship:oidc:others": nil,
	} {
		if diff := cmp.Diff(want, users(t, r, now.Now(), group)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", group, diff)
		}
	}
}

func TestANoteIsWrittenOnceADay(t *testing.T) {
	now := atFour()
	n := writing(t, "daily", now)
	n.Note(t.Context(), ann)
	before := versions(t, "daily")
	now.Step(renewal - time.Minute)
	if n.Note(t.Context(), ann) {
		t.Error("it is said to be new after a day")
	}
	// Another API server knows it from the first one.
	other := notebook(t, "daily", now)
	run(t, other)
	other.Note(t.Context(), ann)
	if diff := cmp.Diff(before, versions(t, "daily")); diff != "" {
		t.Errorf("it is written again (-before +after):\n%s", diff)
	}
	now.Step(time.Minute)
	if n.Note(t.Context(), ann) {
		t.Error("somebody who is dated anew is said to be new")
	}
	testenv.Eventually(t, func() string {
		if cmp.Equal(before, versions(t, "daily")) {
			return "it is not dated anew"
		}
		return ""
	})
}

func TestAChangeOfGroupsIsNotedAndNothingIsLost(t *testing.T) {
	now := atFour()
	first, second := writing(t, "groups", now), notebook(t, "groups", now)
	run(t, second)
	// Two API servers, each of which sees another token of the same person.
	var both sync.WaitGroup
	both.Go(func() { first.Note(t.Context(), auth.NewPrincipal("oidc", "ann", []string{"devs"})) })
	both.Go(func() { second.Note(t.Context(), auth.NewPrincipal("oidc", "ann", []string{"ops"})) })
	both.Wait()
	r := NewReader(host.Client, "groups")
	for _, group := range []string{"kairship:oidc:devs", "kairship:oidc:ops"} {
		if got := users(t, r, now.Now(), group); len(got) != 1 {
			t.Errorf("%s: %v", group, got)
		}
	}
}

func TestOnlyNamesWithTheirOriginAreNoted(t *testing.T) {
	now := atFour()
	n := writing(t, "origin", now)
	for _, p := range []auth.Principal{
		{Name: "system:admin", Groups: []string{"kairship:oidc:devs"}}, {Name: "kairship:oidc:ann", Groups: []string{"system:masters"}}, {Name: "ann", Groups: []string{"devs"}},
		{Name: "kairship:oidc:ann"},
	} {
		if n.Note(t.Context(), p) {
			t.Errorf("%+v is noted", p)
		}
	}
	// Nor is one read that somebody else has written.
	if got := read(map[string]string{
		"a": `{"user":"kairship:oidc:ann","group":"kairship:oidc:devs","seen":"2026-11-22T00:00:00Z"}`, "b": "nonsense",
		note{User: "system:admin", Group: "g"}.key(): `{"user":"system:admin","group":"g","seen":"2026-11-22T00:00:00Z"}`,
	}); len(got) != 0 {
		t.Errorf("read: %v", got)
	}
}

func TestWhoDoesNotComeForAMonthIsForgotten(t *testing.T) {
	now := atFour()
	n := writing(t, "forgotten", now)
	n.Note(t.Context(), ann)
	now.Step(29 * 24 * time.Hour)
	n.Note(t.Context(), bob)
	r := NewReader(host.Client, "forgotten")
	if got := users(t, r, now.Now(), "kairship:oidc:devs"); !cmp.Equal(got, []string{bob.Name, ann.Name}) {
		t.Errorf("before: %v", got)
	}
	now.Step(24 * time.Hour)
	if got := users(t, r, now.Now(), "kairship:oidc:devs"); !cmp.Equal(got, []string{bob.Name}) {
		t.Errorf("after: %v", got)
	}
	if err := r.Forget(t.Context(), host.Client, now.Now()); err != nil {
		t.Fatal(err)
	}
	if got := users(t, NewReader(host.Client, "forgotten"), atFour().Now(), "kairship:oidc:devs", "kairship:oidc:ops"); !cmp.Equal(got, []string{bob.Name}) {
		t.Errorf("what is left: %v", got)
	}
	before := versions(t, "forgotten")
	if err := r.Forget(t.Context(), host.Client, now.Now()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, versions(t, "forgotten")); diff != "" {
		t.Errorf("it is written although nothing is to be forgotten (-before +after):\n%s", diff)
	}
}

// stale is a cache that has not heard of the last write.
type stale struct {
	client.Reader
	page corev1.ConfigMap
}

func (s stale) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	list.(*corev1.ConfigMapList).Items = []corev1.ConfigMap{s.page}
	return nil
}

func TestWhoComesAgainWhileTheyAreForgottenStays(t *testing.T) {
	now := atFour()
	n := writing(t, "again", now)
	n.Note(t.Context(), bob)
	old := stale{}
	if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: "again", Name: page(bob.Name)}, &old.page); err != nil {
		t.Fatal(err)
	}
	now.Step(kept)
	n.Note(t.Context(), bob)
	r := NewReader(host.Client, "again")
	testenv.Eventually(t, func() string { return cmp.Diff([]string{bob.Name}, users(t, r, now.Now(), "kairship:oidc:devs")) })
	if err := NewReader(old, "again").Forget(t.Context(), host.Client, now.Now()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{bob.Name}, users(t, r, now.Now(), "kairship:oidc:devs")); diff != "" {
		t.Error(diff)
	}
}

func TestNobodyWaitsForAHostThatIsAway(t *testing.T) {
	now := atFour()
	n := notebook(t, "away", now) // nobody runs it
	done := make(chan bool)
	go func() { done <- n.Note(t.Context(), ann) }()
	testenv.Eventually(t, func() string {
		if !now.HasWaiters() {
			return "it does not wait"
		}
		return ""
	})
	now.Step(maxWait)
	if !<-done {
		t.Error("it is not said to be new")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n.Note(ctx, bob)
	for i := range maxBatch + 10 {
		n.add(note{User: ann.Name, Group: fmt.Sprintf("kairship:oidc:g%d", i)})
	}
	if got := len(n.waiting[page(ann.Name)].notes); got != maxBatch {
		t.Errorf("%d wait to be written, want %d", got, maxBatch)
	}
}

func TestAMemberThatDoesNotKnowSomebodyYetIsAskedAgain(t *testing.T) {
	refused := apierrors.NewForbidden(schema.GroupResource{Resource: "users"}, "kairship:oidc:ann", errors.New(`User "x" cannot impersonate resource "users" in API group "" at the cluster scope`))
	other := apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "", errors.New(`User "kairship:oidc:ann" cannot list resource "pods"`))
	for _, tt := range []struct {
		name  string
		known bool
		errs  []error
		want  error
		calls int
	}{
		{"it is let in", false, []error{refused, refused, nil}, nil, 3},
		{"the member's own refusal", false, []error{other}, other, 1},
		{"somebody who has been noted for long", true, []error{refused}, refused, 1},
		{"at once", false, []error{nil}, nil, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := atFour()
			n := writing(t, "try-"+strings.ReplaceAll(strings.ReplaceAll(tt.name, " ", "-"), "'", ""), now)
			if tt.known {
				n.Note(t.Context(), ann)
				now.Step(time.Minute)
			}
			calls := 0
			done := make(chan error)
			go func() {
				done <- n.Try(t.Context(), ann, func(context.Context) error {
					calls++
					return tt.errs[calls-1]
				})
			}()
			var err error
			for waiting := true; waiting; {
				select {
				case err = <-done:
					waiting = false
				case <-time.After(time.Millisecond):
					if len(n.waitingPages()) == 0 && now.HasWaiters() {
						now.Step(again)
					}
				}
			}
			if !errors.Is(err, tt.want) || calls != tt.calls {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
}

func (n *Recorder) waitingPages() map[string]*batch {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.waiting
}

func TestGroupsThatComeOrGoOnAPage(t *testing.T) {
	at := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	of := func(seen time.Time, groups ...string) *corev1.ConfigMap {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string]string{}}
		for _, group := range groups {
			n := note{User: "kairship:oidc:ann", Group: "kairship:oidc:" + group, Seen: seen}
			o.Data[n.key()] = fmt.Sprintf(`{"user":%q,"group":%q,"seen":%q}`, n.User, n.Group, seen.Format(time.RFC3339))
		}
		return o
	}
	for name, tt := range map[string]struct {
		before, after *corev1.ConfigMap
		want          []string
	}{
		"all that come":      {nil, of(at, "b", "a"), []string{"kairship:oidc:a", "kairship:oidc:b"}},
		"one more, one less": {of(at, "a", "b"), of(at, "b", "c"), []string{"kairship:oidc:a", "kairship:oidc:c"}},
		"dated anew":         {of(at, "a"), of(at.Add(time.Hour), "a"), nil},
		"all that go":        {of(at, "a"), nil, []string{"kairship:oidc:a"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Groups(tt.before, tt.after)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
