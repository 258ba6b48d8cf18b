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

// creates reports whether the action makes what does not exist yet: its input names the instance, not an object.
func (t Target) creates() bool { return t.Field == "instance" }

// pointing is an action that knows which field of its input a field of the object comes from, without "input"; none for the input
// as a whole.
type pointing interface {
	InputOf(path []string) []string
}

// expectations are the fields of an input for what the object is expected to be, by the fields of the object.
var expectations = map[string]string{"metadata.uid": "uid", "metadata.resourceVersion": "resourceVersion"}

// joined is a path as text.
func joined(path []string) string { return strings.Join(path, ".") }

// userErrors turns an error about the input, and what Karmada refused, into a user error; other errors stay errors. Each names
// the field of the input that it is about, if it is about one. The list is never nil.
func userErrors(a any, target Target, problems []model.UserError, err error) ([]model.UserError, error) {
	out := make([]model.UserError, 0, len(problems)+1)
	for _, p := range problems {
		out = append(out, onField(a, target, p))
	}
	e, refused := (*model.Error)(nil), (*karmada.Refused)(nil)
	switch {
	case errors.As(err, &refused):
		return append(out, onField(a, target, refused.UserError)), nil
	case !errors.As(err, &e):
	case e.Code == model.CodeBadUserInput, e.Code == model.CodeConflict && len(e.Field) > 0:
		return append(out, model.UserError{Code: string(e.Code), Message: e.Message, Field: append([]string{"input"}, e.Field...)}), nil
	case e.Code == model.CodeNotFound:
		return append(out, model.UserError{Code: string(e.Code), Message: e.Message, Field: []string{"input", target.Field}}), nil
	}
	return out, err
}

// onField is a user error about the field of the input that the object's field comes from, which it names. One about no field is about
// what the input names when that is missing, taken or another one, and about none else.
func onField(a any, target Target, p model.UserError) model.UserError {
	path := p.Field
	if name := expectations[joined(path)]; name != "" {
		path = []string{"input", name}
	}
	if len(path) > 0 && path[0] == "input" {
		p.Field = path
		return p
	}
	if len(path) == 0 {
		switch code := model.Code(p.Code); {
		case code == model.CodeNotFound && target.creates():
			path = []string{"metadata", "namespace"}
		case code == model.CodeConflict && target.creates():
			path = []string{"metadata", "name"}
		case code != model.CodeNotFound && code != model.CodeConflict && code != model.CodeBadUserInput:
			return p
		}
	}
	field := []string{target.Field}
	if of, ok := a.(pointing); ok && len(path) > 0 {
		field = of.InputOf(path)
	}
	p.Field = append([]string{"input"}, field...)
	return p
}
