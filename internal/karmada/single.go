package karmada

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// ReadObject reads the only manifest of a text, YAML or JSON, within the limits of Apply. What is wrong with it is a
// BAD_USER_INPUT or LIMIT_EXCEEDED about a field of the input. Release gives back the memory that counts for the person until
// then; it is nil with an error.
func ReadObject(ctx context.Context, who auth.Principal, field, text string) (object *unstructured.Unstructured, release func(), err error) {
	docs, release, err := readAll(ctx, who, field, text)
	if err != nil {
		return nil, nil, err
	}
	switch d := docs[0]; {
	case len(docs) > 1:
		err = model.BadInput(field, "holds %d documents; one is allowed", len(docs))
	case d.err != nil:
		err = &model.Error{Code: model.Code(d.err.Code), Message: field + ": " + d.err.Message, Field: []string{field}}
	default:
		return d.object, release, nil
	}
	release()
	return nil, nil, err
}

func readAll(ctx context.Context, who auth.Principal, field, text string) ([]*document, func(), error) {
	refused := func(u *model.UserError) error {
		return &model.Error{Code: model.Code(u.Code), Message: field + ": " + strings.TrimPrefix(u.Message, "manifests: "), Field: []string{field}}
	}
	sections, size, invalid := scan(text)
	if invalid != nil {
		return nil, nil, refused(invalid)
	}
	release, err := inMemory.acquire(ctx, who.Name, size.Memory())
	if err != nil {
		return nil, nil, err
	}
	docs, invalid := documents(sections)
	if invalid != nil {
		release()
		return nil, nil, refused(invalid)
	}
	return docs, release, nil
}

// ReadPatch reads a patch, YAML or JSON, into JSON: an object, or where list is true an array. Limits, errors and release
// are those of ReadObject.
func ReadPatch(ctx context.Context, who auth.Principal, field, text string, list bool) (patch []byte, release func(), err error) {
	form := "an object in JSON or YAML"
	if list {
		form = "an array of operations in JSON"
	}
	s := section{text: []byte(text), line: 1}
	var size boundedyaml.Size
	if list {
		if size, err = boundedyaml.JSON(s.text, documentLimits); err != nil {
			return nil, nil, &model.Error{Code: model.CodeLimitExceeded, Message: field + ": " + s.explain(err), Field: []string{field}}
		}
	} else if size = s.count(); s.refused != nil {
		return nil, nil, &model.Error{Code: model.CodeLimitExceeded, Message: field + ": " + s.refused.Error(), Field: []string{field}}
	}
	release, err = inMemory.acquire(ctx, who.Name, size.Memory())
	if err != nil {
		return nil, nil, err
	}
	if patch, err = s.patch(list); err == nil && !list {
		err = onlyOne(text)
	}
	if err != nil {
		release()
		return nil, nil, model.BadInput(field, "is not %s: %v", form, err)
	}
	return patch, release, nil
}

// onlyOne refuses a text of several documents, of which the API server would take the first and say nothing of the others.
func onlyOne(text string) error {
	sections, _, invalid := scan(text)
	if invalid != nil {
		return errors.New(invalid.Message)
	}
	documents := 0
	for _, s := range sections {
		documents += len(s.values())
	}
	if documents > 1 {
		return fmt.Errorf("it holds %d documents; one is allowed", documents)
	}
	return nil
}

var errOneValue = errors.New("it holds another number of values than one")

// patch is the section's only value as JSON.
func (s section) patch(list bool) ([]byte, error) {
	if list {
		var operations []map[string]any
		if err := json.Unmarshal(s.text, &operations); err != nil {
			return nil, err
		}
		return s.text, nil
	}
	values := s.values()
	if len(values) != 1 {
		return nil, errOneValue
	}
	if values[0].err != nil {
		return nil, values[0].err
	}
	raw, err := json.Marshal(values[0].object)
	if err != nil {
		return nil, fmt.Errorf("encoding it: %w", err)
	}
	return raw, nil
}
