// Package podlogs follows the logs of pods in members, as the person who asks, and merges them by time. What a slow reader does not
// take is dropped and counted: it never waits in memory.
//
// It knows nothing of GraphQL, or of how a member is reached.
package podlogs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

const (
	// MostPods is how many pods one subscription may follow.
	MostPods = 100
	// mostOfAPerson and mostOfAll are how many logs are followed at the same time.
	mostOfAPerson, mostOfAll = 200, 5000
	// mostTail is how many lines of the past may be asked for of each pod.
	mostTail = 10_000
	// defaultTail is how many are sent when nothing is said.
	defaultTail = 100
	// mostText is how many bytes of a line are sent.
	mostText = 16 << 10
	// beginning is how long a member may take until its log begins.
	beginning = 10 * time.Second
)

// Connect returns a configuration for a member as a person; see instance.Fleet.Upstream.
type Connect func(ctx context.Context, scope rbac.Scope, p auth.Principal, instance, cluster string) (*rest.Config, error)

// Follower follows logs.
type Follower struct {
	connect Connect

	mu  sync.Mutex
	of  map[string]int
	all int
}

// New makes a Follower.
func New(connect Connect) *Follower { return &Follower{connect: connect, of: map[string]int{}} }

// Pod names a pod.
type Pod struct{ Cluster, Namespace, Name string }

// Request is what to follow.
type Request struct {
	Instance string
	Pods     []Pod
	// Container is empty for that of a pod with only one.
	Container string
	Follow    bool
	// Previous is for the log of the container before the last restart.
	Previous bool
	// TailLines is how many lines of the past to begin with; nil for 100.
	TailLines *int
	// Since leaves out older lines.
	Since *time.Time
}

// check names the field that is wrong.
func (r *Request) check() error {
	if n := len(r.Pods); n == 0 || n > MostPods {
		return model.BadInput("also", "makes %d pods with the first one; at most %d are allowed", n, MostPods)
	}
	for i, p := range r.Pods {
		at := func(field string) string {
			if i == 0 {
				return field
			}
			return fmt.Sprintf("also[%d].%s", i-1, field)
		}
		for _, part := range []struct {
			field, value string
			wrong        func(string) []string
		}{
			{"cluster", p.Cluster, validation.IsDNS1123Subdomain}, {"namespace", p.Namespace, validation.IsDNS1123Label}, {"pod", p.Name, validation.IsDNS1123Subdomain},
		} {
			if wrong := part.wrong(part.value); len(wrong) > 0 {
				return model.BadInput(at(part.field), "is %.80q: %s", part.value, wrong[0])
			}
		}
	}
	if r.Container != "" {
		if wrong := validation.IsDNS1123Label(r.Container); len(wrong) > 0 {
			return model.BadInput("container", "is %.80q: %s", r.Container, wrong[0])
		}
	}
	if r.TailLines != nil && (*r.TailLines < 0 || *r.TailLines > mostTail) {
		return model.BadInput("tailLines", "is %d; 0 to %d are allowed", *r.TailLines, mostTail)
	}
	if r.Previous && r.Follow {
		return model.BadInput("follow", "must be false with previous: what has ended does not go on")
	}
	return nil
}

// Follow sends what the pods log. It fails where none of them can be followed; of some, their end says why. The channel is closed when
// all have ended, or ctx has.
func (f *Follower) Follow(ctx context.Context, r Request) (<-chan *model.PodLogChunk, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	who, scope := rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx)
	if scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	release, err := f.acquire(who.Name, len(r.Pods))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	logs := make([]io.ReadCloser, len(r.Pods))
	failed := make([]error, len(r.Pods))
	var opening sync.WaitGroup
	for i, p := range r.Pods {
		opening.Go(func() { logs[i], failed[i] = f.open(ctx, scope, who, &r, p) })
	}
	opening.Wait()
	q := newQueue(len(r.Pods))
	var reading sync.WaitGroup
	begun := 0
	for i, p := range r.Pods {
		if failed[i] != nil {
			q.end(endOf(p, failed[i]))
			continue
		}
		begun++
		reading.Go(func() { q.end(endOf(p, r.read(ctx, q, i, logs[i]))) })
	}
	if begun == 0 {
		cancel()
		release()
		return nil, failed[0]
	}
	out := make(chan *model.PodLogChunk)
	go func() { // ends with ctx, or with the logs
		defer release()
		defer reading.Wait()
		defer cancel()
		defer close(out)
		send(ctx, q, out)
	}()
	return out, nil
}

// acquire counts the logs that a person follows.
func (f *Follower) acquire(who string, n int) (release func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of[who]+n > mostOfAPerson || f.all+n > mostOfAll {
		return nil, &model.Error{Code: model.CodeLimitExceeded, Retryable: true,
			Message: fmt.Sprintf("you follow the logs of %d pods, and would follow %d more; %d are allowed at a time, and %d to all together", f.of[who], n, mostOfAPerson, mostOfAll)}
	}
	f.of[who] += n
	f.all += n
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.all -= n
		if f.of[who] -= n; f.of[who] == 0 {
			delete(f.of, who)
		}
	}, nil
}

// open begins to read the log of a pod.
func (f *Follower) open(ctx context.Context, scope rbac.Scope, who auth.Principal, r *Request, p Pod) (io.ReadCloser, error) {
	connecting, stop := context.WithTimeout(ctx, beginning)
	defer stop()
	config, err := f.connect(connecting, scope, who, r.Instance, p.Cluster)
	if err != nil {
		return nil, err
	}
	config = rest.CopyConfig(config)
	config.Timeout = 0 // a log may last
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client of cluster %q: %w", p.Cluster, err)
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("reading the address of cluster %q: %w", p.Cluster, err)
	}
	address := base.JoinPath("api", "v1", "namespaces", p.Namespace, "pods", p.Name, "log")
	address.RawQuery = r.query().Encode()
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(beginning, func() { cancel(context.DeadlineExceeded) })
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		cancel(nil)
		return nil, fmt.Errorf("asking for a log: %w", err)
	}
	res, err := client.Do(req)
	late.Stop()
	if err != nil {
		late := errors.Is(context.Cause(ctx), context.DeadlineExceeded)
		cancel(nil)
		code, says := model.CodeUnavailable, "cannot be reached"
		if late {
			code, says = model.CodeTimeout, "did not answer in time"
		}
		return nil, &model.Error{Code: code, Instance: r.Instance, Cluster: p.Cluster, Retryable: true, Message: fmt.Sprintf("cluster %q of instance %q %s", p.Cluster, r.Instance, says), Err: err}
	}
	if res.StatusCode == http.StatusOK {
		return &body{res.Body, cancel}, nil
	}
	defer cancel(nil)
	defer func() { _ = res.Body.Close() }()
	return nil, r.refused(p, res)
}

// body is the body of an answer; closing it ends the request.
type body struct {
	io.ReadCloser
	cancel context.CancelCauseFunc
}

func (b *body) Close() error {
	b.cancel(nil)
	return b.ReadCloser.Close()
}

func (r *Request) query() url.Values {
	tail := defaultTail
	if r.TailLines != nil {
		tail = *r.TailLines
	}
	out := url.Values{"timestamps": {"true"}, "tailLines": {strconv.Itoa(tail)}}
	if r.Follow {
		out.Set("follow", "true")
	}
	if r.Previous {
		out.Set("previous", "true")
	}
	if r.Container != "" {
		out.Set("container", r.Container)
	}
	if r.Since != nil {
		out.Set("sinceTime", r.Since.UTC().Format(time.RFC3339))
	}
	return out
}

// refused is the error for an answer that is no log, in the words of the member.
func (r *Request) refused(p Pod, res *http.Response) error {
	raw, _ := io.ReadAll(io.LimitReader(res.Body, 16<<10))
	var status metav1.Status
	if json.Unmarshal(raw, &status) != nil || status.Message == "" {
		status.Message = res.Status
	}
	out := &model.Error{Instance: r.Instance, Cluster: p.Cluster, Message: redact.Text(status.Message)}
	switch res.StatusCode {
	case http.StatusForbidden:
		out.Code = model.CodeForbidden
	case http.StatusNotFound:
		out.Code, out.Field = model.CodeNotFound, []string{"pod"}
	case http.StatusBadRequest:
		out.Code, out.Field = model.CodeBadUserInput, []string{"container"}
	default:
		out.Code, out.Retryable = model.CodeUnavailable, true
		out.Message = fmt.Sprintf("cluster %q answers %d: %s", p.Cluster, res.StatusCode, out.Message)
	}
	return out
}

// read reads a log to its end.
func (r *Request) read(ctx context.Context, q *queue, pod int, log io.ReadCloser) error {
	stop := context.AfterFunc(ctx, func() { _ = log.Close() })
	defer stop()
	defer func() { _ = log.Close() }()
	lines := bufio.NewReaderSize(log, mostText+64)
	of := r.Pods[pod]
	for {
		raw, err := lines.ReadSlice('\n')
		more := 0
		for errors.Is(err, bufio.ErrBufferFull) {
			if more == 0 {
				raw = bytes.Clone(raw)
			}
			var rest []byte
			rest, err = lines.ReadSlice('\n')
			more += len(rest)
		}
		if len(raw) > 0 {
			q.add(pod, lineOf(of, r.Container, raw, more), time.Now())
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return &model.Error{Code: model.CodeUnavailable, Instance: r.Instance, Cluster: of.Cluster, Retryable: true,
				Message: fmt.Sprintf("the log of pod %q broke off", of.Name), Err: err}
		}
	}
}

// lineOf reads a line with its time; more is how many bytes of it were left out.
func lineOf(of Pod, container string, raw []byte, more int) model.PodLogLine {
	raw = bytes.TrimRight(raw, "\r\n")
	out := model.PodLogLine{Cluster: of.Cluster, Namespace: of.Namespace, Pod: of.Name}
	if container != "" {
		out.Container = &container
	}
	if stamp, text, found := bytes.Cut(raw, []byte(" ")); found || len(stamp) > 0 {
		if at, err := time.Parse(time.RFC3339Nano, string(stamp)); err == nil {
			out.At, raw = at, text
		}
	}
	if out.At.IsZero() {
		out.At = time.Now().UTC()
	}
	if len(raw) > mostText {
		more += len(raw) - mostText
		raw = raw[:mostText]
	}
	out.Text = string(bytes.ToValidUTF8(raw, []byte(string(utf8.RuneError))))
	out.Cut = more
	return out
}

func endOf(p Pod, err error) model.PodLogEnd {
	out := model.PodLogEnd{Cluster: p.Cluster, Namespace: p.Namespace, Pod: p.Name}
	if err == nil {
		return out
	}
	known := (*model.Error)(nil)
	if !errors.As(err, &known) {
		known = &model.Error{Code: model.CodeUnavailable, Message: "it cannot be read"}
	}
	out.Error = &model.UserError{Code: string(known.Code), Message: known.Message, Field: known.Field}
	return out
}

// send sends what the queue has, each event when its turn is granted, until nothing more comes or ctx ends.
func send(ctx context.Context, q *queue, out chan<- *model.PodLogChunk) {
	to := pace.From(ctx)
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		in, something, done := q.due(time.Now())
		if done {
			return
		}
		if !something || in > 0 {
			var later <-chan time.Time
			if something {
				wait.Reset(in)
				later = wait.C
			}
			select {
			case <-q.wake:
			case <-later:
			case <-ctx.Done():
				return
			}
			continue
		}
		granted, giveBack := to.Turn()
		select {
		case <-granted:
		case <-ctx.Done():
			giveBack()
			return
		}
		chunk := q.take(time.Now())
		if chunk == nil {
			giveBack()
			continue
		}
		select {
		case out <- chunk:
		case <-ctx.Done():
			giveBack()
			return
		}
	}
}
