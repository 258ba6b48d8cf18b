package resolvers

import (
	"context"
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/internal/actions"
)

// typedInputs are the typed inputs that were given, by the field of the mutation's input; what is null is not given.
func typedInputs(ctx context.Context, inputs map[string]map[string]any) actions.Typed {
	out := actions.Typed{}
	for name, input := range inputs {
		if input == nil {
			continue
		}
		value, _ := plain(reflect.ValueOf(input)).(map[string]any)
		withoutUnset(ctx, value, literal(ctx, name))
		out[name] = value
	}
	return out
}

// policyInputs are the typed inputs of policies that were given.
func policyInputs(ctx context.Context, propagation, clusterPropagation, override, clusterOverride map[string]any) actions.Typed {
	return typedInputs(ctx, map[string]map[string]any{"propagationPolicy": propagation, "clusterPropagationPolicy": clusterPropagation,
		"overridePolicy": override, "clusterOverridePolicy": clusterOverride})
}

// proposedInput is the typed input of a preview.
func proposedInput(ctx context.Context, policy map[string]any) actions.Typed {
	return typedInputs(ctx, map[string]map[string]any{"policy": policy})
}

// karmadaInputs are the typed inputs of Karmada's other kinds that were given.
func karmadaInputs(ctx context.Context, hpa, cronHPA, service, quota, taints map[string]any) actions.Typed {
	return typedInputs(ctx, map[string]map[string]any{"federatedHPA": hpa, "cronFederatedHPA": cronHPA, "multiClusterService": service,
		"federatedResourceQuota": quota, "clusterTaintPolicy": taints})
}

// plain is a value of an input as JSON has it: without pointers and types of its own.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Float64:
		return v.Float()
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = plain(v.Index(i))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		out := make(map[string]any, v.Len())
		for _, key := range v.MapKeys() {
			out[key.String()] = plain(v.MapIndex(key))
		}
		return out
	case reflect.Struct: // an input that has a type of the model
		out := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			out[strings.ToLower(name[:1])+name[1:]] = plain(v.Field(i))
		}
		return out
	}
	return nil
}

// literal is what the document says for a field of the mutation's input; nil when the input is a variable.
func literal(ctx context.Context, field string) *ast.Value {
	of := graphql.GetFieldContext(ctx)
	if of == nil || of.Field.Field == nil {
		return nil
	}
	input := of.Field.Arguments.ForName("input")
	if input == nil || input.Value.Kind != ast.ObjectValue {
		return nil
	}
	return input.Value.Children.ForName(field)
}

// withoutUnset takes out of a value the fields whose variables were not given: the executor has null for them, which would take
// away what was to stay.
func withoutUnset(ctx context.Context, value any, said *ast.Value) {
	if said == nil {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, child := range said.Children {
			if unset(ctx, child.Value) {
				delete(v, child.Name)
				continue
			}
			withoutUnset(ctx, v[child.Name], child.Value)
		}
	case []any:
		if said.Kind != ast.ListValue {
			if len(v) == 1 { // one that stands for a list
				withoutUnset(ctx, v[0], said)
			}
			return
		}
		for i, child := range said.Children {
			if i < len(v) {
				withoutUnset(ctx, v[i], child.Value)
			}
		}
	}
}

func unset(ctx context.Context, value *ast.Value) bool {
	if value.Kind != ast.Variable || value.VariableDefinition != nil && value.VariableDefinition.DefaultValue != nil {
		return false
	}
	_, given := graphql.GetOperationContext(ctx).Variables[value.Raw]
	return !given
}
