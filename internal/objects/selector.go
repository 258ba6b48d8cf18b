package objects

import (
	"strings"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// LabelSelector converts a selector of labels; nil for none.
func LabelSelector(s *metav1.LabelSelector) *model.LabelSelector {
	if s == nil {
		return nil
	}
	out := &model.LabelSelector{MatchLabels: model.KeyValues(s.MatchLabels), MatchExpressions: make([]model.SelectorRequirement, len(s.MatchExpressions))}
	for i, r := range s.MatchExpressions {
		out.MatchExpressions[i] = model.SelectorRequirement{Key: r.Key, Operator: Enum[model.SelectorOperator](r.Operator), Values: append([]string{}, r.Values...)}
	}
	return out
}

// Enum converts a value of Kubernetes to GraphQL's spelling: DoesNotExist is DOES_NOT_EXIST.
func Enum[T, F ~string](kubernetes F) T {
	var b strings.Builder
	for i, r := range kubernetes {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return T(b.String())
}
