package resolvers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// timelinePage is a page as it is answered.
type timelinePage struct {
	Nodes    []struct{ At, Kind, Summary string }
	Withheld []string
	PageInfo struct {
		HasNextPage bool
		EndCursor   string
	}
}

// timelineAsked asks for a page of the timeline of asia's Deployment shop/cart.
func timelineAsked(t *testing.T, u *upstreams, arguments string) (*timelinePage, told) {
	t.Helper()
	id := model.Ref{Instance: "asia", GVK: kinds["Deployment"], Namespace: "shop", Name: "cart"}.ID()
	got := u.ask(t, fmt.Sprintf(`{node(id:%q){...on KubernetesObject{timeline(%s){nodes{at kind actor clusterName summary object{kind name} changes{path}} withheld pageInfo{hasNextPage endCursor}}}}}`, id, arguments), nil)
	var data struct {
		Node *struct{ Timeline *timelinePage }
	}
	raw, err := json.Marshal(got.Data)
	if err != nil || json.Unmarshal(raw, &data) != nil {
		t.Fatalf("%v %v", got.Data, got.Errors)
	}
	if data.Node == nil {
		return nil, got
	}
	return data.Node.Timeline, got
}

func TestATimelineIsToldAsFarAsItMayBeSeen(t *testing.T) {
	for _, tc := range []struct {
		name string
		u    *upstreams
		// audit says that what people did is told.
		audit bool
	}{
		{"an owner", newUpstreams(t), true},
		{"an administrator of an instance", seeing(t, v1alpha1.RoleAdmin, nil), true},
		{"an administrator of the namespace", seeing(t, v1alpha1.RoleAdmin, nil, "shop"), true},
		{"an editor", seeing(t, v1alpha1.RoleEditor, nil), false},
		{"a role that lists it", seeing(t, "lister", []rbacv1.PolicyRule{listing("apps", "deployments"), listing("kairship.io", "auditevents")}, "shop"), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			page, got := timelineAsked(t, tc.u, "first:200")
			if page == nil || len(page.Nodes) == 0 {
				t.Fatalf("%v", got.Errors)
			}
			done := 0
			for _, e := range page.Nodes {
				if e.Kind == "AUDIT" {
					done++
				}
			}
			if (done == 1) != tc.audit || slices.Contains(page.Withheld, "AUDIT") == tc.audit {
				t.Errorf("%d entries of the audit log, and %v is withheld", done, page.Withheld)
			}
		})
	}
}

// policiesWritten is what was done to policies of asia that are gone, the newest first.
func policiesWritten() (out auditedEvents) {
	add := func(kind, namespace, name, action string, selects []model.ResourceSelector) {
		gvk := schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: kind}
		out = append(out, audit.Event{ID: fmt.Sprintf("01920000-0000-7000-8000-%012d", 900-len(out)), At: time.Unix(int64(900-len(out)), 0).UTC(), Principal: "kairship:oidc:ann",
			Action: action, Via: audit.ViaGraphQL, Object: model.Ref{Instance: "asia", GVK: gvk, Namespace: namespace, Name: name}, Outcome: audit.Succeeded, Selects: selects})
	}
	name := "another"
	everything := []model.ResourceSelector{}
	deployments := []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment"}}
	another := []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment", Name: &name}}
	add("OverridePolicy", "shop", "broken", "delete", nil) // through the proxy
	add("OverridePolicy", "shop", "broken", "createPolicy", everything)
	add("PropagationPolicy", "shop", "former", "deletePolicy", deployments)
	add("ClusterOverridePolicy", "", "wide", "deletePolicy", everything)
	add("OverridePolicy", "shop", "of-another", "deletePolicy", another)
	add("OverridePolicy", "shop", "applied", "delete", nil)
	add("OverridePolicy", "vault", "elsewhere", "deletePolicy", everything)
	return append(out, auditedWorld()...)
}

// noted are events of Karmada about asia's Deployment shop/cart and about a member.
const noted = `
{apiVersion: v1, kind: Event, metadata: {namespace: shop, name: cart.2}, type: Normal, reason: ApplyOverridePolicySucceed, message: Apply override policy(shop/applied) for cluster(member-00) succeed.,
  lastTimestamp: "2026-01-01T00:00:00Z", involvedObject: {apiVersion: apps/v1, kind: Deployment, namespace: shop, name: cart, uid: Deployment/cart}}
---
{apiVersion: v1, kind: Event, metadata: {namespace: default, name: member-00.1}, type: Normal, reason: TaintClusterSucceed, message: "Taint cluster succeed: cluster now does not have taints.",
  lastTimestamp: "2026-01-01T00:00:00Z", involvedObject: {apiVersion: cluster.karmada.io/v1alpha1, kind: Cluster, name: member-00, uid: Cluster/member-00}}
---
{apiVersion: v1, kind: Event, metadata: {namespace: default, name: member-00.2}, type: Normal, reason: SyncImpersonationConfigSucceed, message: Sync impersonation config succeed.,
  lastTimestamp: "2026-01-01T00:00:00Z", involvedObject: {apiVersion: cluster.karmada.io/v1alpha1, kind: Cluster, name: member-00, uid: Cluster/member-00}}
---
{apiVersion: v1, kind: Event, metadata: {namespace: default, name: member-07.1}, type: Normal, reason: TaintClusterSucceed, message: "Taint cluster succeed: cluster now does not have taints of another.",
  lastTimestamp: "2026-01-01T00:00:00Z", involvedObject: {apiVersion: cluster.karmada.io/v1alpha1, kind: Cluster, name: member-07, uid: Cluster/member-07}}`

func TestATimelineTellsOfPoliciesThatAreGoneAndOfFaultsThatWereMended(t *testing.T) {
	own := []string{"delete of OverridePolicy broken", "createPolicy of OverridePolicy broken", "deletePolicy of PropagationPolicy former", "delete of OverridePolicy applied"}
	wide := "deletePolicy of ClusterOverridePolicy wide"
	ready := "it was found ready: TaintClusterSucceed: Taint cluster succeed: cluster now does not have taints."
	reading := func(policies ...string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{listing("apps", "deployments", "controllerrevisions"), listing("work.karmada.io", "resourcebindings", "works"), listing("", "events", "pods"),
			listing("kairship.io", "auditevents"), listing("policy.karmada.io", policies...)}
	}
	for _, tc := range []struct {
		name string
		who  *upstreams
		// want is told of policies and members, the newest first.
		want     []string
		withheld []string
	}{
		{"an owner", newUpstreams(t), append([]string{ready}, slices.Insert(slices.Clone(own), 3, wide)...), []string{}},
		{"an administrator of the instance", seeing(t, v1alpha1.RoleAdmin, nil), append([]string{ready}, slices.Insert(slices.Clone(own), 3, wide)...), []string{}},
		{"an administrator of the namespace", seeing(t, v1alpha1.RoleAdmin, nil, "shop"), own, []string{"POLICY"}},
		{"who reads the audit log of the namespace, and one kind of policies", seeing(t, "lister", reading("propagationpolicies"), "shop"), own[2:3], []string{"POLICY"}},
		{"who reads the audit log, and no policies", seeing(t, "lister", reading("clustertaintpolicies"), "shop"), nil, []string{"POLICY"}},
		{"an editor, who may not read the audit log", seeing(t, v1alpha1.RoleEditor, nil), []string{ready}, []string{"AUDIT", "POLICY"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newUpstreamsOf(t, append(world(t), documents(t, pediacluster.OfInstance("asia"), noted)...))
			u.identify, u.audited = tc.who.identify, policiesWritten()
			pages := map[string][]string{}
			var page *timelinePage
			for _, size := range []int{200, 1} {
				after := ""
				for range 200 {
					var got told
					if page, got = timelineAsked(t, u, fmt.Sprintf("first:%d%s", size, after)); page == nil || len(got.Errors) > 0 {
						t.Fatal(got.Errors)
					}
					for _, e := range page.Nodes {
						if strings.Contains(e.Summary, "Policy ") && e.Kind == "POLICY" || strings.Contains(e.Summary, "found") || strings.Contains(e.Summary, "Impersonation") {
							pages[fmt.Sprint(size)] = append(pages[fmt.Sprint(size)], e.Summary)
						}
					}
					if !page.PageInfo.HasNextPage {
						break
					}
					after = fmt.Sprintf(" after:%q", page.PageInfo.EndCursor)
				}
			}
			for size, got := range pages {
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("in pages of %s (-want +got):\n%s", size, diff)
				}
			}
			if len(tc.want) > 0 && len(pages) != 2 {
				t.Errorf("told: %v", pages)
			}
			if diff := cmp.Diff(tc.withheld, page.Withheld); diff != "" {
				t.Errorf("withheld (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThePagesOfATimelineLoseNothing(t *testing.T) {
	u := newUpstreams(t)
	whole, got := timelineAsked(t, u, "first:200")
	if whole == nil || len(whole.Nodes) < 2 {
		t.Fatalf("%+v %v", whole, got.Errors)
	}
	var pages []string
	after := ""
	for range 100 {
		page, got := timelineAsked(t, u, "first:1"+after)
		if page == nil {
			t.Fatal(got.Errors)
		}
		for _, e := range page.Nodes {
			pages = append(pages, e.At+e.Kind+e.Summary)
		}
		if !page.PageInfo.HasNextPage {
			break
		}
		after = fmt.Sprintf(" after:%q", page.PageInfo.EndCursor)
	}
	var want []string
	for _, e := range whole.Nodes {
		want = append(want, e.At+e.Kind+e.Summary)
	}
	if !slices.Equal(pages, want) {
		t.Errorf("page by page: %s\nat once: %s", strings.Join(pages, "\n"), strings.Join(want, "\n"))
	}
	if page, got := timelineAsked(t, u, `first:1 after:"bm9uZQ"`); page != nil || len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeBadUserInput {
		t.Errorf("a foreign cursor is answered %+v %v", page, got.Errors)
	}
}

func TestASearchFindsInstancesClustersAndPeople(t *testing.T) {
	got := newUpstreams(t).ask(t, `{search(text:"a"){instances{nodes{name}} accessBindings{nodes{subject{name}}}} members:search(text:"member-0"){clusters(first:1){nodes{name} totalCount pageInfo{hasNextPage}}}}`, nil)
	raw, err := json.Marshal(got.Data)
	if err != nil || len(got.Errors) > 0 {
		t.Fatal(err, got.Errors)
	}
	for _, part := range []string{`{"name":"asia"}`, `"subject"`, `{"name":"member-00"}`, `"hasNextPage":true`} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("%s is not in %s", part, raw)
		}
	}
}
