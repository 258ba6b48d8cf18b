package plan

import (
	"fmt"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/oidc"
)

// callbackPath is where Kairship takes back people who have signed in.
const callbackPath = "/auth/callback"

// oidc is where people sign in to Kairship.
func (p Plan) oidc() process.Spec {
	const name = "oidc"
	server := p.pair("kairship", name)
	settings := oidc.Settings{
		Issuer: p.OIDCIssuer(), Cert: server.Cert, Key: server.Key, Data: p.Dir.Data(name),
		Password: p.OIDCPassword(), ClientSecret: p.OIDCClientSecret(),
	}
	for _, address := range p.addresses() {
		settings.Redirects = append(settings.Redirects, address+callbackPath)
		settings.PostLogoutRedirects = append(settings.PostLogoutRedirects, address+"/")
	}
	s := p.spec(name, "", process.TierController, p.OIDC.Node, p.OIDC.Args(settings)...)
	s.Env = nil
	s.Ports = []int{p.Ports.OIDC()}
	s.Ready = &process.Endpoint{URL: p.OIDCIssuer() + "/healthz", CA: p.OIDCAuthority()}
	return s
}

// addresses are the addresses of Kairship's servers.
func (p Plan) addresses() []string {
	return []string{"http://" + loopback(p.Ports.HTTP), "https://" + loopback(p.Ports.HTTPS)}
}

// OIDCIssuer is the address of the OpenID Connect provider.
func (p Plan) OIDCIssuer() string { return fmt.Sprintf("https://%s", loopback(p.Ports.OIDC())) }

// OIDCAuthority is the certificate authority that verifies it: Kairship's own, so that a browser has to trust only one.
func (p Plan) OIDCAuthority() string { return p.ca("kairship").Cert }

// PublicURL is the address that browsers open.
func (p Plan) PublicURL() string { return p.addresses()[0] }

// OIDCRedirect is a redirect URL of Kairship's.
func (p Plan) OIDCRedirect() string { return p.addresses()[1] + callbackPath }

// OIDCPassword is the file with the password of the playground's people, OIDCClientSecret that with
// Kairship's.
func (p Plan) OIDCPassword() string     { return p.Dir.Config("oidc-password") }
func (p Plan) OIDCClientSecret() string { return p.Dir.Config("oidc-client-secret") }
