package lifecycle

import (
	"testing"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func TestADeletionIsForcedByTheNameOfTheInstanceAlone(t *testing.T) {
	for _, c := range []struct {
		name        string
		annotations map[string]string
		want        bool
	}{
		{"its own name", map[string]string{v1alpha1.AnnotationForceDelete: "europe"}, true},
		{"that of another instance, as a copied manifest has it", map[string]string{v1alpha1.AnnotationForceDelete: "asia"}, false},
		{"true", map[string]string{v1alpha1.AnnotationForceDelete: "true"}, false},
		{"nothing", map[string]string{v1alpha1.AnnotationForceDelete: ""}, false},
		{"no annotation", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := forced(europe(func(i *v1alpha1.Instance) { i.Annotations = c.annotations })); got != c.want {
				t.Errorf("forced: %t, want %t", got, c.want)
			}
		})
	}
}
