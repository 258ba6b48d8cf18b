package kubeapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

const (
	// rediscoverAfter is how old a catalog must be before an unknown kind renews it: the kind may just have been
	// defined, or never be.
	rediscoverAfter = 10 * time.Second
	// forgetAfter is how long a known kind is assumed to be served unchanged.
	forgetAfter = 10 * time.Minute
)

// catalog is the kinds that an API server serves. It is immutable once shared.
type catalog struct {
	at time.Time
	// all is by group, kind and version, the newest version first.
	all    []*model.APIResource
	byKind map[schema.GroupVersionKind]*model.APIResource
	// failed is the groups and versions whose own servers did not answer.
	failed map[schema.GroupVersion]bool
	// customErr says why it is not known which kinds are custom; nil when it is.
	customErr error
}

// Kind returns how the API server of an instance, or of a member when cluster is not empty, serves a kind. The error
// is NOT_FOUND for a kind that it does not serve, UNAVAILABLE when that is not known now.
func (r *Reader) Kind(ctx context.Context, scope rbac.Scope, instance, cluster string, gvk schema.GroupVersionKind) (*model.APIResource, error) {
	s, err := r.server(scope, place{instance, cluster})
	if err != nil {
		return nil, err
	}
	return s.kind(ctx, gvk)
}

// APIResources returns the kinds that the API server of an instance serves, by group, kind and version, the newest
// version first. Groups whose own servers do not answer now are as last known, or left out.
func (r *Reader) APIResources(ctx context.Context, scope rbac.Scope, instance string) ([]*model.APIResource, error) {
	s, err := r.server(scope, place{instance: instance})
	if err != nil {
		return nil, err
	}
	c, err := s.kinds(ctx, rediscoverAfter)
	if err != nil {
		return nil, err
	}
	if c.customErr != nil {
		return nil, s.explain(c.customErr)
	}
	out := make([]*model.APIResource, 0, len(c.all))
	for _, known := range c.all {
		one := *known
		one.Synced = r.fleet.Synced(instance, "", one.GVR()) == nil
		out = append(out, &one)
	}
	return out, nil
}

func (s *server) kind(ctx context.Context, gvk schema.GroupVersionKind) (*model.APIResource, error) {
	c, err := s.kinds(ctx, forgetAfter)
	if err != nil {
		return nil, err
	}
	if c.byKind[gvk] == nil {
		if c, err = s.kinds(ctx, rediscoverAfter); err != nil {
			return nil, err
		}
	}
	if known := c.byKind[gvk]; known != nil {
		return known, nil
	}
	if c.failed[gvk.GroupVersion()] {
		return nil, s.fail(model.CodeUnavailable, true, nil, "what serves %s in %s does not answer", gvk.GroupVersion(), s.place)
	}
	return nil, s.unserved(c, gvk)
}

// unserved reports that there is no such kind, and which versions of it there are.
func (s *server) unserved(c *catalog, gvk schema.GroupVersionKind) error {
	var others []string
	for _, known := range c.all {
		if known.Group == gvk.Group && known.Kind == gvk.Kind {
			others = append(others, known.APIVersion())
		}
	}
	err := s.fail(model.CodeNotFound, false, nil, "%s serves no kind %q of %q", s.place, gvk.Kind, gvk.GroupVersion())
	if len(others) > 0 {
		err.Message += "; it serves " + strings.Join(others, ", ")
	}
	err.Field = []string{"kind"}
	return err
}

// kinds returns the catalog, renewed when it is older than age. When it cannot be renewed, the old one is used.
func (s *server) kinds(ctx context.Context, age time.Duration) (*catalog, error) {
	known := s.known()
	if known != nil && time.Since(known.at) < age {
		return known, nil
	}
	cfg, err := s.conn.Discoverer(s.cluster)
	if err != nil {
		return orKnown(known, err)
	}
	fresh, err := upstream.Await(ctx, s.place.String(), silence(cfg), func(ctx context.Context, heard func()) (*catalog, error) {
		return s.discovery.Do(ctx, "", cfg.Timeout, func(ctx context.Context) (*catalog, error) {
			// The result is for all who wait for it, not only for the first operation.
			return s.renew(upstream.NewOperation(ctx), cfg, known, heard)
		})
	})
	if err != nil {
		return orKnown(known, s.explain(err))
	}
	return fresh, nil
}

// renew runs discovery, unless somebody else has since known was read.
func (s *server) renew(ctx context.Context, cfg *rest.Config, known *catalog, heard func()) (*catalog, error) {
	// Another discovery may have finished since this one was requested.
	if now := s.known(); now != known && now != nil {
		return now, nil
	}
	found, err := upstream.Through(context.WithoutCancel(ctx), s.circuit, func(context.Context) (*catalog, error) {
		return s.discover(ctx, cfg, heard)
	})
	if err != nil {
		return nil, err
	}
	if s.cluster == "" {
		found.customErr = s.markCustom(ctx, cfg, found)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catalog = found
	return found, nil
}

func orKnown(known *catalog, err error) (*catalog, error) {
	if known != nil && !errors.Is(err, context.Canceled) {
		return known, nil
	}
	return nil, err
}

func (s *server) known() *catalog {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.catalog
}

// bounded binds all requests to a context, which the discovery client does not take. It calls heard for each answer.
type bounded struct {
	ctx   context.Context
	next  http.RoundTripper
	heard func()
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r.WithContext(b.ctx))
	if err == nil {
		b.heard()
	}
	return res, err
}

// discover asks an API server which kinds it serves, as Kairship: everybody who may see the instance may know them.
func (s *server) discover(ctx context.Context, cfg *rest.Config, heard func()) (*catalog, error) {
	httpClient, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	httpClient.Timeout = 0
	httpClient.Transport = bounded{ctx, httpClient.Transport, heard}
	client, err := discovery.NewDiscoveryClientForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	start := time.Now()
	groups, lists, err := discovery.ServerGroupsAndResources(client)
	s.observe(discoveryCode(err), time.Since(start))
	failed, partly := discovery.GroupDiscoveryFailedErrorGroups(err)
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return nil, &answer{code: int(status.Status().Code), status: status.Status()}
	}
	if err != nil && !partly {
		// An answer that the deadline cut off may look malformed.
		if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
			err = fmt.Errorf("%w: %w", ended, err)
		}
		return nil, fmt.Errorf("discovering: %w", err)
	}
	c := newCatalog(groups, lists)
	c.at = time.Now()
	c.keep(s.known(), failed)
	return c, nil
}

func discoveryCode(err error) int {
	if err == nil || discovery.IsGroupDiscoveryFailedError(err) {
		return http.StatusOK
	}
	return 0
}

// newCatalog reads the result of discovery. Subresources are left out.
func newCatalog(groups []*metav1.APIGroup, lists []*metav1.APIResourceList) *catalog {
	preferred := map[string]bool{}
	for _, g := range groups {
		preferred[g.PreferredVersion.GroupVersion] = true
	}
	c := &catalog{byKind: map[schema.GroupVersionKind]*model.APIResource{}, failed: map[schema.GroupVersion]bool{}}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, in := range list.APIResources {
			if strings.Contains(in.Name, "/") {
				continue
			}
			one := &model.APIResource{Group: gv.Group, Version: gv.Version, Kind: in.Kind, Name: in.Name, Scope: model.ScopeCluster,
				ShortNames: append([]string{}, in.ShortNames...), Categories: append([]string{}, in.Categories...),
				Verbs: slices.Sorted(slices.Values(in.Verbs)), Preferred: preferred[list.GroupVersion]}
			if in.Namespaced {
				one.Scope = model.ScopeNamespaced
			}
			if one.Verbs == nil {
				one.Verbs = []string{}
			}
			c.add(one)
		}
	}
	c.sort()
	return c
}

// add adds a kind. Of two resources of one kind, which differ only in their verbs, byKind has the one that can be
// listed.
func (c *catalog) add(one *model.APIResource) {
	c.all = append(c.all, one)
	if have := c.byKind[one.GVK()]; have == nil || !slices.Contains(have.Verbs, "list") {
		c.byKind[one.GVK()] = one
	}
}

func (c *catalog) sort() {
	slices.SortStableFunc(c.all, func(a, b *model.APIResource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind),
			version.CompareKubeAwareVersionStrings(b.Version, a.Version), cmp.Compare(a.Name, b.Name))
	})
}

// keep records the groups that could not be read, with their last known kinds.
func (c *catalog) keep(before *catalog, failed map[schema.GroupVersion]error) {
	for gv := range failed {
		c.failed[gv] = true
	}
	if before == nil {
		return
	}
	have := map[schema.GroupVersion]bool{}
	for _, one := range c.all {
		have[one.GVR().GroupVersion()] = true
	}
	for _, one := range before.all {
		if gv := one.GVR().GroupVersion(); c.failed[gv] && !have[gv] {
			again := *one
			c.add(&again)
		}
	}
	c.sort()
}

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// markCustom marks the kinds that a CustomResourceDefinition defines. It reads only the metadata of the definitions:
// their schemas are long.
func (s *server) markCustom(ctx context.Context, cfg *rest.Config, c *catalog) error {
	body, err := s.get(ctx, cfg, definitionsPath, nil, metadataOnly)
	if err != nil {
		return err
	}
	var list struct {
		Items []struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		} `json:"items"`
	}
	if err := jsonv2.Unmarshal(body, &list); err != nil {
		return fmt.Errorf("decoding definitions: %w", err)
	}
	custom := make(map[string]bool, len(list.Items))
	for _, item := range list.Items {
		custom[item.Metadata.Name] = true
	}
	for _, one := range c.all {
		// A definition is named PLURAL.GROUP.
		one.Custom = custom[one.Name+"."+one.Group]
	}
	return nil
}
