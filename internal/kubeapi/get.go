package kubeapi

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/api/validation/path"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Get reads one object, as JSON, from the API server that ref names; nil when there is none. Secret values are masked
// (objects.Prune). The error is NOT_FOUND when the kind, cluster or instance does not exist, FORBIDDEN when the
// person may not read the object.
func (r *Reader) Get(ctx context.Context, who Who, ref model.Ref) ([]byte, error) {
	if who.Scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	s, err := r.server(who.Scope, place{ref.Instance, ref.Cluster})
	if err != nil {
		return nil, err
	}
	kind, err := s.kind(ctx, ref.GVK)
	if err != nil {
		return nil, err
	}
	if err := readable(kind, "get"); err != nil {
		return nil, err
	}
	if err := CheckNamespace("namespace", kind, ref.Namespace, true); err != nil {
		return nil, err
	}
	if problems := path.IsValidPathSegmentName(ref.Name); ref.Name == "" || problems != nil {
		return nil, model.BadInput("name", "is not a name: %s", strings.Join(problems, ", "))
	}
	cfg, err := s.conn.Reader(ctx, who.Scope, who.Principal, ref.Cluster)
	if err != nil {
		return nil, err
	}
	body, err := s.get(ctx, cfg, resourcePath(kind, ref.Namespace)+"/"+ref.Name, nil, wholeObjects)
	switch {
	case absent(err, kind.Name, ref.Name):
		return nil, nil
	case err != nil:
		return nil, s.explain(err)
	}
	raw, err := objects.Prune(kind.GVK().GroupKind(), body)
	if err != nil {
		return nil, s.fail(model.CodeUnavailable, true, err, "%s answers with something else", s.place)
	}
	return raw, nil
}

// CheckNamespace checks the namespace given for a kind; needed says that a namespaced kind must have one. The error
// is BAD_USER_INPUT on the argument called field.
func CheckNamespace(field string, kind *model.APIResource, namespace string, needed bool) error {
	switch {
	case kind.Scope == model.ScopeCluster && namespace != "":
		return model.BadInput(field, "a %s lives in no namespace", kind.Kind)
	case kind.Scope == model.ScopeNamespaced && namespace == "" && needed:
		return model.BadInput(field, "a %s lives in a namespace: say in which", kind.Kind)
	}
	if problems := path.IsValidPathSegmentName(namespace); namespace != "" && problems != nil {
		return model.BadInput(field, "is not a namespace: %s", strings.Join(problems, ", "))
	}
	return nil
}

// readable says whether objects of a kind can be read in a way: "get" or "list".
func readable(kind *model.APIResource, verb string) error {
	if !slices.Contains(kind.Verbs, verb) {
		return model.BadInput("kind", "%s of %s cannot be read: it has no verb %q", kind.Kind, kind.APIVersion(), verb)
	}
	return nil
}

// resourcePath is where an API server serves a kind, in one namespace unless it is empty.
func resourcePath(kind *model.APIResource, namespace string) string {
	p := "/apis/" + kind.Group + "/" + kind.Version
	if kind.Group == "" {
		p = "/api/" + kind.Version
	}
	if namespace != "" {
		p += "/namespaces/" + namespace
	}
	return p + "/" + kind.Name
}

// atOnce bounds the requests of one GetAll that are under way at a time.
const atOnce = 8

// Result is the outcome of one of several reads: at most one of the two is not nil, and both are nil when there is no
// such object.
type Result struct {
	Raw []byte
	Err error
}

// GetAll reads several objects, from any API servers, a few at a time. The results are in the order of refs; a
// failure affects only its own result.
func (r *Reader) GetAll(ctx context.Context, who Who, refs []model.Ref) []Result {
	out := make([]Result, len(refs))
	var reads errgroup.Group
	reads.SetLimit(atOnce)
	for i, ref := range refs {
		reads.Go(func() error {
			out[i].Raw, out[i].Err = panics.Catch(func() ([]byte, error) { return r.Get(ctx, who, ref) })
			return nil
		})
	}
	_ = reads.Wait() // errors are in out
	return out
}
