package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// listTimeout bounds one page of a list, and how long a watch may take to begin.
	listTimeout = 30 * time.Second
	// listPage is how many objects one page of a list holds.
	listPage = 500
	// watchTime is how long a watch is requested to last; up to as much again is added, so that watches that began
	// together do not end together.
	watchTime = 5 * time.Minute
	// watchGrace is how much longer than requested a watch may take before it is abandoned.
	watchGrace = 30 * time.Second
	// backOffMin and backOffMax bound the pause after a failure; it doubles in between. A new subscriber ends the
	// pause, so that an instance that is back is not reported unavailable.
	backOffMin = 250 * time.Millisecond
	backOffMax = 4 * time.Second
	// early is the duration within which the end of a watch counts as a failure, even an orderly one.
	early = time.Second
	// maxList bounds the bytes of a whole list, and of the events after it until the next list: what is held of an
	// instance stays bounded, whatever its API server sends.
	maxList = link.MaxWatch
	// steady is how long a watch has to last for the pause to start from its minimum again.
	steady = 10 * time.Second
)

// errExpired says that the upstream cannot continue from the version asked for.
var errExpired = errors.New("resource version is too old")

// errAgain says that everything has to be listed again.
var errAgain = errors.New("everything is listed again")

// errEarly says that the upstream ended a watch as soon as it began.
var errEarly = errors.New("the watch ended at once")

// taker takes what a watch finds, in order, from one goroutine.
type taker interface {
	// replace takes everything that exists now.
	replace(objects []json.RawMessage)
	// upsert takes an object that is new or has changed.
	upsert(object json.RawMessage)
	// remove takes the last state of an object that is gone.
	remove(object json.RawMessage)
}

// receiver is a taker that is told how the watch itself is.
type receiver interface {
	taker
	// connected reports whether what was received is current: up is false while the upstream is out of reach.
	connected(up bool, why error)
	// heard is called whenever the upstream has sent something.
	heard()
}

// watch lists and watches one resource of one instance until it is stopped. It keeps objects as raw bytes: only the
// receiver knows their type.
type watch struct {
	resource schema.GroupVersionResource
	// namespace and selector leave out all other objects; empty for none.
	namespace, selector string
	connect             func() (Connection, error)
	to                  receiver
	log                 *slog.Logger
	restarts            func()
	// hurry ends a pause after a failure: a subscriber waits.
	hurry <-chan struct{}
	// again has it list anew: somebody wants what was not kept.
	again <-chan struct{}
	// most is maxList; tests set less.
	most int
	// objects is how many are listed at most, after which cut is called; 0 for all.
	objects int
	cut     func()
	// told counts the bytes received since the last list.
	told int
}

// run works until ctx ends or the instance is removed, and returns which as an error.
func (w *watch) run(ctx context.Context) error {
	var (
		conn    Connection
		version string
		pause   = backOffMin
	)
	for ctx.Err() == nil {
		began := time.Now()
		err := func() error {
			if conn == nil || closed(conn.Done()) {
				// Another connection may lead to another Karmada, where resource versions mean something else.
				next, err := w.connect()
				if err != nil {
					conn = nil
					return err
				}
				conn, version = next, ""
			}
			return w.follow(ctx, conn, &version)
		}()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, errAgain) {
			version = ""
			continue
		}
		if time.Since(began) > steady {
			pause = backOffMin
		}
		var known *model.Error
		if errors.As(err, &known) && known.Code == model.CodeNotFound {
			return err
		}
		if err == nil && !closed(conn.Done()) {
			if time.Since(began) > early {
				continue // it lasted as long as the upstream intended
			}
			err = errEarly
		}
		w.restarts()
		w.to.connected(false, err)
		if errors.Is(err, errExpired) {
			version = ""
			w.log.Info("watch expired, listing again", "resource", w.resource.String())
		} else {
			level := slog.LevelDebug // warn once only
			if pause == backOffMin {
				level = slog.LevelWarn
			}
			w.log.Log(ctx, level, "watch broke, trying again", "resource", w.resource.String(), "error", err)
		}
		if !w.sleep(ctx, pause/2+rand.N(pause/2)) {
			return ctx.Err()
		}
		pause = min(2*pause, backOffMax)
	}
	return ctx.Err()
}

// follow lists if there is no version to continue from, then watches until the upstream ends it. It fails with errAgain when somebody asked for
// that, whatever else ended it: the request would be lost.
func (w *watch) follow(ctx context.Context, conn Connection, version *string) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	again, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-conn.Done():
		case <-w.again:
			again = true
		case <-ctx.Done():
		}
		cancel()
	}()
	defer func() {
		cancel()
		if <-ended; again {
			err = errAgain
		}
	}()

	up, err := newSource(conn.Config(), w)
	if err != nil {
		return err
	}
	if *version == "" {
		objects, v, err := w.list(ctx, up)
		if err != nil {
			return fmt.Errorf("listing: %w", err)
		}
		w.to.replace(objects)
		*version, w.told = v, 0
	}
	if err := w.watch(ctx, up, version); err != nil {
		return fmt.Errorf("watching: %w", err)
	}
	return nil
}

// source lists and watches one resource.
type source struct {
	client   *http.Client
	url      *url.URL
	selector string
}

func newSource(config *rest.Config, w *watch) (*source, error) {
	resource := w.resource
	// Timeouts are set call by call; a client's timeout would end every watch.
	config = rest.CopyConfig(config)
	config.Timeout = 0
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("reading the server's address: %w", err)
	}
	path := base.JoinPath("apis", resource.Group, resource.Version)
	if resource.Group == "" {
		path = base.JoinPath("api", resource.Version)
	}
	if w.namespace != "" {
		path = path.JoinPath("namespaces", w.namespace)
	}
	return &source{client: client, url: path.JoinPath(resource.Resource), selector: w.selector}, nil
}

func (u *source) get(ctx context.Context, query url.Values) (*http.Response, error) {
	address := *u.url
	if u.selector != "" {
		query.Set("labelSelector", u.selector)
	}
	address.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := u.client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 4<<10))
	var status metav1.Status
	if json.Unmarshal(body, &status) != nil || status.Message == "" {
		status.Message = res.Status
	}
	if res.StatusCode == http.StatusGone {
		return nil, errExpired
	}
	return nil, &statusError{res.StatusCode, status.Message}
}

// statusError is an answer of an API server that is none to what was asked.
type statusError struct {
	code    int
	message string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the API server answers %d: %s", e.code, e.message)
}

func (e *statusError) forbidden() bool { return e.code == http.StatusForbidden }

// list reads everything, page by page, as it is now.
func (w *watch) list(ctx context.Context, u *source) (objects []json.RawMessage, version string, err error) {
	token, size := "", 0
	var pages link.Pages
	for {
		if err := pages.Next(token); err != nil {
			return nil, "", err
		}
		var page struct {
			Metadata metav1.ListMeta   `json:"metadata"`
			Items    []json.RawMessage `json:"items"`
		}
		if err := u.page(ctx, token, &page); err != nil {
			return nil, "", err
		}
		w.to.heard()
		for _, item := range page.Items {
			if size += len(item); size > w.most {
				return nil, "", fmt.Errorf("a list of more than %d bytes: %w", w.most, link.ErrTooLarge)
			}
		}
		objects = append(objects, page.Items...)
		if token = page.Metadata.Continue; token == "" {
			return objects, page.Metadata.ResourceVersion, nil
		}
		if w.objects > 0 && len(objects) >= w.objects {
			w.cut()
			return objects[:w.objects], page.Metadata.ResourceVersion, nil
		}
	}
}

func (u *source) page(ctx context.Context, token string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	query := url.Values{"limit": {strconv.Itoa(listPage)}}
	if token != "" {
		query.Set("continue", token)
	}
	res, err := u.get(ctx, query)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	return json.NewDecoder(res.Body).Decode(into)
}

// watch follows changes from a version on, and keeps version at the last one seen.
func (w *watch) watch(ctx context.Context, u *source, version *string) error {
	lasts := watchTime + rand.N(watchTime)
	ctx, cancel := context.WithTimeout(ctx, lasts+watchGrace)
	defer cancel()
	begin := time.AfterFunc(listTimeout, cancel)
	res, err := u.get(ctx, url.Values{
		"watch":               {"true"},
		"resourceVersion":     {*version},
		"allowWatchBookmarks": {"true"},
		"timeoutSeconds":      {strconv.Itoa(int(lasts.Seconds()))},
	})
	begin.Stop()
	if err != nil {
		return err
	}
	defer res.Body.Close()
	to := w.to
	to.heard()
	to.connected(true, nil)

	frames := json.NewDecoder(res.Body)
	for {
		var frame struct {
			Type   string          `json:"type"`
			Object json.RawMessage `json:"object"`
		}
		switch err := frames.Decode(&frame); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if w.told += len(frame.Object); w.told > w.most {
			return errExpired // objects deleted meanwhile are dropped with the next list
		}
		switch frame.Type {
		case "ADDED", "MODIFIED":
			to.upsert(frame.Object)
		case "DELETED":
			to.remove(frame.Object)
		case "BOOKMARK":
		case "ERROR":
			var status metav1.Status
			if err := json.Unmarshal(frame.Object, &status); err != nil {
				return fmt.Errorf("reading an error: %w", err)
			}
			if status.Code == http.StatusGone {
				return errExpired
			}
			return errors.New(status.Message)
		default:
			return fmt.Errorf("unknown type of event %.40q", frame.Type)
		}
		var object struct {
			Metadata struct {
				ResourceVersion string `json:"resourceVersion"`
			} `json:"metadata"`
		}
		if err := json.Unmarshal(frame.Object, &object); err != nil {
			return fmt.Errorf("reading an object: %w", err)
		}
		*version = object.Metadata.ResourceVersion
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// sleep pauses, for at most the shortest pause when a subscriber waits; it returns false when ctx ended first.
func (w *watch) sleep(ctx context.Context, d time.Duration) bool {
	least, all := time.NewTimer(min(d, backOffMin)), time.NewTimer(d)
	defer least.Stop()
	defer all.Stop()
	select {
	case <-least.C:
	case <-ctx.Done():
		return false
	}
	select {
	case <-all.C:
	case <-w.hurry:
	case <-ctx.Done():
		return false
	}
	return true
}
