package cmd

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestInstancesAreInTheNetworksOfTheFlag(t *testing.T) {
	t.Cleanup(func() { kubeconfig.SetNetworks(netip.MustParsePrefix("127.0.0.0/8")) })
	parse := func(arg string) (Host, error) {
		var host Host
		parser, err := kong.New(&host)
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse([]string{arg})
		return host, err
	}
	if _, err := parse("--instance-networks=10.0.0.0/33"); err == nil || !strings.Contains(err.Error(), "--instance-networks") {
		t.Errorf("a network that is none: %v", err)
	}
	host, err := parse("--instance-networks=10.0.0.0/8,fd12::/16")
	if err != nil {
		t.Fatal(err)
	}
	if want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd12::/16")}; !slices.Equal(want, host.InstanceNetworks) {
		t.Errorf("want %v, got %v", want, host.InstanceNetworks)
	}
	host.HostKubeconfig = "not-there"
	if _, err := host.config(); err == nil {
		t.Error("a file that is not there is read")
	}
	for address, refused := range map[string]bool{"https://10.1.2.3": false, "https://[fd12::7]": false, "https://127.0.0.1": true, "https://192.0.2.1": true} {
		// It holds no authority, which is seen after the address.
		_, err := kubeconfig.Parse(testenv.Kubeconfig(t, address, []byte("x"), &clientcmdapi.AuthInfo{Token: "t"}))
		if err == nil || strings.Contains(err.Error(), "in none of the networks") != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}
