package objects

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// revision is a ControllerRevision. Its data is a part of the object that it is a revision of: Kubernetes' own
// controllers keep spec.template as well.
type revision struct {
	Metadata Meta       `json:"metadata"`
	Revision int64      `json:"revision"`
	Data     jsonv2.Raw `json:"data"`
}

type revisionData struct {
	Spec struct {
		Template    jsonv2.Raw `json:"template"`
		JobTemplate jsonv2.Raw `json:"jobTemplate"`
	} `json:"spec"`
}

// podTemplate is the part of a pod template that is shown. A job template contains one.
type podTemplate struct {
	Spec struct {
		Containers []struct {
			Image string `json:"image"`
		} `json:"containers"`
		Template *podTemplate `json:"template"`
	} `json:"spec"`
}

// DecodeRevision reads a ControllerRevision from JSON. Its data may have any form; when it is not a known one, the
// revision has no template. The revision keeps raw, which must not be changed afterwards.
func DecodeRevision(instance, cluster string, raw []byte) (*model.Revision, error) {
	var r revision
	if err := jsonv2.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("decode ControllerRevision of instance %q: %w", instance, err)
	}
	if r.Metadata.Name == "" {
		return nil, fmt.Errorf("decode ControllerRevision of instance %q: %w", instance, errors.New("metadata.name is empty"))
	}
	out := &model.Revision{
		Object: r.Metadata.Object(model.Ref{
			Instance: instance, Cluster: cluster, GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: model.RevisionKind},
		}, raw),
		Revision: r.Revision,
		Images:   []string{},
	}
	if cause := r.Metadata.Annotations[model.AnnotationChangeCause]; cause != "" {
		out.ChangeCause = &cause
	}
	if since, err := time.Parse(time.RFC3339Nano, r.Metadata.Annotations[model.AnnotationRevisionSince]); err == nil {
		out.Since = &since
	}
	for _, owner := range out.Owners {
		if !owner.Controller {
			continue
		}
		out.WorkloadUID = owner.UID
		out.WorkloadRef = model.Ref{
			Instance: instance, Cluster: cluster, GVK: schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind),
			Namespace: r.Metadata.Namespace, Name: owner.Name,
		}
	}
	for _, template := range templatesIn(r.Data) {
		var t podTemplate
		if isObject(template) && jsonv2.Unmarshal(template, &t) == nil {
			out.PodTemplate, out.Images = template, imagesOf(&t)
		}
	}
	return out, nil
}

// templatesIn is the templates that a revision may hold; nil when its data has another form.
func templatesIn(raw []byte) []jsonv2.Raw {
	var data revisionData
	if len(raw) == 0 || jsonv2.Unmarshal(raw, &data) != nil {
		return nil
	}
	return []jsonv2.Raw{data.Spec.Template, data.Spec.JobTemplate}
}

// isObject reports whether JSON is an object.
func isObject(raw []byte) bool { return strings.HasPrefix(string(raw), "{") }

func imagesOf(t *podTemplate) []string {
	if t.Spec.Template != nil {
		t = t.Spec.Template
	}
	out := []string{}
	for _, c := range t.Spec.Containers {
		if c.Image != "" && !slices.Contains(out, c.Image) {
			out = append(out, c.Image)
		}
	}
	return out
}
