package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/kairship-io/kairship/internal/model"
)

// maxDepth is deeper than any valid document.
const maxDepth = 8

// maxPathName is how much of a field's name is repeated to the sender.
const maxPathName = 64

// The fields of each type of event. Those of another type are refused as unknown.
type (
	bindingsEvent struct {
		Header
		Bindings []Binding `json:"bindings"`
	}
	subjectsEvent struct {
		Header
		Subjects []Subject `json:"subjects"`
	}
	fullEvent struct {
		Header
		Bindings        []Binding `json:"bindings"`
		ConfirmRemovals bool      `json:"confirmRemovals"`
	}
)

// Decode reads an event. Its errors are *model.Error with the code BAD_USER_INPUT and the path of the field that is
// unknown, of the wrong type, null, duplicate or missing. It does not validate bindings and subjects: Check does, one
// by one.
func Decode(body []byte) (*Event, error) {
	if err := scan(body); err != nil {
		return nil, err
	}
	var about struct {
		Type any `json:"type"`
	}
	if err := json.Unmarshal(body, &about); err != nil {
		return nil, describe(err, reflect.TypeFor[fullEvent]())
	}
	e := &Event{}
	switch name, _ := about.Type.(string); Type(name) {
	case BindingUpserted, BindingRemoved:
		var in bindingsEvent
		if err := unmarshal(body, &in); err != nil {
			return nil, err
		}
		e.Header, e.Bindings = in.Header, in.Bindings
		if len(in.Bindings) == 0 {
			return nil, bad([]string{"bindings"}, "is required, and must hold at least one")
		}
	case SubjectRemoved:
		var in subjectsEvent
		if err := unmarshal(body, &in); err != nil {
			return nil, err
		}
		e.Header, e.Subjects = in.Header, in.Subjects
		if len(in.Subjects) == 0 {
			return nil, bad([]string{"subjects"}, "is required, and must hold at least one")
		}
	case SyncFull:
		var in fullEvent
		if err := unmarshal(body, &in); err != nil {
			return nil, err
		}
		e.Header, e.Bindings, e.ConfirmRemovals = in.Header, in.Bindings, in.ConfirmRemovals
		if in.Bindings == nil {
			return nil, bad([]string{"bindings"}, "is required; it is [] when there are none")
		}
	default:
		names := make([]string, len(Types))
		for i, t := range Types {
			names[i] = string(t)
		}
		return nil, bad([]string{"type"}, "must be one of %s", strings.Join(names, ", "))
	}
	if err := checkID(e.ID); err != nil {
		return nil, err
	}
	return e, checkOrder(e.Source, e.Sequence, 1)
}

// DecodeSet reads all bindings of a source. Its errors are as those of Decode.
func DecodeSet(body []byte) (*Set, error) {
	if err := scan(body); err != nil {
		return nil, err
	}
	var s Set
	if err := unmarshal(body, &s); err != nil {
		return nil, err
	}
	if s.Bindings == nil {
		return nil, bad([]string{"bindings"}, "is required; it is [] when there are none")
	}
	return &s, checkOrder(s.Source, s.Sequence, 0)
}

// scan refuses what decoding would accept: a null passes for any type, and in place of a limit it would lift the
// limit.
func scan(body []byte) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(body))
	if kind := d.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return bad(nil, "the body must be a JSON object")
	}
	for {
		token, err := d.ReadToken()
		if err != nil {
			return describe(err, nil)
		}
		if token.Kind() == 'n' {
			return bad(path(d.StackPointer()), "is null; give it a value or leave it out")
		}
		if d.StackDepth() == 0 {
			break
		}
		if d.StackDepth() > maxDepth {
			return bad(nil, "the body is nested deeper than %d", maxDepth)
		}
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return bad(nil, "the body must be one JSON object, and nothing behind it")
	}
	return nil
}

func unmarshal(body []byte, into any) error {
	if err := json.Unmarshal(body, into, json.RejectUnknownMembers(true)); err != nil {
		return describe(err, reflect.TypeOf(into).Elem())
	}
	return nil
}

// describe says what is wrong with a document of a type.
func describe(err error, of reflect.Type) error {
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic) && errors.Is(semantic.Err, json.ErrUnknownName):
		allowed := "no fields"
		if names := fields(typeAt(of, path(semantic.JSONPointer.Parent()))); len(names) > 0 {
			allowed = strings.Join(names, ", ")
		}
		return bad(path(semantic.JSONPointer), "is not known; allowed are %s", allowed)
	case errors.As(err, &semantic):
		at := path(semantic.JSONPointer)
		return bad(at, "must be %s", wanted(typeAt(of, at)))
	case errors.As(err, &syntactic) && errors.Is(syntactic.Err, jsontext.ErrDuplicateName):
		return bad(path(syntactic.JSONPointer), "is there twice")
	case errors.As(err, &syntactic):
		return bad(nil, "the body is not JSON: see byte %d", syntactic.ByteOffset)
	default:
		return bad(nil, "the body is not JSON")
	}
}

// wanted describes a type in JSON's terms.
func wanted(t reflect.Type) string {
	switch {
	case t == nil:
		return "something else"
	case t.Kind() == reflect.Pointer:
		return wanted(t.Elem())
	case t.Kind() == reflect.String:
		return "a string"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Slice:
		return "a list"
	case t.Kind() == reflect.Struct:
		return "an object with " + strings.Join(fields(t), ", ")
	default:
		return "a whole number below 2^63"
	}
}

// typeAt returns the type at a path; nil when there is none.
func typeAt(t reflect.Type, at []string) reflect.Type {
	for _, name := range at {
		if t != nil && t.Kind() == reflect.Slice {
			t = t.Elem()
			continue
		}
		if t == nil || t.Kind() != reflect.Struct {
			return nil
		}
		var next reflect.Type
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && nameOf(f) == name {
				next = f.Type
			}
		}
		t = next
	}
	return t
}

// fields returns the names of the fields that a type may have.
func fields(t reflect.Type) []string {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			names = append(names, nameOf(f))
		}
	}
	slices.Sort(names)
	return names
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func path(p jsontext.Pointer) []string {
	out := slices.Collect(p.Tokens())
	for i, name := range out {
		if len(name) > maxPathName {
			out[i] = strings.ToValidUTF8(name[:maxPathName], "") + "…"
		}
	}
	return out
}

// bad makes the error about a field, whose path is written like bindings[0].scope.
func bad(at []string, format string, args ...any) *model.Error {
	e := &model.Error{Code: model.CodeBadUserInput, Message: fmt.Sprintf(format, args...)}
	if len(at) > 0 {
		e.Field, e.Message = at, written(at)+": "+e.Message
	}
	return e
}

func written(at []string) string {
	var out strings.Builder
	for i, name := range at {
		_, err := strconv.ParseUint(name, 10, 32)
		switch {
		case err == nil:
			name = "[" + name + "]"
		case i > 0:
			name = "." + name
		}
		out.WriteString(name)
	}
	return out.String()
}
