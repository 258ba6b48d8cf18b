package bootstrap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

// digestAnnotation says which manifest an object was made from.
const digestAnnotation = "playground.kairship.io/manifest"

// Content applies objects, those of one rank together. An object that was made
// from the same manifest is left alone: whoever scaled or edited it since meant to.
func Content(ctx context.Context, c *kube.Client, ranks [][]*unstructured.Unstructured) error {
	for _, objects := range ranks {
		errs := make([]error, len(objects))
		var wg sync.WaitGroup
		for i, o := range objects {
			wg.Go(func() { errs[i] = content(ctx, c, o) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
	}
	return nil
}

func content(ctx context.Context, c *kube.Client, o *unstructured.Unstructured) error {
	b, err := json.Marshal(o.Object)
	if err != nil {
		return fmt.Errorf("reading the manifest of %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	sum := sha256.Sum256(b)
	want := hex.EncodeToString(sum[:8])

	old, err := c.Get(ctx, o)
	switch {
	case err == nil && old.GetAnnotations()[digestAnnotation] == want:
		return nil
	case err == nil && o.GetKind() == "Job":
		// A Job's template cannot be changed: delete the Job and make it again.
		if err := c.Delete(ctx, o); err != nil {
			return err
		}
	case err != nil && !apierrors.IsNotFound(err) && !kube.Transient(err):
		return fmt.Errorf("reading %s %s: %w", o.GetKind(), o.GetName(), err)
	}
	marked := o.DeepCopy()
	annotations := marked.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[digestAnnotation] = want
	marked.SetAnnotations(annotations)
	return c.Apply(ctx, marked)
}
