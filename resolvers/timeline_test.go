package resolvers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
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
