package admission_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/api/v1alpha1/admission"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var host *testenv.Server

func TestMain(m *testing.M) {
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		host, err = env.Start(testenv.KairshipDefinitions)
		return err
	})
}

func TestTheDeletionOfAnInstanceIsRefusedWhileClustersAreJoined(t *testing.T) {
	install(t)
	managed := v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged}
	attached := v1alpha1.InstanceSpec{Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{
		KubeconfigSecretRef: v1alpha1.SecretReference{Name: "x"},
	}}
	counted := func(n int32) v1alpha1.InstanceStatus {
		return v1alpha1.InstanceStatus{Statistics: &v1alpha1.InstanceStatistics{Clusters: v1alpha1.ReadyCount{Total: n}, AsOf: metav1.Now()}}
	}
	followed := func(n int32) v1alpha1.InstanceStatus {
		return v1alpha1.InstanceStatus{VirtualCluster: &v1alpha1.VirtualClusterStatus{Name: "x", Members: ptr.To(n)}}
	}
	told := func(status metav1.ConditionStatus, counted int32) v1alpha1.InstanceStatus {
		return v1alpha1.InstanceStatus{
			Statistics: &v1alpha1.InstanceStatistics{Clusters: v1alpha1.ReadyCount{Total: counted}, AsOf: metav1.Now()},
			Conditions: []metav1.Condition{{
				Type: v1alpha1.ConditionDeletable, Status: status, Reason: v1alpha1.ReasonMembersJoined, Message: "1 cluster is joined: frankfurt", LastTransitionTime: metav1.Now(),
			}},
		}
	}
	for name, test := range map[string]struct {
		spec        v1alpha1.InstanceSpec
		status      v1alpha1.InstanceStatus
		annotations map[string]string
		refused     string
	}{
		"nothing known":                      {spec: managed},
		"none joined":                        {spec: managed, status: counted(0)},
		"counted":                            {spec: managed, status: counted(1), refused: "has 1 cluster joined"},
		"followed":                           {spec: managed, status: followed(2), refused: "has 2 clusters joined"},
		"cascade by name":                    {spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged, DeletionPolicy: v1alpha1.DeletionCascade}, status: counted(3), refused: "has 3 clusters joined"},
		"orphan":                             {spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged, DeletionPolicy: v1alpha1.DeletionOrphan}, status: counted(3)},
		"told that one is joined":            {spec: managed, status: told(metav1.ConditionFalse, 0), refused: "1 cluster is joined: frankfurt"},
		"told that none is while one leaves": {spec: managed, status: told(metav1.ConditionTrue, 1)},
		"attached":                           {spec: attached, status: counted(3)},
		"forced":                             {spec: managed, status: counted(3), annotations: map[string]string{v1alpha1.AnnotationForceDelete: "forced"}},
		"forced by another name": {
			spec: managed, status: counted(3), annotations: map[string]string{v1alpha1.AnnotationForceDelete: "true"}, refused: "kairship.io/force-delete=forced-by-another-name",
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: strings.ReplaceAll(name, " ", "-"), Annotations: test.annotations}, Spec: test.spec}
			if err := host.Client.Create(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			i.Status = test.status
			if err := host.Client.Status().Update(t.Context(), i); err != nil {
				t.Fatal(err)
			}
			// A trial: the answer is the same, and policies take a moment to be in force.
			err := host.Client.Delete(t.Context(), i, client.DryRunAll)
			switch {
			case test.refused == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.refused != "" && (err == nil || !strings.Contains(err.Error(), test.refused)):
				t.Errorf("got %v; want it refused with %q", err, test.refused)
			}
		})
	}
}

// install installs the policies, and waits until they are in force.
func install(t *testing.T) {
	t.Helper()
	entries, err := admission.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		raw, err := admission.Files.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		documents := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(raw), 4096)
		for {
			u := &unstructured.Unstructured{}
			if err := documents.Decode(&u.Object); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if err := host.Client.Create(t.Context(), u); err != nil {
				t.Fatal(err)
			}
		}
	}
	probe := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "probe"}, Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged}}
	if err := host.Client.Create(t.Context(), probe); err != nil {
		t.Fatal(err)
	}
	probe.Status.VirtualCluster = &v1alpha1.VirtualClusterStatus{Name: "x", Members: ptr.To[int32](1)}
	if err := host.Client.Status().Update(t.Context(), probe); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if host.Client.Delete(t.Context(), probe, client.DryRunAll) == nil {
			return "the policy is not in force"
		}
		return ""
	})
}
