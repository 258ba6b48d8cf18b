package workloadform

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/model"
)

// A corpus with every field of every type of Kubernetes set, so that a field that a new version has cannot escape.

// typed are the types of the workloads.
var typed = map[model.WorkloadKind]func() any{
	deployment: func() any { return &appsv1.Deployment{} }, statefulSet: func() any { return &appsv1.StatefulSet{} },
	daemonSet: func() any { return &appsv1.DaemonSet{} }, job: func() any { return &batchv1.Job{} }, cronJob: func() any { return &batchv1.CronJob{} },
}

// wordOf is a word for a field, by its type: one that Kubernetes knows.
var wordOf = map[reflect.Type]string{
	reflect.TypeFor[corev1.PullPolicy]():                               "IfNotPresent",
	reflect.TypeFor[corev1.Protocol]():                                 "UDP",
	reflect.TypeFor[corev1.URIScheme]():                                "HTTPS",
	reflect.TypeFor[corev1.RestartPolicy]():                            "OnFailure",
	reflect.TypeFor[corev1.ContainerRestartPolicy]():                   "Always",
	reflect.TypeFor[corev1.TerminationMessagePolicy]():                 "FallbackToLogsOnError",
	reflect.TypeFor[corev1.MountPropagationMode]():                     "HostToContainer",
	reflect.TypeFor[corev1.SeccompProfileType]():                       "Localhost",
	reflect.TypeFor[corev1.PodFSGroupChangePolicy]():                   "OnRootMismatch",
	reflect.TypeFor[corev1.TolerationOperator]():                       "Equal",
	reflect.TypeFor[corev1.TaintEffect]():                              "NoExecute",
	reflect.TypeFor[corev1.NodeSelectorOperator]():                     "NotIn",
	reflect.TypeFor[metav1.LabelSelectorOperator]():                    "NotIn",
	reflect.TypeFor[corev1.UnsatisfiableConstraintAction]():            "ScheduleAnyway",
	reflect.TypeFor[corev1.NodeInclusionPolicy]():                      "Ignore",
	reflect.TypeFor[corev1.DNSPolicy]():                                "ClusterFirstWithHostNet",
	reflect.TypeFor[corev1.PersistentVolumeMode]():                     "Block",
	reflect.TypeFor[appsv1.DeploymentStrategyType]():                   "RollingUpdate",
	reflect.TypeFor[appsv1.StatefulSetUpdateStrategyType]():            "OnDelete",
	reflect.TypeFor[appsv1.DaemonSetUpdateStrategyType]():              "OnDelete",
	reflect.TypeFor[appsv1.PodManagementPolicyType]():                  "Parallel",
	reflect.TypeFor[appsv1.PersistentVolumeClaimRetentionPolicyType](): "Delete",
	reflect.TypeFor[batchv1.CompletionMode]():                          "Indexed",
	reflect.TypeFor[batchv1.ConcurrencyPolicy]():                       "Forbid",
}

// filler sets every field to a value of its own.
type filler struct {
	tb testing.TB
	n  int64
}

func (f *filler) fill(v reflect.Value, depth int) {
	f.n++
	switch v.Type() {
	case reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.FieldsV1](), reflect.TypeFor[metav1.MicroTime]():
		return // what API servers write
	case reflect.TypeFor[resource.Quantity]():
		v.Set(reflect.ValueOf(resource.MustParse(fmt.Sprintf("%dMi", f.n))))
		return
	case reflect.TypeFor[intstr.IntOrString]():
		v.Set(reflect.ValueOf(intstr.FromString(fmt.Sprintf("%d%%", f.n%100))))
		if f.n%2 == 0 {
			v.Set(reflect.ValueOf(intstr.FromInt32(int32(f.n))))
		}
		return
	case reflect.TypeFor[types.UID]():
		v.SetString(fmt.Sprintf("uid-%d", f.n))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(`{}`))
			return
		}
		for range 2 { // so that items are matched, and not only places
			item := reflect.New(v.Type().Elem()).Elem()
			f.fill(item, depth+1)
			v.Set(reflect.Append(v, item))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, depth+1)
			f.fill(value, depth+1)
			v.SetMapIndex(key, value)
		}
	case reflect.String:
		word := wordOf[v.Type()]
		if word == "" {
			word = fmt.Sprintf("text-%d", f.n)
		}
		v.SetString(word)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int32, reflect.Int64:
		v.SetInt(f.n)
	default:
		f.tb.Fatalf("a field of %s", v.Type())
	}
}

// full is a workload with every field set, as an API server would send it.
func full(tb testing.TB, kind model.WorkloadKind) map[string]any {
	tb.Helper()
	o := typed[kind]()
	(&filler{tb: tb}).fill(reflect.ValueOf(o).Elem(), 0)
	object := tree(tb, o)
	gvk := kind.GVK()
	object["apiVersion"], object["kind"] = gvk.GroupVersion().String(), gvk.Kind
	delete(object, "status")
	return object
}

// tree is a value as decoded JSON.
func tree(tb testing.TB, value any) map[string]any {
	tb.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// again is a copy.
func again(tb testing.TB, object map[string]any) map[string]any {
	tb.Helper()
	return tree(tb, object)
}
