package loaders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

func policyOf(t *testing.T, kind model.PolicyKind, spec string) *model.PolicyBody {
	t.Helper()
	p, err := policy.Decode(kind, "asia", fmt.Appendf(nil, `{"metadata":{"namespace":"shop","name":"p"},"spec":%s}`, spec))
	if err != nil {
		t.Fatal(err)
	}
	return p.Body
}

// settings is a ConfigMap that is scheduled to some clusters.
func settings(clusters int) (*subject, map[string]*model.Cluster) {
	ref := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "shop", Name: "settings"}
	s := &subject{object: &model.Object{Ref: ref, Raw: json.RawMessage(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":"settings"},"data":{"a":"b"}}`)},
		binding: &model.ResourceBinding{}}
	members := map[string]*model.Cluster{}
	for i := range clusters {
		name := fmt.Sprintf("c%02d", i)
		members[name] = &model.Cluster{Name: name}
		s.binding.Clusters = append(s.binding.Clusters, model.BindingCluster{ClusterName: name})
	}
	return s, members
}

func limitExceeded(err error) bool {
	var e *model.Error
	return errors.As(err, &e) && e.Code == model.CodeLimitExceeded
}

func TestOneValueInManyClustersIsNotMultipliedWithoutEnd(t *testing.T) {
	s, members := settings(100)
	value := strings.Repeat("x", 1<<20)
	adds := policyOf(t, model.PolicyOverride, `{"overrideRules":[{"overriders":{"plaintext":[{"path":"/data/a","operator":"replace","value":"`+value+`"}]}}]}`)
	compared := func(clusters int) (*overriding, *model.OverridePreviewRow, error) {
		some := *s
		some.binding = &model.ResourceBinding{Clusters: s.binding.Clusters[:clusters]}
		o := &overriding{after: []*model.PolicyBody{adds}, members: members, read: map[*model.PolicyBody]*policy.Overriding{}}
		row, err := o.row(&some)
		return o, row, err
	}
	o, row, err := compared(15)
	if err != nil || len(row.Clusters) != 15 || *row.Clusters[14].Changes[0].To != value {
		t.Fatalf("15 MiB: %v", err)
	}
	if len(o.read) != 1 {
		t.Errorf("overriders are read %d times", len(o.read))
	}
	o, _, err = compared(100)
	if !limitExceeded(err) || !strings.Contains(err.Error(), `more than 16777216 bytes together, up to ConfigMap "shop/settings" in cluster "c15"`) {
		t.Errorf("100 MiB: %v", err)
	}
	if o.bytes > 17<<20 {
		t.Errorf("%d bytes are computed", o.bytes)
	}
}

func TestAPolicyThatIsTooCostlyIsLeftOutAndThatIsSaid(t *testing.T) {
	s, _ := settings(1)
	costly := policyOf(t, model.PolicyPropagation, `{"resourceSelectors":[`+strings.Repeat(`{"apiVersion":"v1","kind":"ConfigMap"},`, policy.MostSelectors)+`{"apiVersion":"v1","kind":"ConfigMap"}]}`)
	p := &placing{specs: map[model.Ref]*propagationSpec{}}
	where, err := p.under(t.Context(), costly, s, false)
	const want = `PropagationPolicy "shop/p" is left out of the preview: it has 1001 resourceSelectors; at most 1000 are allowed.`
	said := func(findings []model.PreviewFinding) bool {
		return len(findings) == 1 && findings[0].Code == model.PreviewIncomplete && findings[0].Message == want
	}
	if err != nil || !samePlace(where.clusters, s.now()) || !said(where.findings) {
		t.Errorf("under it: %+v, %v", where, err)
	}
	changed := policyOf(t, model.PolicyPropagation, `{"resourceSelectors":[{"apiVersion":"v1","kind":"Secret"}]}`)
	changed.Ref.Name = "changed"
	row, err := p.row(t.Context(), &policy.Change{After: changed, Others: []*model.PolicyBody{policy.Bounded(costly)}}, s)
	if err != nil || row.By != nil || !said(row.Findings) {
		t.Errorf("beside it: %+v, %v", row, err)
	}
}

func TestAPreviewOfAPlacementEndsWithItsRequest(t *testing.T) {
	s, _ := settings(1)
	s.binding = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &placing{specs: map[model.Ref]*propagationSpec{}, clusters: []*clusterObject{{}}}
	if _, err := p.under(ctx, policyOf(t, model.PolicyPropagation, `{}`), s, false); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// What a policy writes into a Secret, and what is in it, is not shown.
func TestThePreviewOfASecretShowsNoValues(t *testing.T) {
	s, members := settings(1)
	s.object.Ref.GVK.Kind = "Secret"
	s.object.Raw = json.RawMessage(`{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"shop","name":"settings"},"data":{"old":"b2xkLWh1bnRlcjI=","p":"aHVudGVyMg=="}}`)
	adds := policyOf(t, model.PolicyOverride, `{"overrideRules":[{"overriders":{"plaintext":[{"path":"/data/p","operator":"replace","value":"Y29ycmVjdC1ob3JzZQ=="},{"path":"/data/old","operator":"remove"},
		{"path":"/metadata/labels","operator":"add","value":{"a":"b"}}]}}]}`)
	o := &overriding{after: []*model.PolicyBody{adds}, members: members, read: map[*model.PolicyBody]*policy.Overriding{}}
	row, err := o.row(s)
	if err != nil || len(row.Clusters) != 1 || len(row.Clusters[0].Changes) == 0 {
		t.Fatalf("%+v, %v", row, err)
	}
	told, err := json.Marshal(row.Clusters[0].Changes)
	if err != nil || !strings.Contains(string(told), "/metadata/labels") {
		t.Errorf("%s, %v", told, err)
	}
	for _, secret := range []string{"b2xkLWh1bnRlcjI", "aHVudGVyMg", "Y29ycmVjdC1ob3JzZQ", "hunter2", "correct-horse"} {
		if strings.Contains(string(told), secret) {
			t.Errorf("%s is in %s", secret, told)
		}
	}
}
