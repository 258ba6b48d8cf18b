package actions

import (
	"errors"
	"strings"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// Target is what an action is done to: an instance, an object of one, or somebody's credentials.
type Target struct {
	// Ref names the target in the audit log. An instance has no kind, an object has every field, credentials have
	// only a name: the principal's.
	Ref model.Ref
	// Field is the field of the input that names it.
	Field string
	// DryRun reports that nothing is to be changed.
	DryRun bool
}

// expectations are the fields of an input for what the object is expected to be, by the fields of the object.
var expectations = map[string]string{"metadata.uid": "uid", "metadata.resourceVersion": "resourceVersion"}

// joined is a path as text.
func joined(path []string) string { return strings.Join(path, ".") }

// userErrors turns an error about the input, and what Karmada refused, into a user error; other errors stay errors.
// NOT_FOUND is reported on the field that names the target. The list is never nil.
func userErrors(problems []model.UserError, err error, field string) ([]model.UserError, error) {
	if problems == nil {
		problems = []model.UserError{}
	}
	e, refused := (*model.Error)(nil), (*karmada.Refused)(nil)
	switch {
	case errors.As(err, &refused):
		problem := refused.UserError
		if name := expectations[joined(problem.Field)]; name != "" {
			problem.Field = []string{"input", name}
		}
		return append(problems, problem), nil
	case !errors.As(err, &e):
	case e.Code == model.CodeBadUserInput, e.Code == model.CodeConflict && len(e.Field) > 0:
		return append(problems, model.UserError{Code: string(e.Code), Message: e.Message, Field: append([]string{"input"}, e.Field...)}), nil
	case e.Code == model.CodeNotFound:
		return append(problems, model.UserError{Code: string(e.Code), Message: e.Message, Field: []string{"input", field}}), nil
	}
	return problems, err
}
