package command

import (
	"errors"
	"fmt"
	"os"

	"github.com/kairship-io/kairship/internal/access"
)

// OIDC is the OpenID Connect provider whose ID tokens let people in, beside tokens of the host cluster.
type OIDC struct {
	Issuer      string   `help:"Address of the provider, as its tokens name it: https, or http on loopback. Empty: none." placeholder:"URL"`
	Audiences   []string `help:"Client ids for which tokens may be made." default:"kairship" placeholder:"ID"`
	UserClaim   string   `help:"Claim that is the user's name; email is taken only when it is verified." default:"sub"`
	GroupsClaim string   `help:"Claim that lists the user's groups." default:"groups"`
	CAFile      string   `name:"ca-file" help:"Certificates that the provider's own has to come from, PEM. Empty: those of the system." type:"existingfile" placeholder:"FILE"`
}

func (o *OIDC) validate() error {
	if o.Issuer == "" && o.CAFile != "" {
		return errors.New("--oidc-ca-file needs --oidc-issuer")
	}
	return nil
}

// authenticator lets the tokens of the provider in, and those of the host cluster.
func (o *OIDC) authenticator(host access.Authenticator) (access.Authenticator, error) {
	if o.Issuer == "" {
		return host, nil
	}
	cfg := access.OIDCConfig{Issuer: o.Issuer, Audiences: o.Audiences, UserClaim: o.UserClaim, GroupsClaim: o.GroupsClaim}
	if o.CAFile != "" {
		var err error
		if cfg.CA, err = os.ReadFile(o.CAFile); err != nil {
			return nil, fmt.Errorf("--oidc-ca-file: %w", err)
		}
	}
	oidc, err := access.NewOIDCAuthenticator(cfg)
	if err != nil {
		return nil, fmt.Errorf("--oidc-issuer: %w", err)
	}
	return access.NewAuthenticators(host, map[string]access.Authenticator{o.Issuer: oidc}), nil
}
