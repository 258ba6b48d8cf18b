package objects

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A value of a Secret is shown as hiddenPrefix, its length, hiddenSuffix. That is not base64, so masked values are
// distinguishable from unmasked ones.
const (
	hiddenPrefix = "<hidden: "
	hiddenSuffix = " bytes>"
)

// fields is a JSON object with undecoded values.
type fields map[string]json.RawMessage

// Mask replaces the values that nobody may see: those of a Secret, and those of the Secrets in the manifests of a Work.
// Objects of other kinds are returned as they are; masking twice changes nothing.
func Mask(kind schema.GroupKind, raw []byte) ([]byte, error) {
	var mask func(fields) error
	switch kind {
	case secretKind:
		mask = maskSecret
	case workKind:
		mask = maskWork
	default:
		return raw, nil
	}
	return rewrite(raw, mask)
}

// Prune is Mask for objects straight from an API server: it also drops managedFields and the annotation that repeats
// the whole object, as the read store does.
func Prune(kind schema.GroupKind, raw []byte) ([]byte, error) {
	raw, err := Mask(kind, raw)
	if err != nil {
		return nil, err
	}
	return rewrite(raw, func(object fields) error {
		return object.change("metadata", func(metadata fields) error {
			delete(metadata, "managedFields")
			return metadata.change("annotations", func(annotations fields) error {
				delete(annotations, LastApplied)
				return nil
			})
		})
	})
}

// rewrite changes an object.
func rewrite(raw []byte, change func(fields) error) ([]byte, error) {
	var object fields
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("decoding an object: %w", err)
	}
	if err := change(object); err != nil {
		return nil, err
	}
	out, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding an object: %w", err)
	}
	return out, nil
}

// change changes a nested object; without one it does nothing.
func (f fields) change(name string, change func(fields) error) error {
	raw, ok := f[name]
	if !ok || string(raw) == "null" {
		return nil
	}
	out, err := rewrite(raw, change)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	f[name] = out
	return nil
}

// maskSecret masks a Secret. The annotation with the whole object repeats the values.
func maskSecret(secret fields) error {
	for _, name := range []string{"data", "stringData"} {
		length := secretLen
		if name == "stringData" {
			length = plainLen
		}
		err := secret.change(name, func(data fields) error {
			for key, raw := range data {
				hidden, err := json.Marshal(hiddenPrefix + strconv.Itoa(lengthOf(raw, length)) + hiddenSuffix)
				if err != nil {
					return fmt.Errorf("masking %s: %w", key, err)
				}
				data[key] = hidden
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return secret.change("metadata", func(metadata fields) error {
		return metadata.change("annotations", func(annotations fields) error {
			delete(annotations, LastApplied)
			return nil
		})
	})
}

// maskWork masks the Secrets among the manifests of a Work.
func maskWork(work fields) error {
	return work.change("spec", func(spec fields) error {
		return spec.change("workload", func(workload fields) error {
			var manifests []json.RawMessage
			raw, ok := workload["manifests"]
			if !ok {
				return nil
			}
			if err := json.Unmarshal(raw, &manifests); err != nil {
				return fmt.Errorf("decoding manifests: %w", err)
			}
			for i, raw := range manifests {
				var kind struct {
					APIVersion string `json:"apiVersion"`
					Kind       string `json:"kind"`
				}
				if err := json.Unmarshal(raw, &kind); err != nil {
					return fmt.Errorf("decoding manifest %d: %w", i, err)
				}
				masked, err := Mask(schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind).GroupKind(), raw)
				if err != nil {
					return fmt.Errorf("manifest %d: %w", i, err)
				}
				manifests[i] = masked
			}
			out, err := json.Marshal(manifests)
			if err != nil {
				return fmt.Errorf("encoding manifests: %w", err)
			}
			workload["manifests"] = out
			return nil
		})
	})
}

// lengthOf is the length of a value; 0 for anything but a string.
func lengthOf(raw json.RawMessage, length func(string) int) int {
	var value string
	if json.Unmarshal(raw, &value) != nil {
		return 0
	}
	return length(value)
}

// secretLen is the length of a value of a Secret's data, masked or not.
func secretLen(value string) int {
	if n, masked := hiddenLen(value); masked {
		return n
	}
	return decodedLen(value)
}

// plainLen is the length of a value of a Secret's stringData, masked or not.
func plainLen(value string) int {
	if n, masked := hiddenLen(value); masked {
		return n
	}
	return len(value)
}

// hiddenLen parses the length from a masked value.
func hiddenLen(value string) (int, bool) {
	inner, ok := strings.CutPrefix(value, hiddenPrefix)
	inner, ends := strings.CutSuffix(inner, hiddenSuffix)
	n, err := strconv.Atoi(inner)
	return n, ok && ends && err == nil && n >= 0
}
