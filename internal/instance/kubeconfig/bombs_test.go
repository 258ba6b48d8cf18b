package kubeconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

func TestABombIsRefusedAsAKubeconfigWithoutBeingMadeLarge(t *testing.T) {
	const most = 32 << 20
	// A small one first: should it be read, this machine has the memory.
	if _, err := kubeconfig.Parse([]byte(bombs.LongText(64 << 10))); err == nil || !strings.Contains(err.Error(), "are read") {
		t.Fatalf("a small one is not refused: %v", err)
	}
	for _, size := range []int{kubeconfig.MaxSize, 1 << 20} {
		for _, bomb := range bombs.All() {
			t.Run(bomb.Name, func(t *testing.T) {
				raw := "apiVersion: v1\nkind: Config\ncurrent-context: a\n"
				raw += bomb.Text(size - len(raw))
				var err error
				took := bombs.Allocated(t, func() { _, err = kubeconfig.Parse([]byte(raw)) })
				var refused *kubeconfig.FieldError
				if !errors.As(err, &refused) || !bomb.Broken && !strings.Contains(err.Error(), "are read") {
					t.Errorf("got %v", err)
				}
				if took > most {
					t.Errorf("%d bytes were allocated for it", took)
				}
			})
		}
	}
}

func BenchmarkAKubeconfigThatIsABomb(b *testing.B) {
	raw := []byte(bombs.LongText(kubeconfig.MaxSize))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := kubeconfig.Parse(raw); err == nil {
			b.Fatal("not refused")
		}
	}
}
