package resolvers

import (
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

// writeManifest writes an object for people: without fields that the read store added or only machines use, and with
// its type, which rows of a list lack.
func writeManifest(ref model.Ref, raw []byte, format model.ManifestFormat) (*string, error) {
	if raw == nil {
		return nil, nil //nolint:nilnil // read without its body
	}
	raw, err := objects.Mask(ref.GVK.GroupKind(), raw)
	if err != nil {
		return nil, fmt.Errorf("hiding what nobody is shown: %w", err)
	}
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("decoding an object: %w", err)
	}
	object["apiVersion"], object["kind"] = ref.APIVersion(), ref.GVK.Kind
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
		cleanAnnotations(metadata)
	}
	return written(object, format)
}

func written(object any, format model.ManifestFormat) (*string, error) {
	dropNoTimes(object)
	write := yaml.Marshal
	if format == model.ManifestJSON {
		write = func(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }
	}
	out, err := write(object)
	if err != nil {
		return nil, fmt.Errorf("writing a manifest: %w", err)
	}
	manifest := string(out)
	return &manifest, nil
}

// dropNoTimes removes times of creation that are null: Clusterpedia's API adds them to the templates within objects.
func dropNoTimes(value any) {
	switch value := value.(type) {
	case map[string]any:
		if at, there := value["creationTimestamp"]; there && at == nil {
			delete(value, "creationTimestamp")
		}
		for _, v := range value {
			dropNoTimes(v)
		}
	case []any:
		for _, v := range value {
			dropNoTimes(v)
		}
	}
}

func cleanAnnotations(metadata map[string]any) {
	annotations, ok := metadata["annotations"].(map[string]any)
	if !ok {
		return
	}
	for key := range annotations {
		if objects.Hidden(key) {
			delete(annotations, key)
		}
	}
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
}

// revisionTemplate writes the pod template of a revision.
func revisionTemplate(r *model.Revision, format model.ManifestFormat) (*string, error) {
	if r.PodTemplate == nil {
		return nil, nil //nolint:nilnil // it holds something else
	}
	var template any
	if err := json.Unmarshal(r.PodTemplate, &template); err != nil {
		return nil, fmt.Errorf("decoding a revision: %w", err)
	}
	return written(template, format)
}
