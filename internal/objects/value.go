package objects

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// core names a kind of the core group.
func core(kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Version: "v1", Kind: kind}
}

// read decodes an object into a struct; meta points to the struct's metadata.
func read(ref model.Ref, raw []byte, into any, meta *Meta) error {
	err := jsonv2.Unmarshal(raw, into)
	if err == nil && meta.Name == "" {
		err = errors.New("metadata.name is empty")
	}
	if err == nil {
		return nil
	}
	if ref.Cluster != "" {
		return fmt.Errorf("decode %s of cluster %q of instance %q: %w", ref.GVK.Kind, ref.Cluster, ref.Instance, err)
	}
	return fmt.Errorf("decode %s of instance %q: %w", ref.GVK.Kind, ref.Instance, err)
}

// orNil is nil for an empty string.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// statusCondition is a condition as JSON has it.
type statusCondition struct {
	Type               string     `json:"type"`
	Status             string     `json:"status"`
	Reason             string     `json:"reason"`
	Message            string     `json:"message"`
	LastTransitionTime *time.Time `json:"lastTransitionTime"`
}

// factValue converts the status of a condition; all but True and False is UNKNOWN.
func factValue(status string) model.FactValue {
	switch status {
	case "True":
		return model.FactTrue
	case "False":
		return model.FactFalse
	}
	return model.FactUnknown
}

// statusConditions is the conditions by type; never nil.
func statusConditions(in []statusCondition) []model.Condition {
	out := make([]model.Condition, 0, len(in))
	for _, c := range in {
		out = append(out, model.Condition{Type: c.Type, Status: factValue(c.Status), Reason: c.Reason,
			Message: c.Message, Since: c.LastTransitionTime})
	}
	slices.SortStableFunc(out, func(a, b model.Condition) int { return cmp.Compare(a.Type, b.Type) })
	return out
}

// find returns the condition of a type; the zero value, whose status is neither, when there is none.
func find(in []statusCondition, kind string) statusCondition {
	for _, c := range in {
		if c.Type == kind {
			return c
		}
	}
	return statusCondition{}
}

// maxExponent bounds the exponents of quantities: computing with a greater one takes unlimited memory, and a hostile
// member can send any.
const maxExponent = 30

// maxQuantity is longer than any meaningful quantity.
const maxQuantity = 64

// quantity parses a Kubernetes quantity, which JSON has as text or as a number, and returns it as Kubernetes writes it
// and as the nearest number. ok is false when there is none or it cannot be parsed.
func quantity(raw jsonv2.Raw) (text string, number float64, ok bool) {
	if len(raw) == 0 || raw.Kind() == 'n' {
		return "", 0, false
	}
	s := string(raw)
	if raw.Kind() == '"' {
		if err := jsonv2.Unmarshal(raw, &s); err != nil {
			return "", 0, false
		}
	}
	if len(s) > maxQuantity {
		return "", 0, false
	}
	if i := strings.LastIndexAny(s, "eE"); i >= 0 && i+1 < len(s) {
		if n, err := strconv.Atoi(s[i+1:]); err != nil || n > maxExponent || n < -maxExponent {
			return "", 0, false
		}
	}
	q, err := resource.ParseQuantity(s)
	if err != nil {
		return "", 0, false
	}
	text = q.String()
	// Parsing the decimal text keeps the number exact: 4100m is 4.1, not 4.1000000000000005.
	number, err = strconv.ParseFloat(q.AsDec().String(), 64)
	return text, number, err == nil
}

// resourceList is the resources that the model shows; the API has any number of them.
type resourceList struct {
	CPU    jsonv2.Raw `json:"cpu"`
	Memory jsonv2.Raw `json:"memory"`
	Pods   jsonv2.Raw `json:"pods"`
}

func (l *resourceList) cpu() *model.CPUAmount {
	if text, n, ok := quantity(l.CPU); ok {
		return &model.CPUAmount{Cores: n, Quantity: text}
	}
	return nil
}

func (l *resourceList) memory() *model.MemoryAmount {
	if text, n, ok := quantity(l.Memory); ok {
		return &model.MemoryAmount{Bytes: n, Quantity: text}
	}
	return nil
}

// amounts is nil when neither CPU nor memory is listed: then nothing has been reported. What a list leaves out is zero.
func (l *resourceList) amounts() *model.ResourceAmounts {
	c, m := l.cpu(), l.memory()
	if c == nil && m == nil {
		return nil
	}
	out := model.ResourceAmounts{CPU: model.CPUAmount{Quantity: "0"}, Memory: model.MemoryAmount{Quantity: "0"}}
	if c != nil {
		out.CPU = *c
	}
	if m != nil {
		out.Memory = *m
	}
	if _, n, ok := quantity(l.Pods); ok {
		out.Pods = int(min(max(n, 0), 1<<30))
	}
	return &out
}
