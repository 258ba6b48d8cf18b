package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// revisionResource is where the revisions are kept that Kairship records.
var revisionResource = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: model.RevisionResource}

// RollbackWorkload gives a workload the pod template that it had in an earlier revision, as Kairship recorded it in the
// control plane.
type RollbackWorkload struct {
	OnWorkload
	// Revision is its number, or the name of the ControllerRevision.
	Revision string
}

// Verb names the action.
func (a *RollbackWorkload) Verb() string { return "rollbackWorkload" }

// InputOf is the revision, from which the template comes.
func (a *RollbackWorkload) InputOf([]string) []string { return []string{"revision"} }

// Do returns the workload as Karmada returned it. The whole template is replaced: what was added since is gone.
func (a *RollbackWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	kind, err := a.kindOf(call, "rolled back", model.KindDeployment, model.KindStatefulSet, model.KindDaemonSet, model.KindCronJob)
	if err != nil {
		return nil, nil, err
	}
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID}, func(workload map[string]any) error {
		if paused(workload) {
			return errPaused("rolled out")
		}
		template, err := a.template(ctx, object, workload, templateField(kind))
		if err != nil {
			return err
		}
		within(workload, "spec")[templateField(kind)] = template
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	w, err := decodeWorkload(call.Target.Ref, raw)
	return w, nil, err
}

// template is the one of the revision that is asked for.
func (a *RollbackWorkload) template(ctx context.Context, object *karmada.Object, workload map[string]any, field string) (any, error) {
	uid, _ := within(workload, "metadata")["uid"].(string)
	raw, err := object.List(ctx, revisionResource, model.LabelWorkloadUID+"="+uid)
	if err != nil {
		return nil, err
	}
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Revision int64
			Data     struct{ Spec map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("decode the revisions of %s %q: %w", object.Ref.GVK.Kind, object.Ref.Name, err)
	}
	var numbers []int64
	for _, r := range list.Items {
		if a.Revision != r.Metadata.Name && a.Revision != strconv.FormatInt(r.Revision, 10) {
			numbers = append(numbers, r.Revision)
			continue
		}
		var template map[string]any
		if err := utiljson.Unmarshal(r.Data.Spec[field], &template); err != nil || len(template) == 0 {
			return nil, model.BadInput("revision", "%.100q holds no template", a.Revision)
		}
		return template, nil
	}
	slices.Sort(numbers)
	if len(numbers) == 0 {
		return nil, model.BadInput("revision", "%.100q is no revision of it: none is recorded", a.Revision)
	}
	return nil, model.BadInput("revision", "%.100q is no revision of it; these are recorded: %s", a.Revision, strings.Trim(fmt.Sprint(numbers), "[]"))
}
