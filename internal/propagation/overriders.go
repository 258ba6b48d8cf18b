package propagation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// The effect of overriders, in the order and with the peculiarities of Karmada v1.18. Its own functions cannot be used:
// they are not exported, and their package imports clients and controllers.

// override applies the overriders of one rule. It returns the changes inside text fields, and stops at the first
// overrider that does not fit.
func (d document) override(o *policyv1alpha1.Overriders, texts *textBudget) ([]model.FieldChange, error) {
	for i := range o.ImageOverrider {
		if err := d.overrideImage(&o.ImageOverrider[i]); err != nil {
			return nil, err
		}
	}
	for i := range o.CommandOverrider {
		d.overrideWords("command", &o.CommandOverrider[i])
	}
	for i := range o.ArgsOverrider {
		d.overrideWords("args", &o.ArgsOverrider[i])
	}
	for i := range o.LabelsOverrider {
		d.overrideMap("labels", &o.LabelsOverrider[i])
	}
	for i := range o.AnnotationsOverrider {
		d.overrideMap("annotations", &o.AnnotationsOverrider[i])
	}
	var inside []model.FieldChange
	for i := range o.FieldOverrider {
		changes, err := d.overrideText(&o.FieldOverrider[i], texts)
		inside = append(inside, changes...)
		if err != nil {
			return inside, err
		}
	}
	operations := make([]operation, len(o.Plaintext))
	for i := range o.Plaintext {
		p := &o.Plaintext[i]
		operations[i] = operation{string(p.Operator), p.Path, p.Value.Raw}
	}
	return inside, d.patch(operations)
}

// containersPath is the path of the containers; empty for kinds that overriders of images, commands and arguments do
// not change. Karmada checks the kind only, not its group.
func (d document) containersPath() string {
	switch d["kind"] {
	case "Pod":
		return "/spec/containers"
	case "ReplicaSet", "Deployment", "DaemonSet", "Job", "StatefulSet":
		return "/spec/template/spec/containers"
	}
	return ""
}

func (d document) containers() []any {
	v, _ := d.at(d.containersPath())
	list, _ := v.([]any)
	return list
}

func (d document) overrideImage(o *policyv1alpha1.ImageOverrider) error {
	if o.Predicate != nil {
		v, err := d.at(o.Predicate.Path)
		if err != nil {
			return err
		}
		image, ok := v.(string)
		if !ok {
			return fmt.Errorf("there is no image at %s", o.Predicate.Path)
		}
		return d.replace(o.Predicate.Path, overriddenImage(image, o))
	}
	for _, c := range d.containers() {
		if c, ok := c.(map[string]any); ok {
			image, _ := c["image"].(string)
			c["image"] = overriddenImage(image, o)
		}
	}
	return nil
}

// overriddenImage changes one part of an image's name.
func overriddenImage(image string, o *policyv1alpha1.ImageOverrider) string {
	name := parseImage(image)
	before := name.version
	part := &name.version
	switch o.Component {
	case policyv1alpha1.Registry:
		part = &name.registry
	case policyv1alpha1.Repository:
		part = &name.repository
	}
	switch o.Operator {
	case policyv1alpha1.OverriderOpAdd:
		*part += o.Value
	case policyv1alpha1.OverriderOpReplace:
		*part = o.Value
	case policyv1alpha1.OverriderOpRemove:
		*part = ""
	}
	if o.Operator != policyv1alpha1.OverriderOpRemove && !imageVersion.MatchString(name.version) {
		name.version = before // Karmada ignores a value that is neither a tag nor a digest
	}
	return name.String()
}

// imageVersion is a tag or a digest.
var imageVersion = regexp.MustCompile(`^(\w[\w.-]{0,127}|[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})$`)

// imageName is the three parts of an image's name that overriders can change.
type imageName struct {
	registry, repository string
	// version is a tag or a digest. Where there are both, Karmada keeps the tag.
	version string
}

func parseImage(image string) imageName {
	name, digest, _ := strings.Cut(image, "@")
	n := imageName{version: digest}
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name, n.version = name[:i], name[i+1:]
	}
	n.repository = name
	if first, rest, ok := strings.Cut(name, "/"); ok && (strings.ContainsAny(first, ".:") || first == "localhost") {
		n.registry, n.repository = first, rest
	}
	return n
}

func (n imageName) String() string {
	name := n.repository
	if n.registry != "" {
		name = n.registry + "/" + name
	}
	switch {
	case n.version == "":
		return name
	case strings.Contains(n.version, ":"):
		return name + "@" + n.version
	}
	return name + ":" + n.version
}

// overrideWords adds to, or removes from, the command or the arguments of the containers of a name.
func (d document) overrideWords(field string, o *policyv1alpha1.CommandArgsOverrider) {
	for _, c := range d.containers() {
		c, ok := c.(map[string]any)
		if !ok || c["name"] != o.ContainerName {
			continue
		}
		words, _ := c[field].([]any)
		words = slices.Clone(words)
		switch o.Operator {
		case policyv1alpha1.OverriderOpAdd:
			for _, w := range o.Value {
				words = append(words, w)
			}
		case policyv1alpha1.OverriderOpRemove:
			words = slices.DeleteFunc(words, func(w any) bool {
				s, isText := w.(string)
				return isText && slices.Contains(o.Value, s)
			})
		}
		if words == nil {
			words = []any{}
		}
		c[field] = words
	}
}

// overrideMap changes labels or annotations; keys to be replaced or removed must exist.
func (d document) overrideMap(field string, o *policyv1alpha1.LabelAnnotationOverrider) {
	meta, ok := d["metadata"].(map[string]any)
	if !ok {
		return
	}
	entries, ok := meta[field].(map[string]any)
	if !ok {
		entries = map[string]any{}
	}
	for key, value := range o.Value {
		_, there := entries[key]
		switch {
		case o.Operator == policyv1alpha1.OverriderOpAdd, o.Operator == policyv1alpha1.OverriderOpReplace && there:
			entries[key] = value
		case o.Operator == policyv1alpha1.OverriderOpRemove:
			delete(entries, key)
		}
	}
	if len(entries) > 0 || ok {
		meta[field] = entries
	}
}

// textLimits bound the YAML or JSON of a text field, with aliases expanded.
var textLimits = boundedyaml.Limits{Values: 20_000, Bytes: 1 << 20, Depth: 100, Aliases: 1_000}

// textBudget is the remaining budget for the text fields of one object, charged at each read: a policy may name a field
// a thousand times, and policies are tried in every order.
type textBudget struct{ left boundedyaml.Size }

func newTextBudget() *textBudget {
	return &textBudget{boundedyaml.Size{Values: 20 * textLimits.Values, Bytes: 20 * textLimits.Bytes}}
}

// json converts a text to JSON, after checking its size.
func (b *textBudget) json(text []byte, isYAML bool) ([]byte, error) {
	count := boundedyaml.JSON
	if isYAML {
		count = boundedyaml.YAML
	}
	limits := textLimits
	limits.Values, limits.Bytes = min(limits.Values, b.left.Values), min(limits.Bytes, b.left.Bytes)
	size, err := count(text, limits)
	b.left.Values, b.left.Bytes = max(0, b.left.Values-size.Values), max(0, b.left.Bytes-size.Bytes)
	if err != nil || !isYAML {
		return text, err
	}
	return boundedyaml.Read(func() ([]byte, error) { return yaml.YAMLToJSON(text) })
}

// overrideText patches the YAML or JSON in a text field, and returns the changes in it.
func (d document) overrideText(o *policyv1alpha1.FieldOverrider, texts *textBudget) ([]model.FieldChange, error) {
	v, err := d.at(o.FieldPath)
	if err != nil {
		return nil, err
	}
	text, ok := v.(string)
	if !ok {
		return nil, fmt.Errorf("there is no text at %s", o.FieldPath)
	}
	isYAML := len(o.YAML) > 0
	raw, err := texts.json([]byte(text), isYAML)
	var limit *boundedyaml.LimitError
	switch {
	case errors.As(err, &limit):
		return nil, fmt.Errorf("the text at %s is not looked into: %w", o.FieldPath, err)
	case err != nil:
		return nil, fmt.Errorf("the text at %s is not YAML: %w", o.FieldPath, err)
	}
	inner, err := decodeDocument(raw)
	if err != nil {
		return nil, fmt.Errorf("the text at %s is not an object: %w", o.FieldPath, err)
	}
	before := inner.clone()
	var operations []operation
	for _, p := range o.YAML {
		operations = append(operations, operation{string(p.Operator), p.SubPath, p.Value.Raw})
	}
	if !isYAML { // Karmada applies only one of them
		for _, p := range o.JSON {
			operations = append(operations, operation{string(p.Operator), p.SubPath, p.Value.Raw})
		}
	}
	if err := inner.patch(operations); err != nil {
		return nil, err
	}
	after := inner.encode()
	if isYAML {
		if after, err = yaml.JSONToYAML(after); err != nil {
			return nil, err
		}
	}
	changes := diff(before, inner)
	for i := range changes {
		changes[i].Path = o.FieldPath + textMark + changes[i].Path
	}
	return changes, d.replace(o.FieldPath, string(after))
}

// document is an object decoded from JSON, with numbers as written.
type document map[string]any

func decodeDocument(raw []byte) (document, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var d document
	if err := decoder.Decode(&d); err != nil {
		return nil, err
	}
	if d == nil {
		return document{}, nil
	}
	return d, nil
}

func (d document) encode() []byte {
	raw, err := json.Marshal(map[string]any(d))
	if err != nil {
		return nil // it was decoded from JSON
	}
	return raw
}

func (d document) clone() document {
	return cloneValue(map[string]any(d)).(map[string]any) //nolint:forcetypeassert // a map is cloned to a map
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for k := range out {
			out[k] = cloneValue(out[k])
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = cloneValue(out[i])
		}
		return out
	}
	return v
}
