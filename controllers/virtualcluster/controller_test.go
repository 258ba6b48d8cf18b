package virtualcluster_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestAnInstanceAndItsMembersAreRegistered(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	uid := karmada.Join("hangzhou", http.StatusOK)
	karmada.Join("tokyo", http.StatusOK)
	raw := karmada.Kubeconfig("kairship")
	attach(t, "asia", raw)

	root, member := appears(t, "kairship.asia"), appears(t, "kairship.asia.hangzhou")
	appears(t, "kairship.asia.tokyo")
	reaches(t, "asia", v1alpha1.ReasonSyncing)

	auth := map[string]any{
		"ca":    map[string]any{"name": "kairship.asia", "key": "ca"},
		"token": map[string]any{"name": "kairship.asia", "key": "token"},
	}
	for _, tt := range []struct {
		object      *unstructured.Unstructured
		server      string
		labels      map[string]string
		annotations map[string]string
	}{
		{root, karmada.Host(), map[string]string{
			"app.kubernetes.io/managed-by": "kairship", "kairship.io/instance": "asia", "kairship.io/hidden": "true",
		}, map[string]string{"kairship.io/source-uid": karmada.Identity()}},
		{member, karmada.Host() + "/apis/cluster.karmada.io/v1alpha1/clusters/hangzhou/proxy", map[string]string{
			"app.kubernetes.io/managed-by": "kairship", "kairship.io/instance": "asia", "kairship.io/hidden": "true", "kairship.io/cluster": "hangzhou",
		}, map[string]string{"kairship.io/source-uid": karmada.Identity() + "/" + uid}},
	} {
		server, _, _ := unstructured.NestedString(tt.object.Object, "spec", "apiserver")
		if diff := cmp.Diff(tt.server, server); diff != "" {
			t.Errorf("%s: address (-want +got):\n%s", tt.object.GetName(), diff)
		}
		got, _, _ := unstructured.NestedMap(tt.object.Object, "spec", "authenticationFrom")
		if diff := cmp.Diff(auth, got); diff != "" {
			t.Errorf("%s: credential (-want +got):\n%s", tt.object.GetName(), diff)
		}
		if diff := cmp.Diff(tt.labels, tt.object.GetLabels()); diff != "" {
			t.Errorf("%s: labels (-want +got):\n%s", tt.object.GetName(), diff)
		}
		if diff := cmp.Diff(tt.annotations, tt.object.GetAnnotations()); diff != "" {
			t.Errorf("%s: annotations (-want +got):\n%s", tt.object.GetName(), diff)
		}
		want := []metav1.OwnerReference{*metav1.NewControllerRef(instance(t, "asia"), v1alpha1.InstanceKind)}
		if diff := cmp.Diff(want, tt.object.GetOwnerReferences()); diff != "" {
			t.Errorf("%s: owner (-want +got):\n%s", tt.object.GetName(), diff)
		}
	}
	config, err := kubeconfig.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]byte{"ca": config.CAData, "token": []byte(config.BearerToken)}, secret(t, "kairship.asia").Data); diff != "" {
		t.Errorf("Secret (-want +got):\n%s", diff)
	}

	// Clusterpedia takes them up one after the other.
	takeUp(t, "kairship.asia", "kairship.asia.hangzhou")
	c := settles(t, "asia", func(c metav1.Condition) bool { return strings.Contains(c.Message, "tokyo has not been taken up") }, "waiting for tokyo")
	if c.Status != metav1.ConditionFalse {
		t.Errorf("a member is missing, yet the condition is %s", c.Status)
	}
	takeUp(t, "kairship.asia.tokyo")
	c = reaches(t, "asia", v1alpha1.ReasonSynced)
	want := metav1.Condition{
		Type: v1alpha1.ConditionReadPathSynced, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonSynced,
		Message: "the read store follows the control plane and 2 members", ObservedGeneration: 1,
	}
	if diff := cmp.Diff(want, c, cmpopts.IgnoreFields(metav1.Condition{}, "LastTransitionTime")); diff != "" {
		t.Errorf("condition (-want +got):\n%s", diff)
	}
	numbers := &v1alpha1.VirtualClusterStatus{Name: "kairship.asia", Members: ptr.To[int32](2), MembersSynced: ptr.To[int32](2)}
	if diff := cmp.Diff(numbers, instance(t, "asia").Status.VirtualCluster); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}

	// One member that Clusterpedia loses sight of.
	setHealth(t, "kairship.asia.tokyo", false)
	c = reaches(t, "asia", v1alpha1.ReasonMembersNotSynced)
	if !strings.HasPrefix(c.Message, "tokyo NotReachable") {
		t.Errorf("the message does not name the member and why: %s", c.Message)
	}
}

func TestNothingIsWrittenWhenNothingChanged(t *testing.T) {
	r := start(t)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("idle1", http.StatusOK)
	attach(t, "idle", karmada.Kubeconfig("kairship"))
	takeUp(t, "kairship.idle", "kairship.idle.idle1")
	reaches(t, "idle", v1alpha1.ReasonSynced)

	// Each of these wakes the controller; a member that joins afterwards shows that it has looked.
	r.writes.rest(t)
	for range 3 {
		update(t, "kairship.idle", func(u *unstructured.Unstructured) {
			u.SetAnnotations(map[string]string{"kairship.io/source-uid": u.GetAnnotations()["kairship.io/source-uid"], "somebody": time.Now().String()})
		})
	}
	written := r.writes.rest(t)
	r.stop()
	again := start(t)
	karmada.Join("idle2", http.StatusOK)
	appears(t, "kairship.idle.idle2")
	settles(t, "idle", func(c metav1.Condition) bool { return strings.Contains(c.Message, "idle2") }, "idle2 in the message")
	again.stop()

	want := []string{
		"PATCH /apis/cluster.clusterpedia.io/v1alpha2/pediaclusters/kairship.idle.idle2",
		"PATCH /apis/kairship.io/v1alpha1/instances/idle/status",
	}
	if diff := cmp.Diff([]string(nil), written); diff != "" {
		t.Errorf("writes when nothing changed (-want +got):\n%s", diff)
	}
	got := again.writes.take()
	// How often the status is written depends on how many passes it takes.
	unique := map[string]bool{}
	for _, w := range got {
		unique[w] = true
	}
	if len(unique) != len(want) || !unique[want[0]] || !unique[want[1]] {
		t.Errorf("want no more than %q, got %q", want, got)
	}
}

func TestWhatSomebodyChangedIsPutRight(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	attach(t, "drift", karmada.Kubeconfig("kairship"))
	before := appears(t, "kairship.drift")

	update(t, "kairship.drift", func(u *unstructured.Unstructured) {
		_ = unstructured.SetNestedField(u.Object, "https://elsewhere", "spec", "apiserver")
		_ = unstructured.SetNestedSlice(u.Object, []any{map[string]any{"group": "", "resources": []any{"secrets"}}}, "spec", "syncResources")
	})
	testenv.Eventually(t, func() string { return cmp.Diff(before.Object["spec"], appears(t, "kairship.drift").Object["spec"]) })

	if err := host.Client.Delete(t.Context(), secret(t, "kairship.drift")); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		if secret(t, "kairship.drift") == nil {
			return "the Secret is not made again"
		}
		return ""
	})
}

func TestAStatusThatIsNotTrueIsPutRight(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	attach(t, "status", karmada.Kubeconfig("kairship"))
	takeUp(t, "kairship.status")
	reaches(t, "status", v1alpha1.ReasonSynced)

	// As after a verdict on a cache that lagged behind: nothing else will happen to this instance.
	testenv.Eventually(t, func() string {
		i := instance(t, "status")
		c := meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionReadPathSynced)
		c.Status, c.Reason = metav1.ConditionFalse, v1alpha1.ReasonUnreachable
		return text(host.Client.Status().Update(t.Context(), i))
	})
	reaches(t, "status", v1alpha1.ReasonSynced)
}

func TestWhatIsSyncedCanBeChosen(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	attach(t, "chosen", karmada.Kubeconfig("kairship"), func(i *v1alpha1.Instance) {
		i.Spec.Sync = &v1alpha1.InstanceSync{Kinds: []v1alpha1.SyncedResources{{Group: "apps", Resources: []string{"deployments"}}}}
	})
	got, _, _ := unstructured.NestedSlice(appears(t, "kairship.chosen").Object, "spec", "syncResources")
	want := []any{
		map[string]any{"group": "apps", "resources": []any{"deployments"}},
		map[string]any{"group": "work.karmada.io", "versions": []any{"v1alpha2"}, "resources": []any{"clusterresourcebindings", "resourcebindings"}},
		map[string]any{"group": "", "resources": []any{"namespaces"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("resources (-want +got):\n%s", diff)
	}
}

func TestARotatedCredentialReachesClusterpedia(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	attach(t, "rotated", karmada.Kubeconfig("kairship"))
	root := appears(t, "kairship.rotated")
	takeUp(t, "kairship.rotated")
	reaches(t, "rotated", v1alpha1.ReasonSynced)

	handedOn := func(raw []byte) {
		t.Helper()
		config, err := kubeconfig.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		testenv.Eventually(t, func() string {
			return cmp.Diff([]byte(config.BearerToken), secret(t, "kairship.rotated").Data["token"])
		})
	}
	raw := karmada.Kubeconfig("kairship-2")
	suite.WriteKubeconfig(t, host, "rotated", raw)
	handedOn(raw)

	// Also while Karmada is down: the new credential may be what is missing.
	raw = karmada.Kubeconfig("kairship-3")
	karmada.Set(testenv.Down)
	reaches(t, "rotated", v1alpha1.ReasonUnreachable)
	suite.WriteKubeconfig(t, host, "rotated", raw)
	handedOn(raw)
	if got := appears(t, "kairship.rotated"); got.GetUID() != root.GetUID() {
		t.Error("the virtual cluster was made again for a new credential")
	}
}

func TestMembersComeAndGo(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("stays", http.StatusOK)
	attach(t, "moving", karmada.Kubeconfig("kairship"))
	takeUp(t, "kairship.moving", "kairship.moving.stays")
	reaches(t, "moving", v1alpha1.ReasonSynced)

	// One that has just joined is refused until Karmada has told it whom to obey.
	karmada.Join("comes", http.StatusForbidden)
	c := settles(t, "moving", func(c metav1.Condition) bool { return strings.Contains(c.Message, "comes") }, "comes in the message")
	if diff := cmp.Diff("comes is not registered yet: answers 403 Forbidden", c.Message); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if pediaCluster(t, "kairship.moving.comes") != nil {
		t.Fatal("it is registered before it answers")
	}
	karmada.Answer("comes", http.StatusOK)
	takeUp(t, "kairship.moving.comes")
	reaches(t, "moving", v1alpha1.ReasonSynced)

	karmada.Leave("comes")
	drop(t, "kairship.moving.comes")
	disappears(t, "kairship.moving.comes")
	reaches(t, "moving", v1alpha1.ReasonSynced)
	if got := pediaCluster(t, "kairship.moving.stays"); got == nil || got.GetDeletionTimestamp() != nil {
		t.Error("the member that stays was removed")
	}
}

func TestAMemberThatLeavesUnseenIsRemovedAtTheNextStart(t *testing.T) {
	r := start(t)
	karmada := testenv.NewKarmada(t, first)
	karmada.Join("unseen", http.StatusOK)
	karmada.Join("replaced", http.StatusOK)
	attach(t, "absent", karmada.Kubeconfig("kairship"))
	takeUp(t, "kairship.absent", "kairship.absent.unseen", "kairship.absent.replaced")
	old := appears(t, "kairship.absent.replaced")
	r.stop()

	karmada.Leave("unseen")
	karmada.Leave("replaced")
	uid := karmada.Join("replaced", http.StatusOK)
	start(t)
	drop(t, "kairship.absent.unseen")
	disappears(t, "kairship.absent.unseen")

	// Another cluster has taken the name: the rows of the first have to go before.
	reaches(t, "absent", v1alpha1.ReasonRebuilding)
	drop(t, "kairship.absent.replaced")
	testenv.Eventually(t, func() string {
		u := appears(t, "kairship.absent.replaced")
		if u.GetUID() == old.GetUID() {
			return "the old one is still there"
		}
		return cmp.Diff(karmada.Identity()+"/"+uid, u.GetAnnotations()["kairship.io/source-uid"])
	})
}

func TestAKarmadaThatFailsLosesNothingAndHoldsUpNobody(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mode   testenv.Mode
		reason string
	}{
		{"down", testenv.Down, v1alpha1.ReasonUnreachable},
		{"hanging", testenv.Hanging, v1alpha1.ReasonUnreachable},
		{"blinking", testenv.WithoutClusters, v1alpha1.ReasonUnreachable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start(t)
			failing, healthy := testenv.NewKarmada(t, first), testenv.NewKarmada(t, second)
			failing.Join(tt.name+"1", http.StatusOK)
			attach(t, tt.name, failing.Kubeconfig("kairship"))
			takeUp(t, "kairship."+tt.name, "kairship."+tt.name+"."+tt.name+"1")
			reaches(t, tt.name, v1alpha1.ReasonSynced)

			failing.Set(tt.mode)
			reaches(t, tt.name, tt.reason)

			// Another instance comes meanwhile, and with it the proof that the controller still works.
			healthy.Join("sibling1", http.StatusOK)
			attach(t, tt.name+"-sibling", healthy.Kubeconfig("kairship"))
			takeUp(t, "kairship."+tt.name+"-sibling", "kairship."+tt.name+"-sibling.sibling1")
			reaches(t, tt.name+"-sibling", v1alpha1.ReasonSynced)

			for _, name := range []string{"kairship." + tt.name, "kairship." + tt.name + "." + tt.name + "1"} {
				if u := pediaCluster(t, name); u == nil || u.GetDeletionTimestamp() != nil {
					t.Errorf("PediaCluster %s was removed", name)
				}
			}
			numbers := &v1alpha1.VirtualClusterStatus{Name: "kairship." + tt.name, Members: ptr.To[int32](1), MembersSynced: ptr.To[int32](1)}
			if diff := cmp.Diff(numbers, instance(t, tt.name).Status.VirtualCluster); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}

			failing.Set(testenv.Answering)
			reaches(t, tt.name, v1alpha1.ReasonSynced)
		})
	}
}

func TestAnotherKarmadaInTheSamePlaceIsBuiltAnew(t *testing.T) {
	start(t)
	before, after := testenv.NewKarmada(t, first), testenv.NewKarmada(t, second)
	before.Join("old", http.StatusOK)
	after.Join("new", http.StatusOK)
	attach(t, "moved", before.Kubeconfig("kairship"))
	takeUp(t, "kairship.moved", "kairship.moved.old")
	reaches(t, "moved", v1alpha1.ReasonSynced)
	credential := secret(t, "kairship.moved").Data

	suite.WriteKubeconfig(t, host, "moved", after.Kubeconfig("kairship"))
	leaving(t, "kairship.moved")
	drop(t, "kairship.moved")
	disappears(t, "kairship.moved")
	// The member of the old one is still being dropped: nothing of the new one may begin, and its
	// credential may not be sent to the old address.
	reaches(t, "moved", v1alpha1.ReasonRebuilding)
	if diff := cmp.Diff(credential, secret(t, "kairship.moved").Data); diff != "" {
		t.Errorf("the new credential was handed on too early (-want +got):\n%s", diff)
	}
	drop(t, "kairship.moved.old")
	testenv.Eventually(t, func() string {
		server, _, _ := unstructured.NestedString(appears(t, "kairship.moved").Object, "spec", "apiserver")
		return cmp.Diff(after.Host(), server)
	})
	takeUp(t, "kairship.moved", "kairship.moved.new")
	reaches(t, "moved", v1alpha1.ReasonSynced)
}

func TestAKubeconfigThatIsNotAcceptedIsNamed(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	good := karmada.Kubeconfig("kairship")
	attach(t, "hostile", testenv.Kubeconfig(t, karmada.Host(), []byte("x"), &clientcmdapi.AuthInfo{
		Exec: &clientcmdapi.ExecConfig{Command: "/bin/sh", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"},
	}))
	reaches(t, "hostile", v1alpha1.ReasonKubeconfigInvalid)

	for _, tt := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"a program to run", testenv.Kubeconfig(t, karmada.Host(), authorityOf(t, good), &clientcmdapi.AuthInfo{
			Exec: &clientcmdapi.ExecConfig{Command: "/bin/sh", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"},
		}), `users["user"].user.exec`},
		{"a server that is not checked", testenv.Kubeconfig(t, karmada.Host(), nil, &clientcmdapi.AuthInfo{Token: "t"}), `clusters["karmada"].cluster.certificate-authority-data`},
		{"an address that hosts keep credentials at", testenv.Kubeconfig(t, "https://169.254.169.254", authorityOf(t, good), &clientcmdapi.AuthInfo{Token: "t"}), `clusters["karmada"].cluster.server`},
		{"no kubeconfig at all", []byte("hello"), "expected YAML or JSON of kind Config"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			suite.WriteKubeconfig(t, host, "hostile", tt.raw)
			c := settles(t, "hostile", func(c metav1.Condition) bool { return strings.Contains(c.Message, tt.want) }, tt.want)
			if c.Status != metav1.ConditionFalse || c.Reason != v1alpha1.ReasonKubeconfigInvalid {
				t.Errorf("condition: %+v", c)
			}
		})
	}
	if left := pediaClusters(t.Context(), "hostile"); len(left) != 0 {
		t.Errorf("%d virtual clusters were made of it", len(left))
	}

	// What was refused is mended by a good one, and a bad one afterwards drops nothing.
	suite.WriteKubeconfig(t, host, "hostile", good)
	takeUp(t, "kairship.hostile")
	reaches(t, "hostile", v1alpha1.ReasonSynced)
	if err := host.Client.Delete(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "hostile"}}); err != nil {
		t.Fatal(err)
	}
	reaches(t, "hostile", v1alpha1.ReasonKubeconfigSecretNotFound)
	if u := pediaCluster(t, "kairship.hostile"); u == nil || u.GetDeletionTimestamp() != nil {
		t.Error("the virtual cluster was removed because its Secret was")
	}
}

func TestACredentialWithoutRightsIsRefused(t *testing.T) {
	start(t)
	karmada := testenv.NewKarmada(t, first)
	attach(t, "powerless", karmada.PowerlessKubeconfig("nobody"))
	c := reaches(t, "powerless", v1alpha1.ReasonRefused)
	if !strings.Contains(c.Message, "forbidden") {
		t.Errorf("the message does not say why: %s", c.Message)
	}
}

func TestAnInstanceGoesWhenClusterpediaHasDroppedItsRows(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode testenv.Mode
	}{
		{"farewell", testenv.Answering},
		{"farewell-down", testenv.Down},
		{"farewell-hanging", testenv.Hanging},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t)
			karmada := testenv.NewKarmada(t, first)
			member := tt.name + "1"
			karmada.Join(member, http.StatusOK)
			attach(t, tt.name, karmada.Kubeconfig("kairship"))
			names := []string{"kairship." + tt.name, "kairship." + tt.name + "." + member}
			takeUp(t, names...)
			reaches(t, tt.name, v1alpha1.ReasonSynced)

			karmada.Set(tt.mode)
			if err := host.Client.Delete(t.Context(), instance(t, tt.name)); err != nil {
				t.Fatal(err)
			}
			c := reaches(t, tt.name, v1alpha1.ReasonRemoving)
			if diff := cmp.Diff("waiting for Clusterpedia to drop "+strings.Join(names, ", "), c.Message); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			drop(t, names[1])
			disappears(t, names[1])
			if secret(t, names[0]) == nil {
				t.Error("the credential went before the rows")
			}

			// Clusterpedia gives up after some attempts; it is made to look again.
			leaving(t, names[0])
			r.clock.SetTime(time.Now().Add(time.Hour))
			testenv.Eventually(t, func() string {
				if appears(t, names[0]).GetAnnotations()["kairship.io/touched-at"] == "" {
					return "Clusterpedia was not asked again"
				}
				return ""
			})
			drop(t, names[0])
			testenv.Eventually(t, func() string {
				var i v1alpha1.Instance
				if err := host.Client.Get(t.Context(), client.ObjectKey{Name: tt.name}, &i); !apierrors.IsNotFound(err) {
					return "the Instance is still there"
				}
				return ""
			})
			if secret(t, names[0]) != nil {
				t.Error("the credential is left behind")
			}
		})
	}
}

func authorityOf(t *testing.T, raw []byte) []byte {
	t.Helper()
	config, err := kubeconfig.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return config.CAData
}
