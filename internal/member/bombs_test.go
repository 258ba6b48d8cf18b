package member

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

func TestABombIsRefusedAsTheEndpointOfAnInstanceWithoutBeingMadeLarge(t *testing.T) {
	const most = 32 << 20
	for _, size := range []int{maxEndpoint, 1 << 20} {
		for _, bomb := range bombs.All() {
			t.Run(fmt.Sprintf("%s in %d bytes", bomb.Name, size), func(t *testing.T) {
				text := "apiVersion: v1\nkind: Config\n"
				text += bomb.Text(size - len(text))
				var err error
				took := bombs.Allocated(t, func() { _, _, err = Endpoint(text) })
				if err == nil || !bomb.Broken && !strings.Contains(err.Error(), "are read") {
					t.Errorf("got %v", err)
				}
				if took > most {
					t.Errorf("%d bytes were allocated for it", took)
				}
			})
		}
	}
}

func TestAnEndpointThatIsTooLongIsRefusedWithItsLength(t *testing.T) {
	ca, _ := authority(t)
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: \"\", cluster: {server: \"https://karmada.example\", certificate-authority-data: %q}}]\n", ca)
	if _, _, err := Endpoint(text + strings.Repeat("#", maxEndpoint-len(text))); err != nil {
		t.Errorf("the longest: %v", err)
	}
	_, _, err := Endpoint(text + strings.Repeat("#", maxEndpoint+1-len(text)))
	if want := "its kubeconfig has 65537 bytes; at most 65536 are read"; err == nil || err.Error() != want {
		t.Errorf("one that is longer: %v, want %q", err, want)
	}
}
