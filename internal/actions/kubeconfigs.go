package actions

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// Kubeconfigs issues kubeconfigs and revokes them. Its errors are *model.Error.
type Kubeconfigs interface {
	// Issue makes a kubeconfig for a principal, with a context for the instance and one for each of clusters; the
	// current context is that of cluster, or the instance's when it is empty. Returns BAD_USER_INPUT on
	// expirationSeconds for a lifetime out of bounds; 0 is the default.
	Issue(ctx context.Context, p auth.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (kubeconfig string, expires time.Time, err error)
	// Revoke revokes all kubeconfigs issued to a principal until now, and returns that time.
	Revoke(ctx context.Context, principal, by string) (until time.Time, err error)
}

// errNoKubeconfigs says why none can be issued.
var errNoKubeconfigs = &model.Error{Code: model.CodeUnavailable,
	Message: "this Kairship hands out no kubeconfigs: it has no database of its own (--database-dsn) or no address for them (--kubeconfig-url)"}
