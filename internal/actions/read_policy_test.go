package actions

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

func TestThePolicyOfAPreviewTakesItsMemoryUntilTheRequestEnds(t *testing.T) {
	// Some 45 MiB of one person's 96.
	text := "apiVersion: policy.karmada.io/v1alpha1\nkind: PropagationPolicy\nmetadata: {namespace: shop, name: p}\nspec: {resourceSelectors: [0" + strings.Repeat(",0", 95_000) + "]}\n"
	ctx, cancel := context.WithCancel(t.Context())
	read := func(ctx context.Context) error {
		p := PolicyProposal{Instance: "asia", Manifest: &text, Fits: model.PolicyKind.Propagates}
		_, err := p.Read(ctx)
		return err
	}
	for i := range 2 {
		if err := read(ctx); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	var e *model.Error
	if err := read(ctx); !errors.As(err, &e) || e.Code != model.CodeLimitExceeded || !strings.Contains(e.Message, karmada.LimitMemory) {
		t.Errorf("there is room beside two of them: %v", err)
	}
	cancel()
	if err := read(t.Context()); err != nil {
		t.Errorf("there is none when the request has ended: %v", err)
	}
}
