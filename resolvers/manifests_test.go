package resolvers

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestAManifestHasNoTimesThatAreNull(t *testing.T) {
	for _, format := range []model.ManifestFormat{model.ManifestYAML, model.ManifestJSON} {
		got, err := written(map[string]any{
			"metadata": map[string]any{"creationTimestamp": "2026-01-01T00:00:00Z"},
			"spec":     map[string]any{"template": map[string]any{"metadata": map[string]any{"creationTimestamp": nil}}, "list": []any{map[string]any{"creationTimestamp": nil, "kept": nil}}},
		}, format)
		if err != nil || strings.Count(*got, "creationTimestamp") != 1 || !strings.Contains(*got, "kept") {
			t.Errorf("%s, %v", *got, err)
		}
	}
}
