package loaders

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/graph-gophers/dataloader/v7"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

func TestAPanicOfABatchIsTheErrorOfAllWhoseKeysAreInIt(t *testing.T) {
	ref := func(name string) model.Ref {
		return model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Name: name}
	}
	read := guarded(func(context.Context, []model.Ref) []*dataloader.Result[int] { panic("too bad") }) //nolint:forbidigo // what is tested
	got := read(t.Context(), []model.Ref{ref("a"), ref("b")})
	if len(got) != 2 || slices.ContainsFunc(got, func(r *dataloader.Result[int]) bool { return !errors.As(r.Error, new(*panics.Error)) }) {
		t.Errorf("told %v", got)
	}
}
