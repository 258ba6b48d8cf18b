package podlogs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

const deadline = time.Minute

var admins = rbac.NewAuthorizer([]string{"admins"})

func as(ctx context.Context, name string) context.Context {
	return admins.NewContext(ctx, auth.Principal{Name: name, Groups: []string{"admins"}})
}

// member answers requests for logs, and keeps what it was asked.
type member struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newMember(t *testing.T, answer func(pod string, w http.ResponseWriter, r *http.Request)) *member {
	t.Helper()
	m := &member{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.asked = append(m.asked, r.Header.Get("Impersonate-User")+" "+r.URL.String())
		m.mu.Unlock()
		answer(strings.Split(r.URL.Path, "/")[6], w, r)
	}))
	t.Cleanup(func() {
		m.CloseClientConnections()
		m.Close()
	})
	return m
}

// connect leads to it as the person.
func (m *member) connect(_ context.Context, _ rbac.Scope, p auth.Principal, _, cluster string) (*rest.Config, error) {
	if cluster == "kyoto" {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no cluster kyoto"}
	}
	return &rest.Config{Host: m.URL, Impersonate: rest.ImpersonationConfig{UserName: p.Name}}, nil
}

// all reads a subscription to its end.
func all(t *testing.T, from <-chan *model.PodLogChunk) (lines []string, ended []model.PodLogEnd, dropped int) {
	t.Helper()
	for {
		select {
		case c, open := <-from:
			if !open {
				return lines, ended, dropped
			}
			for _, l := range c.Lines {
				lines = append(lines, l.Pod+" "+l.Text)
			}
			ended, dropped = append(ended, c.Ended...), dropped+c.Dropped
		case <-time.After(deadline):
			t.Fatalf("after %q nothing came", lines)
		}
	}
}

func TestALogIsReadAsThePerson(t *testing.T) {
	m := newMember(t, func(_ string, w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "2026-11-25T12:00:00.5Z one\n2026-11-25T12:00:01Z two\nno time\n2026-11-25T12:00:02Z \xff not UTF-8\n2026-11-25T12:00:03Z without an end")
	})
	since := time.Date(2026, 11, 25, 11, 0, 0, 0, time.UTC)
	got, err := New(m.connect).Follow(as(t.Context(), "ada"), Request{Instance: "asia", Pods: []Pod{{"tokyo", "shop", "web-1"}}, Container: "web", Previous: true, Since: &since})
	if err != nil {
		t.Fatal(err)
	}
	lines, ended, _ := all(t, got)
	if want := []string{"web-1 one", "web-1 two", "web-1 no time", "web-1 \ufffd not UTF-8", "web-1 without an end"}; !slices.Equal(lines, want) {
		t.Errorf("sent %q", lines)
	}
	if len(ended) != 1 || ended[0].Error != nil {
		t.Errorf("ended %+v", ended)
	}
	if want := "ada /api/v1/namespaces/shop/pods/web-1/log?container=web&previous=true&sinceTime=2026-11-25T11%3A00%3A00Z&tailLines=100&timestamps=true"; len(m.asked) != 1 || m.asked[0] != want {
		t.Errorf("it was asked %q", m.asked)
	}
}

func TestALineThatIsTooLongIsCut(t *testing.T) {
	m := newMember(t, func(_ string, w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "2026-11-25T12:00:00Z %s\n2026-11-25T12:00:01Z next\n", strings.Repeat("x", 5*mostText))
	})
	got, err := New(m.connect).Follow(as(t.Context(), "ada"), Request{Instance: "asia", Pods: []Pod{{"tokyo", "shop", "web"}}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []model.PodLogLine
	for c := range got {
		lines = append(lines, c.Lines...)
	}
	if len(lines) != 2 || len(lines[0].Text) > mostText || len(lines[0].Text)+lines[0].Cut < 5*mostText || lines[1].Text != "next" {
		t.Errorf("%d lines of %d bytes, cut by %d", len(lines), len(lines[0].Text), lines[0].Cut)
	}
}

func TestTheLogsOfSeveralPodsAreMergedAndOneThatFailsIsSaid(t *testing.T) {
	m := newMember(t, func(pod string, w http.ResponseWriter, _ *http.Request) {
		if pod == "c" {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"kind":"Status","message":"pods \"c\" is forbidden: User \"ada\" cannot get resource \"pods/log\""}`)
			return
		}
		start := 0
		if pod == "b" {
			start = 1
		}
		for i := start; i < 10; i += 2 {
			_, _ = fmt.Fprintf(w, "2026-11-25T12:00:%02dZ %d\n", i, i)
		}
	})
	f := New(m.connect)
	got, err := f.Follow(as(t.Context(), "ada"), Request{Instance: "asia", Pods: []Pod{{"tokyo", "shop", "a"}, {"hangzhou", "shop", "b"}, {"tokyo", "shop", "c"}, {"kyoto", "shop", "d"}}})
	if err != nil {
		t.Fatal(err)
	}
	lines, ended, _ := all(t, got)
	if want := []string{"a 0", "b 1", "a 2", "b 3", "a 4", "b 5", "a 6", "b 7", "a 8", "b 9"}; !slices.Equal(lines, want) {
		t.Errorf("sent %q", lines)
	}
	codes := map[string]string{}
	for _, e := range ended {
		codes[e.Pod] = "none"
		if e.Error != nil {
			codes[e.Pod] = e.Error.Code + " " + e.Error.Message
		}
	}
	if codes["a"] != "none" || codes["b"] != "none" || !strings.HasPrefix(codes["c"], `FORBIDDEN pods "c" is forbidden`) || !strings.HasPrefix(codes["d"], "NOT_FOUND") {
		t.Errorf("ended %q", codes)
	}
	var refused *model.Error
	if _, err := f.Follow(as(t.Context(), "ada"), Request{Instance: "asia", Pods: []Pod{{"tokyo", "shop", "c"}}}); !errors.As(err, &refused) || refused.Code != model.CodeForbidden {
		t.Errorf("when there is no other it is answered %v", err)
	}
	if len(f.of) != 0 || f.all != 0 {
		t.Errorf("%v and %d are counted in the end", f.of, f.all)
	}
}

func TestFollowingEndsWithItsReader(t *testing.T) {
	left := make(chan struct{}, 2)
	m := newMember(t, func(_ string, w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "2026-11-25T12:00:00Z one\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		left <- struct{}{}
	})
	f := New(m.connect)
	ctx, leave := context.WithCancel(t.Context())
	got, err := f.Follow(as(ctx, "ada"), Request{Instance: "asia", Follow: true, Pods: []Pod{{"tokyo", "shop", "a"}, {"tokyo", "shop", "b"}}})
	if err != nil {
		t.Fatal(err)
	}
	<-got
	leave()
	for range 2 {
		select {
		case <-left:
		case <-time.After(deadline):
			t.Fatal("a request goes on")
		}
	}
	for range got { // it is closed in the end
	}
}

func TestWhatIsWrongWithARequestForLogsIsNamed(t *testing.T) {
	many, ten := make([]Pod, MostPods+1), 10_001
	for i := range many {
		many[i] = Pod{"tokyo", "shop", "a"}
	}
	good := Pod{"tokyo", "shop", "a"}
	for name, c := range map[string]struct {
		request Request
		field   string
	}{
		"a path for a cluster":     {Request{Pods: []Pod{{"../x", "shop", "a"}}}, "cluster"},
		"a path for a namespace":   {Request{Pods: []Pod{good, {"tokyo", "a/b", "a"}}}, "also[0].namespace"},
		"a path for a pod":         {Request{Pods: []Pod{good, good, {"tokyo", "shop", "a/../b"}}}, "also[1].pod"},
		"a query for a container":  {Request{Pods: []Pod{good}, Container: "a&previous=true"}, "container"},
		"too many lines":           {Request{Pods: []Pod{good}, TailLines: &ten}, "tailLines"},
		"what has ended going on":  {Request{Pods: []Pod{good}, Follow: true, Previous: true}, "follow"},
		"more pods than may be":    {Request{Pods: many}, "also"},
		"a cluster without a name": {Request{Pods: []Pod{{"", "shop", "a"}}}, "cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(nil).Follow(as(t.Context(), "ada"), c.request)
			var bad *model.Error
			if !errors.As(err, &bad) || bad.Code != model.CodeBadUserInput || !strings.HasPrefix(bad.Message, c.field+": ") {
				t.Errorf("it is answered %v, want %s", err, c.field)
			}
		})
	}
}

func TestOnePersonDoesNotFollowMoreLogsThanMayBe(t *testing.T) {
	m := newMember(t, func(_ string, w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	f := New(m.connect)
	pods := make([]Pod, MostPods)
	for i := range pods {
		pods[i] = Pod{"tokyo", "shop", "a"}
	}
	for range mostOfAPerson / MostPods {
		if _, err := f.Follow(as(t.Context(), "ada"), Request{Instance: "asia", Follow: true, Pods: pods}); err != nil {
			t.Fatal(err)
		}
	}
	var refused *model.Error
	if _, err := f.Follow(as(t.Context(), "ada"), Request{Instance: "asia", Follow: true, Pods: pods[:1]}); !errors.As(err, &refused) || refused.Code != model.CodeLimitExceeded {
		t.Errorf("one more is answered %v", err)
	}
	if _, err := f.Follow(as(t.Context(), "grace"), Request{Instance: "asia", Follow: true, Pods: pods[:1]}); err != nil {
		t.Errorf("somebody else is answered %v", err)
	}
}

// Ten people follow forty pods of three members, five thousand lines a second: who reads has the lines of each pod in their order, and is told how
// many were dropped; of who reads nothing no more is kept than there is room for.
func TestManyFollowTheLogsOfManyPods(t *testing.T) {
	const pods, each, people, tick, atOnce = 40, 600, 10, 40 * time.Millisecond, 5
	m := newMember(t, func(pod string, w http.ResponseWriter, r *http.Request) {
		every := time.NewTicker(tick) // five lines of each of forty pods
		defer every.Stop()
		for n := 0; n < each; {
			for range atOnce {
				n++
				_, _ = fmt.Fprintf(w, "%s %d\n", time.Now().UTC().Format(time.RFC3339Nano), n)
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-every.C:
			case <-r.Context().Done():
				return
			}
		}
	})
	f := New(m.connect)
	request := Request{Instance: "asia", Follow: true}
	for i := range pods {
		request.Pods = append(request.Pods, Pod{[]string{"tokyo", "osaka", "kobe"}[i%3], "shop", fmt.Sprint("web-", i)})
	}
	var running sync.WaitGroup
	unread := make(chan struct{})
	for who := range people {
		from, err := f.Follow(as(t.Context(), fmt.Sprint("person-", who)), request)
		if err != nil {
			t.Fatal(err)
		}
		running.Go(func() {
			if who == 0 {
				<-unread
			}
			last, lines, dropped, ended := map[string]int{}, 0, 0, 0
			for c := range from {
				dropped, ended = dropped+c.Dropped, ended+len(c.Ended)
				for _, l := range c.Lines {
					n, err := strconv.Atoi(l.Text)
					if err != nil || n <= last[l.Pod] {
						t.Errorf("person %d: line %q of %s came after line %d", who, l.Text, l.Pod, last[l.Pod])
						return
					}
					last[l.Pod] = n
					lines++
				}
			}
			if lines+dropped != pods*each || ended != pods {
				t.Errorf("person %d read %d lines and was told of %d dropped, of %d; %d of %d logs ended", who, lines, dropped, pods*each, ended, pods)
			}
			if who == 0 && (dropped == 0 || lines > mostLines+2*chunkLines) {
				t.Errorf("for who reads nothing %d lines were kept, %d dropped; there is room for %d", lines, dropped, mostLines)
			}
		})
		if who == 0 {
			// They begin to read when all that was logged has come.
			go func() {
				defer close(unread)
				for end := time.Now().Add(deadline); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					m.mu.Lock()
					asked := len(m.asked)
					m.mu.Unlock()
					f.mu.Lock()
					open := f.all
					f.mu.Unlock()
					if asked == pods*people && open == pods {
						return
					}
				}
			}()
		}
	}
	running.Wait()
}
