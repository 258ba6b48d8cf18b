package actions

import (
	"errors"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// wrongForm is what is wrong with a form, which is a field of the mutation's input.
func wrongForm(problems []overlay.Problem) wrongInput { return overlay.Under("form", problems) }

// ofForm turns what is wrong with a workload into user errors about the fields of the form that it was made of. A refusal about
// other fields keeps the path of the object's field. Other errors stay errors.
func ofForm(kind model.WorkloadKind, form workloadform.Form, err error) ([]model.UserError, error) {
	wrong, refused := wrongInput(nil), (*karmada.Refused)(nil)
	switch {
	case errors.As(err, &wrong):
		return wrong.userErrors(), nil
	case !errors.As(err, &refused):
		return nil, err
	}
	if _, expected := expectations[joined(refused.Field)]; expected {
		return nil, err
	}
	return pointed(refused, func(path []string) []string {
		if field := workloadform.FieldOf(kind, form, path); field != nil {
			return append([]string{"form"}, field...)
		}
		return nil
	}), nil
}

// pointed is a refusal about the fields of the input that the object's fields come from; each field once.
func pointed(refused *karmada.Refused, inputOf func(path []string) []string) []model.UserError {
	problems := refused.Causes
	if len(problems) == 0 {
		problems = []model.UserError{refused.UserError}
	}
	out := make([]model.UserError, 0, len(problems))
	for _, p := range problems {
		if field := inputOf(p.Field); field != nil {
			p.Field = append([]string{"input"}, field...)
		}
		out = append(out, p)
	}
	return out
}
