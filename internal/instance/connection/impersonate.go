package connection

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
)

// systemPrefix begins the names that Kubernetes keeps for itself. Impersonating one would grant its rights.
const systemPrefix = "system:"

// Impersonating makes a configuration that acts as a principal. Config is the caller's own.
func Impersonating(config *rest.Config, p auth.Principal, timeout time.Duration) (*rest.Config, error) {
	for _, name := range append([]string{p.Name}, p.Groups...) {
		// Headers lose white space at the ends, which would make it another name.
		if name == "" || strings.HasPrefix(name, systemPrefix) || strings.TrimSpace(name) != name {
			return nil, fmt.Errorf("refusing to impersonate %q", name)
		}
	}
	config.Timeout = timeout
	config.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	return config, nil
}

// Impersonating is a configuration that acts in the Karmada as a principal.
func (c *Connection) Impersonating(p auth.Principal, timeout time.Duration) (*rest.Config, error) {
	return Impersonating(c.Config(), p, timeout)
}
