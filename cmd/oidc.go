package cmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/kairship-io/kairship/internal/auth"
)

// OIDC configures the OpenID Connect provider whose ID tokens are accepted beside tokens of the host cluster.
type OIDC struct {
	Issuer           string   `help:"Address of the provider, as its tokens name it: https, or http on loopback. Empty: none." placeholder:"URL"`
	Audiences        []string `help:"Client ids for which tokens may be made." default:"kairship" placeholder:"ID"`
	UserClaim        string   `help:"Claim that is the user's name; email is taken only when it is verified." default:"sub"`
	GroupsClaim      string   `help:"Claim that lists the user's groups." default:"groups"`
	Name             string   `help:"What people call the provider: it is on the button by which they sign in." default:"OpenID Connect"`
	ClientID         string   `name:"client-id" help:"Client id by which people sign in. Empty: the first of --oidc-audiences." placeholder:"ID"`
	ClientSecretFile string   `help:"File with the client's secret. Empty: a public client." type:"existingfile" placeholder:"FILE"`
	Scopes           []string `help:"What is asked for when people sign in." default:"openid,profile,email,groups"`
	CAFile           string   `name:"ca-file" help:"Certificates that the provider's own has to come from, PEM. Empty: those of the system." type:"existingfile" placeholder:"FILE"`
}

func (o *OIDC) validate() error {
	if o.Issuer == "" && o.CAFile != "" {
		return errors.New("--oidc-ca-file needs --oidc-issuer")
	}
	return nil
}

func (o *OIDC) clientID() string {
	if o.ClientID == "" && len(o.Audiences) > 0 {
		return o.Audiences[0]
	}
	return o.ClientID
}

// provider verifies the tokens of the provider; nil when there is none.
func (o *OIDC) provider() (*auth.OIDCAuthenticator, error) {
	if o.Issuer == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	cfg := auth.OIDCConfig{Issuer: o.Issuer, Audiences: o.Audiences, UserClaim: o.UserClaim, GroupsClaim: o.GroupsClaim}
	if o.CAFile != "" {
		var err error
		if cfg.CA, err = os.ReadFile(o.CAFile); err != nil {
			return nil, fmt.Errorf("--oidc-ca-file: %w", err)
		}
	}
	provider, err := auth.NewOIDCAuthenticator(cfg)
	if err != nil {
		return nil, fmt.Errorf("--oidc-issuer: %w", err)
	}
	return provider, nil
}
