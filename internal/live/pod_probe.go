package live

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
)

// probe asks a member that has told nothing for a while whether it is still there: a watch on one that is frozen stays open.
func (f *podFeed) probe(ctx context.Context) {
	every := f.group.hub.cfg.Probe
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		f.group.mu.Lock()
		config, quiet := f.config, time.Since(f.heardAt) >= every
		f.group.mu.Unlock()
		if config == nil || !quiet {
			continue
		}
		if err := ping(ctx, config, f.group.hub.cfg.Silence); err == nil {
			f.heard()
		} else if ctx.Err() == nil {
			f.update(func() {
				f.silent = true
				f.why = &model.Error{Code: model.CodeTimeout, Message: fmt.Sprintf("cluster %q does not answer any more", f.place.cluster)}
			})
		}
	}
}

// heard notes that the member is there.
func (f *podFeed) heard() {
	f.group.mu.Lock()
	f.heardAt = time.Now()
	silent := f.silent
	f.group.mu.Unlock()
	if silent {
		f.update(func() { f.silent, f.why = false, nil })
	}
}

// ping fails when a server does not answer in time. Any answer will do, a refusal too.
func ping(ctx context.Context, config *rest.Config, within time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	up, err := newSource(config, &watch{})
	if err != nil {
		return err
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return fmt.Errorf("reading the server's address: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("version").String(), nil)
	if err != nil {
		return fmt.Errorf("asking whether it is there: %w", err)
	}
	res, err := up.client.Do(req)
	if err != nil {
		return fmt.Errorf("asking whether it is there: %w", err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	return res.Body.Close()
}
