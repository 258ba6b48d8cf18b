package virtualcluster

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

var asia = &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia", UID: "instance-1"}}

// there is a PediaCluster that was built from a source.
func there(address string, from source, edits ...func(*registered)) registered {
	u := desired(asia, &kubeconfig.Credential{Host: address}, from, nil)
	r := registered{object: u, source: from}
	for _, edit := range edits {
		edit(&r)
	}
	return r
}

func deleted(r *registered) {
	now := metav1.NewTime(time.Unix(1, 0))
	r.object.SetDeletionTimestamp(&now)
}

func TestDecide(t *testing.T) {
	const here, elsewhere = "https://here", "https://elsewhere"
	root := source{karmada: "k1"}
	m1, m2 := source{cluster: "m1", karmada: "k1", uid: "u1"}, source{cluster: "m2", karmada: "k1", uid: "u2"}
	for name, tt := range map[string]struct {
		observed observed
		want     plan
	}{
		"nothing is registered of a Karmada that has not answered yet": {
			observed: observed{},
			want:     plan{},
		},
		"the control plane does not wait for the members": {
			observed: observed{identity: "k1"},
			want:     plan{secret: true, apply: []source{root}},
		},
		"new members are asked first, known ones kept up to date": {
			observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u1", "m2": "u2"},
				registered: map[string]registered{"": there(here, root), "m1": there(here, m1)}},
			want: plan{secret: true, apply: []source{root, m1}, probe: []source{m2}},
		},
		"as long as members are not known, none is missed": {
			observed: observed{identity: "k1", registered: map[string]registered{"": there(here, root), "m1": there(here, m1)}},
			want:     plan{secret: true, apply: []source{root}},
		},
		"a member that is no longer there goes": {
			observed: observed{identity: "k1", membersKnown: true, registered: map[string]registered{"": there(here, root), "m1": there(here, m1)}},
			want:     plan{secret: true, apply: []source{root}, gone: []string{"m1"}},
		},
		"what is being dropped is waited for": {
			observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u1"},
				registered: map[string]registered{"": there(here, root, deleted), "m1": there(here, m1, deleted), "m2": there(here, m2, deleted)}},
			want: plan{secret: true, leaving: []string{"", "m1", "m2"}},
		},
		"an unknown Karmada at the known address gets the new credential, and nothing else happens": {
			observed: observed{membersKnown: true, registered: map[string]registered{"": there(here, root), "m1": there(here, m1)}},
			want:     plan{secret: true},
		},
		"an unknown Karmada at another address gets nothing": {
			observed: observed{registered: map[string]registered{"": there(elsewhere, root)}},
			want:     plan{},
		},
		"the known Karmada at another address is followed there": {
			observed: observed{identity: "k1", membersKnown: true, registered: map[string]registered{"": there(elsewhere, root)}},
			want:     plan{secret: true, apply: []source{root}},
		},
		"another Karmada waits until all of the first has gone": {
			observed: observed{identity: "k2", membersKnown: true, members: map[string]string{"m3": "u3"},
				registered: map[string]registered{"": there(here, root), "m1": there(here, m1), "m2": there(here, m2, deleted)}},
			want: plan{rebuild: true, remove: []string{"", "m1"}, leaving: []string{"m2"}},
		},
		"another Karmada waits for a member of the first even when its control plane has gone": {
			observed: observed{identity: "k2", membersKnown: true, registered: map[string]registered{"m1": there(here, m1, deleted)}},
			want:     plan{rebuild: true, leaving: []string{"m1"}},
		},
		"another member of the same name waits until the first has gone": {
			observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u9", "m2": "u2"},
				registered: map[string]registered{"": there(here, root), "m1": there(here, m1), "m2": there(here, m2)}},
			want: plan{rebuild: true, secret: true, apply: []source{root, m2}, remove: []string{"m1"}},
		},
		"what somebody else made under our name is built anew": {
			observed: observed{identity: "k1", registered: map[string]registered{"": there(here, source{})}},
			want:     plan{rebuild: true, remove: []string{""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.observed.instance, tt.observed.config = asia, &kubeconfig.Credential{Host: here}
			if diff := cmp.Diff(tt.want, decide(tt.observed), cmp.AllowUnexported(plan{}, source{})); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestASourceSurvivesBeingWrittenDown(t *testing.T) {
	for _, want := range []source{{karmada: "k1"}, {cluster: "m1", karmada: "k1", uid: "u1"}} {
		r, err := readRegistered("asia", desired(asia, &kubeconfig.Credential{Host: "https://here"}, want, nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.source, cmp.AllowUnexported(source{})); diff != "" {
			t.Errorf("source (-want +got):\n%s", diff)
		}
	}
}

func TestUpToDate(t *testing.T) {
	config := &kubeconfig.Credential{Host: "https://here", BearerToken: "t", CAData: []byte("ca")}
	root := source{karmada: "k1"}
	for name, tt := range map[string]struct {
		edit func(content map[string]any)
		want bool
	}{
		"as it was written": {func(map[string]any) {}, true},
		"with what others added": {func(c map[string]any) {
			c["spec"].(map[string]any)["syncAllCustomResources"] = false
			c["metadata"].(map[string]any)["labels"].(map[string]any)["team"] = "a"
			c["metadata"].(map[string]any)["finalizers"] = []any{"x"}
			c["status"] = map[string]any{"version": "v1"}
		}, true},
		"on another shard":     {func(c map[string]any) { c["spec"].(map[string]any)["shardingName"] = "eu" }, false},
		"with another address": {func(c map[string]any) { c["spec"].(map[string]any)["apiserver"] = "https://x" }, false},
		"with more to sync": {func(c map[string]any) {
			spec := c["spec"].(map[string]any)
			spec["syncResources"] = append(spec["syncResources"].([]any), map[string]any{"group": "", "resources": []any{"secrets"}})
		}, false},
		"with a credential that is left over": {func(c map[string]any) {
			c["spec"].(map[string]any)["authenticationFrom"].(map[string]any)["cert"] = map[string]any{"name": "x", "key": "cert"}
		}, false},
		"without its mark":  {func(c map[string]any) { delete(c["metadata"].(map[string]any), "annotations") }, false},
		"without a label":   {func(c map[string]any) { delete(c["metadata"].(map[string]any), "labels") }, false},
		"without its owner": {func(c map[string]any) { delete(c["metadata"].(map[string]any), "ownerReferences") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			have := desired(asia, config, root, nil)
			tt.edit(have.Object)
			if got := upToDate(have, desired(asia, config, root, nil)); got != tt.want {
				t.Errorf("want %v, got %v", tt.want, got)
			}
		})
	}
}

func TestTheSecretHoldsOnlyWhatThereIs(t *testing.T) {
	for name, tt := range map[string]struct {
		config *kubeconfig.Credential
		want   map[string][]byte
	}{
		"a client certificate": {
			&kubeconfig.Credential{CAData: []byte("a"), CertData: []byte("c"), KeyData: []byte("k")},
			map[string][]byte{"ca": []byte("a"), "cert": []byte("c"), "key": []byte("k")},
		},
		"a token": {
			&kubeconfig.Credential{BearerToken: "t", CAData: []byte("a")},
			map[string][]byte{"ca": []byte("a"), "token": []byte("t")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, secretData(tt.config)); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNothingThatIsKeptByDefaultIsSecretOrAggregated(t *testing.T) {
	for _, set := range [][]v1alpha1.SyncedResources{controlPlaneResources, controlPlaneAlways, memberResources, memberAlways} {
		for _, r := range set {
			for _, resource := range r.Resources {
				if resource == "secrets" || resource == "*" || r.Group == "cluster.karmada.io" || r.Group == "*" {
					t.Errorf("%s of group %q must not be kept", resource, r.Group)
				}
			}
		}
	}
}

func TestSynced(t *testing.T) {
	always := v1alpha1.SyncedResources{Group: "work.karmada.io", Versions: []string{"v1alpha2"}, Resources: []string{"clusterresourcebindings", "resourcebindings"}}
	for name, tt := range map[string]struct {
		sync                 *v1alpha1.InstanceSync
		controlPlane, member []v1alpha1.SyncedResources
	}{
		"bindings are added at the version that says more": {
			sync: &v1alpha1.InstanceSync{
				Kinds: []v1alpha1.SyncedResources{{Resources: []string{"namespaces"}}, {Group: "work.karmada.io", Resources: []string{"resourcebindings"}}},
			},
			controlPlane: []v1alpha1.SyncedResources{{Resources: []string{"namespaces"}}, {Group: "work.karmada.io", Resources: []string{"resourcebindings"}}, always},
			member:       memberResources,
		},
		"what is there already is not asked for twice": {
			sync: &v1alpha1.InstanceSync{
				Kinds:       []v1alpha1.SyncedResources{{Resources: []string{"pods", "namespaces"}}, always},
				MemberKinds: []v1alpha1.SyncedResources{{Resources: []string{"pods"}}},
			},
			controlPlane: []v1alpha1.SyncedResources{{Resources: []string{"pods", "namespaces"}}, always},
			member:       []v1alpha1.SyncedResources{{Resources: []string{"pods"}}, {Resources: []string{"namespaces"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			controlPlane, member := synced(tt.sync)
			if diff := cmp.Diff(tt.controlPlane, controlPlane); diff != "" {
				t.Errorf("control plane (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.member, member); diff != "" {
				t.Errorf("member (-want +got):\n%s", diff)
			}
		})
	}
}
