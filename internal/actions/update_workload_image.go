package actions

import (
	"context"
	"strings"
	"unicode"

	"github.com/kairship-io/kairship/internal/model"
)

// maxImage is the longest reference to an image: a registry's name, a repository of 255 characters, a tag and a digest.
const maxImage = 1024

// isImage reports whether a text may be a reference to an image.
func isImage(s string) bool {
	return s != "" && len(s) <= maxImage && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// UpdateWorkloadImage sets the image of one container of a workload.
type UpdateWorkloadImage struct {
	OnWorkload
	// Container is its name; init containers count.
	Container string
	Image     string
}

// Verb names the action.
func (a *UpdateWorkloadImage) Verb() string { return "updateWorkloadImage" }

// InputOf is the image: nothing else is sent.
func (a *UpdateWorkloadImage) InputOf([]string) []string { return []string{"image"} }

// Do returns the workload as Karmada returned it. A container of that name must be there.
func (a *UpdateWorkloadImage) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	kind, err := a.kindOf(call, "given another image", model.KindDeployment, model.KindStatefulSet, model.KindDaemonSet, model.KindCronJob)
	if err != nil {
		return nil, nil, err
	}
	if !isImage(a.Image) {
		return nil, nil, model.BadInput("image", "%.100q is no image: 1 to %d characters without white space, for instance registry.example/shop/cart:1.2", a.Image, maxImage)
	}
	w, err := a.edit(ctx, call, func(object map[string]any) error {
		pod := podSpec(kind, object)
		var names []string
		for _, list := range []string{"containers", "initContainers"} {
			containers, _ := pod[list].([]any)
			for _, c := range containers {
				container, _ := c.(map[string]any)
				name, _ := container["name"].(string)
				if name == a.Container {
					container["image"] = a.Image
					return nil
				}
				names = append(names, name)
			}
		}
		return model.BadInput("container", "%.100q is no container of it; it has %s", a.Container, strings.Join(names, ", "))
	})
	return w, nil, err
}
