package actions

import (
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/member"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestOnlyAdminsOfTheWholeInstanceJoinAndRemoveClusters(t *testing.T) {
	for _, tc := range []struct {
		who, instance string
		allowed       bool
	}{{"olga", "asia", true}, {"ada", "asia", true}, {"ada", "europe", false}, {"nick", "asia", false}, {"ed", "asia", false}, {"vera", "asia", false}} {
		ctx := of(t, rolesOf(), tc.who)
		call := &Call{Scope: rbac.ScopeFrom(ctx), Target: Target{Ref: model.Ref{Instance: tc.instance}}}
		for verb, err := range map[string]error{
			"joinCluster": (&JoinCluster{Instance: tc.instance}).Allowed(call), "unjoinCluster": (&UnjoinCluster{}).Allowed(call),
		} {
			if e := (*model.Error)(nil); (err == nil) != tc.allowed || err != nil && (!errors.As(err, &e) || e.Code != model.CodeForbidden) {
				t.Errorf("%s by %s in %s: %v", verb, tc.who, tc.instance, err)
			}
		}
	}
}

func TestTheInputOfAJoiningIsChecked(t *testing.T) {
	good := func() *JoinCluster {
		return &JoinCluster{Instance: "asia", Name: "osaka", Mode: model.SyncPush, Kubeconfig: "x", TokenMinutes: 60}
	}
	if _, err := good().spec(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		field  string
		change func(*JoinCluster)
	}{
		{"name", func(a *JoinCluster) { a.Name = "Osaka" }},
		{"name", func(a *JoinCluster) { a.Name = strings.Repeat("a", 49) }},
		{"kubeconfig", func(a *JoinCluster) { a.Kubeconfig = "" }},
		{"kubeconfig", func(a *JoinCluster) { a.Mode = model.SyncPull }},
		{"labels", func(a *JoinCluster) {
			a.Mode, a.Kubeconfig, a.Labels = model.SyncPull, "", []model.KeyValue{{Key: "a", Value: "b"}}
		}},
		{"taints", func(a *JoinCluster) {
			a.Mode, a.Kubeconfig, a.Taints = model.SyncPull, "", []model.Taint{{Key: "a"}}
		}},
		{"tokenMinutes", func(a *JoinCluster) { a.TokenMinutes = 4 }},
		{"tokenMinutes", func(a *JoinCluster) { a.TokenMinutes = 1441 }},
		{"region", func(a *JoinCluster) { a.Region = "a b" }},
		{"provider", func(a *JoinCluster) { a.Provider = strings.Repeat("a", 64) }},
		{"zones", func(a *JoinCluster) { a.Zones = []string{""} }},
		{"zones", func(a *JoinCluster) { a.Zones = make([]string, 33) }},
		{"labels", func(a *JoinCluster) { a.Labels = []model.KeyValue{{Key: "no key", Value: "b"}} }},
		{"labels", func(a *JoinCluster) { a.Labels = make([]model.KeyValue, 65) }},
		{"taints", func(a *JoinCluster) { a.Taints = []model.Taint{{Key: "a/b/c", Effect: model.TaintNoExecute}} }},
	} {
		a := good()
		tc.change(a)
		_, err := a.spec()
		if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeBadUserInput || len(e.Field) != 1 || e.Field[0] != tc.field {
			t.Errorf("%+v: error %v, want one about %s", a, err, tc.field)
		}
	}
}

// holding is a fleet in which a cluster is held, or not.
type holding struct {
	fleet
	why   string
	err   error
	asked *[]string
}

func (h holding) Unjoinable(_ rbac.Scope, instance, name, id string) (string, error) {
	*h.asked = append(*h.asked, instance+" "+name+" "+id)
	return h.why, h.err
}

// A dry run of a joining says what would end the real one: the cluster answers, and is held already, or what it would be called is taken. It leaves nothing.
func TestADryRunOfAJoiningLooksForDuplicates(t *testing.T) {
	r, server := serving(t, testenv.KarmadaDefinitions)
	ctx := t.Context()
	var system corev1.Namespace
	testenv.Eventually(t, func() string {
		if err := server.Client.Get(ctx, client.ObjectKey{Name: metav1.NamespaceSystem}, &system); err != nil {
			return err.Error()
		}
		return ""
	})
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: member.Namespace}},
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: member.Namespace, Name: "kobe-impersonator"}},
	} {
		if err := server.Client.Create(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		cluster string
		fleet   holding
		want    string
	}{
		"a new cluster":         {"osaka", holding{}, ""},
		"one that is held":      {"osaka", holding{why: "that cluster is joined already"}, "CONFLICT input.kubeconfig: kubeconfig: that cluster is joined already"},
		"when nobody knows":     {"osaka", holding{err: &model.Error{Code: model.CodeUnavailable}}, "UNAVAILABLE"},
		"credentials of a name": {"kobe", holding{}, "CONFLICT input.name: name: " + member.SecretTaken("kobe-impersonator")},
	} {
		var asked []string
		tc.fleet.asked = &asked
		r.Fleet = tc.fleet
		var got string
		testenv.Eventually(t, func() string { // a busy machine has not answered in time
			asked = nil
			_, problems, err := Run(ann(t), r, &JoinCluster{Instance: "asia", Name: tc.cluster, Mode: model.SyncPush, Kubeconfig: string(server.Kubeconfig(t)), TokenMinutes: 60, DryRun: true}, nil)
			if got = said(rolesOf(), problems, err); got == string(model.CodeTimeout) {
				return "it does not answer in time"
			}
			if len(problems) > 0 {
				got += ": " + problems[0].Message
			}
			return ""
		})
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if want := "asia " + tc.cluster + " " + string(system.UID); len(asked) != 1 || asked[0] != want {
			t.Errorf("%s: it is asked who holds %q, want %q", name, asked, want)
		}
	}
}

func TestWhatIsPlacedIsCountedByKindAndNamed(t *testing.T) {
	p := &karmada.Placed{Others: 3, Objects: []karmada.PlacedObject{
		{Namespace: "shop", Binding: "cart-v2-deployment"}, {Namespace: "shop", Binding: "cart-service"}, {Namespace: "shop", Binding: "web-deployment"}, {Binding: "fast-storageclass"}}}
	got := placedModel(p)
	if got.Total != 4 || got.Others != 3 || got.Kinds[0] != (model.PlacedKind{Kind: "deployment", Count: 2}) || len(got.Kinds) != 3 {
		t.Errorf("%+v", got)
	}
	if o := got.Objects[0]; o.Kind != "deployment" || o.Name != "cart-v2" || *o.Namespace != "shop" || got.Objects[3].Namespace != nil {
		t.Errorf("%+v", got.Objects)
	}
}

func TestTheObjectOfAPromotionIsNamedWholly(t *testing.T) {
	for field, a := range map[string]*PromoteResource{
		"apiVersion": {Instance: "asia", Cluster: "hangzhou", APIVersion: "a/b/c", Kind: "Deployment", Name: "cart"},
		"kind":       {Instance: "asia", Cluster: "hangzhou", APIVersion: "apps/v1", Kind: "no kind", Name: "cart"},
		"name":       {Instance: "asia", Cluster: "hangzhou", APIVersion: "apps/v1", Kind: "Deployment"},
		"cluster":    {Instance: "asia", APIVersion: "apps/v1", Kind: "Deployment", Name: "cart"},
		"namespace":  {Instance: "asia", Cluster: "hangzhou", APIVersion: "apps/v1", Kind: "Deployment", Name: "cart", Namespace: strings.Repeat("a", 254)},
	} {
		_, err := a.Target(auth.Principal{})
		if e := (*model.Error)(nil); !errors.As(err, &e) || len(e.Field) != 1 || e.Field[0] != field {
			t.Errorf("%s: error %v", field, err)
		}
	}
}
