package schedule

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	configv1alpha1 "github.com/karmada-io/karmada/pkg/apis/config/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/resourceinterpreter/default/native"
	"github.com/karmada-io/karmada/pkg/util"
	"github.com/karmada-io/karmada/pkg/util/helper"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/model"
)

// Policy reads the spec of a propagation policy, JSON, with the defaults of Karmada's CRD and webhook: a policy that was
// not written yet has not passed through them (pkg/webhook/propagationpolicy/mutating.go).
func Policy(raw []byte) (*policyv1alpha1.PropagationSpec, error) {
	var o struct {
		Spec policyv1alpha1.PropagationSpec `json:"spec"`
	}
	// Karmada's types hold raw JSON of API machinery, which only encoding/json decodes.
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decoding a policy: %w", err)
	}
	p := &o.Spec.Placement
	if p.ReplicaScheduling != nil && p.ReplicaScheduling.ReplicaSchedulingType == "" {
		p.ReplicaScheduling.ReplicaSchedulingType = policyv1alpha1.ReplicaSchedulingTypeDivided
	}
	for i := range p.SpreadConstraints {
		c := &p.SpreadConstraints[i]
		if c.SpreadByField == "" && c.SpreadByLabel == "" {
			c.SpreadByField = policyv1alpha1.SpreadByFieldCluster
		}
		if c.MinGroups == 0 {
			c.MinGroups = 1
		}
	}
	if helper.ContainsServiceImport(o.Spec.ResourceSelectors) {
		o.Spec.PropagateDeps = true
	}
	helper.SetReplicaDivisionPreferenceWeighted(p)
	return &o.Spec, nil
}

// Lazy reports whether a change of the policy waits for a change of the object.
func Lazy(p *policyv1alpha1.PropagationSpec) bool {
	return util.IsLazyActivationEnabled(p.ActivationPreference)
}

// Bound is a binding with what the scheduler knows of it.
type Bound struct {
	Spec    workv1alpha2.ResourceBindingSpec
	Status  workv1alpha2.ResourceBindingStatus
	Applied string
}

// Binding reads a binding, JSON.
func Binding(raw []byte) (*Bound, error) {
	var o workv1alpha2.ResourceBinding
	if err := json.Unmarshal(raw, &o); err != nil {
		return nil, fmt.Errorf("decoding a binding: %w", err)
	}
	return &Bound{Spec: o.Spec, Status: o.Status, Applied: o.Annotations[util.PolicyPlacementAnnotation]}, nil
}

// interpreter knows the replicas and the dependencies of the kinds of Kubernetes itself.
var interpreter = native.NewDefaultInterpreter()

// New is the binding that Karmada would make for an object that has none; raw is the object as JSON. Interpreted is false
// for a kind that only interpreters of the instance itself know: it is taken for one without replicas.
func New(ref model.Ref, uid string, raw []byte) (b *Bound, interpreted bool, err error) {
	b = &Bound{Spec: workv1alpha2.ResourceBindingSpec{Resource: workv1alpha2.ObjectReference{
		APIVersion: ref.APIVersion(), Kind: ref.GVK.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: types.UID(uid),
	}}}
	object, err := decode(ref, raw)
	if err != nil {
		return nil, false, err
	}
	if !interpreter.HookEnabled(ref.GVK, configv1alpha1.InterpreterOperationInterpretReplica) {
		return b, known[ref.GVK.Group], nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the replicas of %s %q cannot be told", ref.GVK.Kind, ref.Name)
		}
	}()
	b.Spec.Replicas, b.Spec.ReplicaRequirements, err = interpreter.GetReplicas(object)
	return b, true, err
}

// Dependencies is what Karmada finds that an object depends on, sorted; raw is the object as JSON. Interpreted is false for a
// kind that only interpreters of the instance itself know.
func Dependencies(ref model.Ref, raw []byte) (out []model.Dependency, interpreted bool, err error) {
	if !interpreter.HookEnabled(ref.GVK, configv1alpha1.InterpreterOperationInterpretDependency) {
		return nil, known[ref.GVK.Group], nil
	}
	object, err := decode(ref, raw)
	if err != nil {
		return nil, false, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("what %s %q depends on cannot be told", ref.GVK.Kind, ref.Name)
		}
	}()
	found, err := interpreter.GetDependencies(object)
	if err != nil {
		return nil, true, fmt.Errorf("reading what %s %q depends on: %w", ref.GVK.Kind, ref.Name, err)
	}
	for _, d := range found {
		one := model.Dependency{Ref: model.Ref{Instance: ref.Instance, GVK: schema.FromAPIVersionAndKind(d.APIVersion, d.Kind), Namespace: d.Namespace, Name: d.Name}}
		if d.LabelSelector != nil {
			one.LabelSelector = metav1.FormatLabelSelector(d.LabelSelector)
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b model.Dependency) int {
		return cmp.Or(strings.Compare(a.Ref.GVK.Kind, b.Ref.GVK.Kind), strings.Compare(a.Ref.Name, b.Ref.Name))
	})
	return out, true, nil
}

// decode reads an object, which rows of lists leave without version and kind.
func decode(ref model.Ref, raw []byte) (*unstructured.Unstructured, error) {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fmt.Errorf("decoding an object: %w", err)
	}
	object["apiVersion"], object["kind"] = ref.APIVersion(), ref.GVK.Kind
	return &unstructured.Unstructured{Object: object}, nil
}

// known is the API groups whose kinds have replicas, and depend on others, only where the interpreter says so.
var known = map[string]bool{
	"": true, "apps": true, "batch": true, "autoscaling": true, "networking.k8s.io": true, "rbac.authorization.k8s.io": true, "policy": true,
	"storage.k8s.io": true, "apiextensions.k8s.io": true, "admissionregistration.k8s.io": true, "scheduling.k8s.io": true, "discovery.k8s.io": true,
}

// Under is the binding as the detector writes it when a policy applies to its object (pkg/detector: ApplyPolicy).
func (b *Bound) Under(p *policyv1alpha1.PropagationSpec) *Bound {
	out := *b
	out.Spec.Placement = &p.Placement
	out.Spec.SchedulerName = p.SchedulerName
	out.Spec.PropagateDeps = p.PropagateDeps
	return &out
}
