package subjects

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
)

const (
	// fieldOwner is the field manager that writes notes.
	fieldOwner = "kairship-seen"
	// writeTimeout bounds each request to the host cluster.
	writeTimeout = 5 * time.Second
	// maxWait is how long a new user waits at most: first for the note, then for the members.
	maxWait = 5 * time.Second
	// again is the pause between attempts at a member.
	again = 200 * time.Millisecond
	// settling is how long after a note a member may not yet know the user.
	settling = 15 * time.Second
	// maxGroups is how many groups of one person are recorded. One that an instance binds is enough there.
	maxGroups = 64
	// maxKnown is how many notes are remembered, and maxBatch how many may wait to be written to one page.
	maxKnown = 100_000
	maxBatch = 1_000
)

// Recorder records users who have a role by a group.
type Recorder struct {
	maps  corev1client.ConfigMapInterface
	clock clock.Clock
	log   *slog.Logger

	// known is when a pair of user and group was recorded, by key.
	known *lru.Cache[string, time.Time]
	wake  chan struct{}

	mu      sync.Mutex
	waiting map[string]*batch
}

// batch is the notes to be written to one page.
type batch struct {
	notes map[string]note
	// done is closed when the batch was written, or writing failed.
	done chan struct{}
}

// NewRecorder records in the ConfigMaps of a namespace of the host cluster. Run writes them.
func NewRecorder(maps corev1client.ConfigMapInterface, now clock.Clock, log *slog.Logger) *Recorder {
	known, _ := lru.New[string, time.Time](maxKnown) // fails only for a size below 1
	return &Recorder{maps: maps, clock: now, log: log, known: known, wake: make(chan struct{}, 1), waiting: map[string]*batch{}}
}

// Note records a principal with the groups by which they act in an instance (rbac.Scope's Acting). It returns at once
// when they are recorded already; for a new user it waits until they are, a few seconds at most. It reports whether the
// note is so new that members may not know them yet.
func (n *Recorder) Note(ctx context.Context, p auth.Principal) (fresh bool) {
	now := n.clock.Now()
	var done []chan struct{}
	for _, group := range p.Groups[:min(len(p.Groups), maxGroups)] {
		entry := note{User: p.Name, Group: group, Seen: now.UTC().Truncate(time.Second)}
		if !entry.valid() {
			continue
		}
		at, known := n.known.Get(entry.key())
		fresh = fresh || !known || now.Sub(at) < settling
		if known && now.Sub(at) < renewal {
			continue
		}
		if written := n.add(entry); !known && written != nil {
			done = append(done, written)
		}
	}
	if len(done) == 0 {
		return fresh
	}
	limit := n.clock.NewTimer(maxWait)
	defer limit.Stop()
	for _, written := range done {
		select {
		case <-written:
		case <-limit.C():
			return fresh
		case <-ctx.Done():
			return fresh
		}
	}
	return fresh
}

// Try records a principal and makes a call to a member in their name. Members refuse a new user for a moment (Refused):
// the call is then repeated, for a few seconds at most.
func (n *Recorder) Try(ctx context.Context, p auth.Principal, call func(context.Context) error) error {
	fresh := n.Note(ctx, p)
	err := call(ctx)
	for end := n.clock.Now().Add(maxWait); fresh && Refused(err) && n.clock.Now().Before(end); err = call(ctx) {
		pause := n.clock.NewTimer(again)
		select {
		case <-pause.C():
		case <-ctx.Done():
			pause.Stop()
			return err
		}
	}
	return err
}

// Refused reports whether an error is that of a member which does not let Karmada impersonate a user: they are not
// listed there, or not yet.
func Refused(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "cannot impersonate")
}

// add queues a note for its page; nil when too many are waiting.
func (n *Recorder) add(entry note) chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	b := n.waiting[page(entry.User)]
	if b == nil {
		b = &batch{notes: map[string]note{}, done: make(chan struct{})}
		n.waiting[page(entry.User)] = b
	}
	if len(b.notes) >= maxBatch {
		return nil
	}
	b.notes[entry.key()] = entry
	select {
	case n.wake <- struct{}{}:
	default:
	}
	return b.done
}

// Run writes notes until the context ends. Notes that cannot be written are recorded again with the user's next
// request.
func (n *Recorder) Run(ctx context.Context) error {
	for {
		select {
		case <-n.wake:
		case <-ctx.Done():
			return nil
		}
		n.mu.Lock()
		batches := n.waiting
		n.waiting = map[string]*batch{}
		n.mu.Unlock()
		for name, b := range batches {
			if err := n.write(ctx, name, b.notes); err != nil && ctx.Err() == nil {
				n.log.Warn("who has been seen cannot be noted", "configMap", name, "error", err)
			}
			close(b.done)
		}
	}
}

// write writes the notes of one page, except those that another API server has written.
func (n *Recorder) write(ctx context.Context, name string, notes map[string]note) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	have, err := n.maps.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		have, err = n.maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{Label: "true", v1alpha1.LabelManagedBy: v1alpha1.ManagedByKairship},
		}}, metav1.CreateOptions{FieldManager: fieldOwner})
		if apierrors.IsAlreadyExists(err) {
			have, err = n.maps.Get(ctx, name, metav1.GetOptions{})
		}
	}
	if err != nil {
		return fmt.Errorf("reading ConfigMap %q: %w", name, err)
	}
	for key, there := range read(have.Data) {
		n.known.Add(key, there.Seen)
	}
	data := map[string]*string{}
	for key, entry := range notes {
		if at, known := n.known.Peek(key); known && entry.Seen.Sub(at) < renewal {
			continue
		}
		raw, err := json.Marshal(entry)
		if err != nil {
			return fmt.Errorf("writing down %q: %w", entry.User, err)
		}
		value := string(raw)
		data[key] = &value
	}
	if len(data) == 0 {
		return nil
	}
	body, err := patch(data, "")
	if err != nil {
		return err
	}
	if _, err := n.maps.Patch(ctx, name, types.MergePatchType, body, metav1.PatchOptions{FieldManager: fieldOwner}); err != nil {
		return fmt.Errorf("writing ConfigMap %q: %w", name, err)
	}
	for key := range data {
		n.known.Add(key, notes[key].Seen)
	}
	return nil
}
