package loaders

import (
	"context"

	"github.com/kairship-io/kairship/internal/model"
)

// Diagnosis is a placeholder until wired.
func (k *Kernel) Diagnosis(ctx context.Context, p *model.Propagation) ([]model.Finding, error) {
	return []model.Finding{}, nil
}
