package actions

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// maxPrincipal is the longest name of a principal, in bytes.
const maxPrincipal = 1024

// RevokeKubeconfigs revokes all kubeconfigs that were issued to somebody until now.
type RevokeKubeconfigs struct {
	// Principal is the name of their owner, with its origin; nil for the viewer.
	Principal *string
}

// RevokedKubeconfigs says whose kubeconfigs were revoked: those issued until IssuedUntil.
type RevokedKubeconfigs struct {
	Principal   string
	IssuedUntil time.Time
}

// Verb names the action.
func (a *RevokeKubeconfigs) Verb() string { return "revokeKubeconfigs" }

// Target returns the principal's credentials.
func (a *RevokeKubeconfigs) Target(viewer auth.Principal) (Target, error) {
	target := Target{Ref: model.Ref{Name: viewer.Name}, Field: "principal"}
	if a.Principal != nil {
		target.Ref.Name = *a.Principal
	}
	return target, nil
}

// Allowed lets owners revoke for anybody, and everybody for themselves.
func (a *RevokeKubeconfigs) Allowed(call *Call) error {
	if call.Target.Ref.Name == call.Viewer.Name || call.Scope.All() {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Message: "only owners may take back the kubeconfigs of others"}
}

// Do revokes the kubeconfigs; nil when the input is wrong.
func (a *RevokeKubeconfigs) Do(ctx context.Context, call *Call) (*RevokedKubeconfigs, []model.UserError, error) {
	if call.Kubeconfigs == nil {
		return nil, nil, errNoKubeconfigs
	}
	principal := call.Target.Ref.Name
	switch {
	case len(principal) > maxPrincipal:
		return nil, nil, model.BadInput("principal", "has %d bytes, at most %d are allowed", len(principal), maxPrincipal)
	case strings.ContainsFunc(principal, unicode.IsControl):
		return nil, nil, model.BadInput("principal", "%q holds a control character", principal)
	case strings.TrimSpace(principal) != principal:
		return nil, nil, model.BadInput("principal", "%q begins or ends with white space", principal)
	}
	if err := auth.CheckGroups([]string{principal}); err != nil && principal != call.Viewer.Name {
		return nil, nil, model.BadInput("principal", "%q does not say its origin: write kairship:oidc:NAME or kairship:host:NAME", principal)
	}
	until, err := call.Kubeconfigs.Revoke(ctx, principal, call.Viewer.Name)
	if err != nil {
		return nil, nil, err
	}
	outlast(ctx, until)
	return &RevokedKubeconfigs{principal, until}, nil, nil
}

// outlast waits until the second of a revocation is over: kubeconfigs are issued in whole seconds, and one that
// another replica issues in that second is revoked as soon as it hears of the revocation. Kubeconfigs requested after
// the answer are valid in every replica.
func outlast(ctx context.Context, until time.Time) {
	rest := time.NewTimer(min(time.Until(until.Add(time.Second)), time.Second))
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done(): // they are revoked all the same
	}
}

// Kept is whose were revoked, and until when.
func (a *RevokeKubeconfigs) Kept(out *RevokedKubeconfigs) any { return out }

// Again returns whose were revoked.
func (a *RevokeKubeconfigs) Again(_ context.Context, _ *Call, kept []byte) (out *RevokedKubeconfigs, err error) {
	err = json.Unmarshal(kept, &out)
	return out, err
}
