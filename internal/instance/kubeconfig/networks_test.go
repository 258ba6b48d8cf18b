package kubeconfig_test

import (
	"net/netip"
	"testing"

	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// permit sets the networks for a test.
func permit(t *testing.T, networks ...string) {
	t.Helper()
	var all []netip.Prefix
	for _, n := range networks {
		all = append(all, netip.MustParsePrefix(n))
	}
	kubeconfig.SetNetworks(all...)
	t.Cleanup(func() { kubeconfig.SetNetworks() })
}

func TestNetworksArePermittedByTheirAddress(t *testing.T) {
	cert, key := keyPair(t)
	parse := func(server string) error {
		_, err := kubeconfig.Parse(written(t, cert, cert, key, func(c *clientcmdapi.Config) { c.Clusters["c"].Server = server }))
		return err
	}
	permit(t, "127.0.0.0/8", "fd12::/16")
	for _, good := range []string{"https://127.0.0.1:6443", "https://localhost:6443", "https://[fd12::7]", "https://[::ffff:127.0.0.1]", "https://karmada.example"} {
		if err := parse(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"https://10.0.0.1", "https://[::1]", "https://169.254.169.254", "https://[fd13::7]", "https://0x7f.1"} {
		if err := parse(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
