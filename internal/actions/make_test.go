package actions

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// apiServer stands in for the API server of an instance: it makes what it is sent, unless it is told to refuse it.
type apiServer struct {
	*httptest.Server
	// refuses returns the status and the Status that answer a request, or 0.
	refuses func(request string) (int, string)
	// holds is what it has, by the end of its path.
	holds map[string]string

	mu    sync.Mutex
	asked []string
	sent  []string
}

func newAPIServer(t *testing.T) *apiServer {
	t.Helper()
	s := &apiServer{refuses: func(string) (int, string) { return 0, "" }}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, place, _ := strings.Cut(r.URL.Path, "/shop/")
	if r.Method == http.MethodGet {
		for end, object := range s.holds {
			if strings.HasSuffix(r.URL.Path, end) {
				_, _ = w.Write([]byte(object))
				return
			}
		}
		if !strings.HasSuffix(r.URL.Path, "/version") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind":"Status","status":"Failure","reason":"NotFound","code":404,"details":{"name":"x"}}`))
			return
		}
		_, _ = w.Write([]byte(`{}`))
		return
	}
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	request := r.Method + " " + place
	if r.URL.Query().Get("dryRun") != "" {
		request = "try " + request
	}
	s.mu.Lock()
	s.asked = append(s.asked, request)
	sent, _ := json.Marshal(body)
	s.sent = append(s.sent, string(sent))
	s.mu.Unlock()
	if code, status := s.refuses(request); code != 0 {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(status))
		return
	}
	if r.Method == http.MethodDelete {
		_, _ = w.Write([]byte(`{"kind":"Status","status":"Success"}`))
		return
	}
	metadata := body["metadata"].(map[string]any)
	metadata["uid"], metadata["resourceVersion"], metadata["creationTimestamp"] = "u-1", "1", "2026-01-01T00:00:00Z"
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(body)
}

func (s *apiServer) Instance() string { return "asia" }

func (s *apiServer) As(auth.Principal) (*rest.Config, error) {
	return &rest.Config{Host: s.URL}, nil
}

func (s *apiServer) Mapper() meta.ResettableRESTMapper { return nil }

func status(reason string, code int, message, details string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"code":%d,"message":%q,"details":%s}`, reason, code, message, details)
}

func replicas(n int32) *int32 { return &n }

// aWorkload is a workload with both policies.
func aWorkload() *CreateWorkload {
	return &CreateWorkload{Instance: "asia", Kind: model.KindDeployment, Namespace: "shop", Name: "cart",
		Form:      map[string]any{"containers": []any{map[string]any{"name": "cart", "image": "cart:1"}}},
		Overrides: []WorkloadOverride{{Clusters: []string{"tokyo"}, Replicas: replicas(1)}}, Clusters: []string{"tokyo"}, Dependencies: true}
}

func TestWhatIsMadeTogether(t *testing.T) {
	const override, propagation, workload = "overridepolicies", "propagationpolicies", "deployments"
	tried := []string{"try POST " + override, "try POST " + propagation, "try POST " + workload}
	madeAll := append(append([]string{}, tried...), "POST "+override, "POST "+propagation, "POST "+workload)
	invalid := status("Invalid", 422, "it is invalid", `{"name":"cart","causes":[{"field":"spec.template.spec.containers[0].image","message":"Required value"},{"field":"spec.replicas","message":"Invalid value"},{"field":"spec.template.spec.overhead","message":"no"}]}`)
	for _, tc := range []struct {
		name    string
		dry     bool
		refused string
		code    int
		status  string
		asked   []string
		// outcomes are those of the objects, problems the codes and fields of the user errors.
		outcomes, problems string
		message            string
	}{
		{"all is made", false, "", 0, "", madeAll, "CREATED CREATED CREATED", "", ""},
		{"all is tried", true, "", 0, "", tried, "CREATED CREATED CREATED", "", ""},
		{"the workload is invalid", false, "try POST " + workload, 422, invalid, tried, "SKIPPED SKIPPED FAILED",
			"BAD_USER_INPUT input.form.containers.0.image, BAD_USER_INPUT input.form.replicas, BAD_USER_INPUT input.form", "Required value"},
		{"an override that is no Editor's", false, "try POST " + override, 403, status("Forbidden", 403, "overriders.plaintext[].path: may not be changed", "{}"), tried[:1],
			"FAILED SKIPPED SKIPPED", "FORBIDDEN input.overrides", "may not be changed"},
		{"a policy of that name", false, "try POST " + propagation, 409, status("AlreadyExists", 409, "it already exists", "{}"), tried[:2],
			"SKIPPED FAILED SKIPPED", "CONFLICT input.placement", "it already exists"},
		{"a workload of that name", false, "try POST " + workload, 409, status("AlreadyExists", 409, "it already exists", "{}"), tried, "SKIPPED SKIPPED FAILED", "CONFLICT input.name", ""},
		{"a namespace that is not there", false, "try POST " + override, 404, status("NotFound", 404, `namespaces "shop" not found`, `{"name":"shop","kind":"namespaces"}`), tried[:1],
			"FAILED SKIPPED SKIPPED", "NOT_FOUND input.namespace", ""},
		{"the workload is refused when all else is there", false, "POST " + workload, 403, status("Forbidden", 403, "exceeded quota: pods", "{}"),
			append(append([]string{}, madeAll...), "DELETE "+propagation+"/cart-deployment", "DELETE "+override+"/cart-deployment"),
			"FAILED FAILED FAILED", "LIMIT_EXCEEDED ", "exceeded quota"},
		{"nobody knows what became of the workload", false, "POST " + workload, 504, status("Timeout", 504, "", "{}"), madeAll, "CREATED CREATED FAILED",
			"TIMEOUT ", `OverridePolicy "cart-deployment" was made and stays; PropagationPolicy "cart-deployment" was made and stays`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := newAPIServer(t)
			server.refuses = func(request string) (int, string) {
				if request == tc.refused {
					return tc.code, tc.status
				}
				return 0, ""
			}
			log, r := start(t)
			r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return server, nil }
			a := aWorkload()
			a.DryRun = tc.dry
			out, problems, err := Run(ann(t), r, a, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.asked, server.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			var outcomes, got, messages []string
			for _, o := range out.Objects {
				outcomes = append(outcomes, string(o.Outcome))
			}
			for _, p := range problems {
				got = append(got, p.Code+" "+strings.Join(p.Field, "."))
				messages = append(messages, p.Message)
			}
			if strings.Join(outcomes, " ") != tc.outcomes || strings.Join(got, ", ") != tc.problems || !strings.Contains(strings.Join(messages, "\n"), tc.message) {
				t.Errorf("%s; %q: %q", outcomes, got, messages)
			}
			if (out.Workload != nil) != (tc.problems == "") || (out.Policy != nil) != strings.HasPrefix(tc.outcomes, "CREATED CREATED") {
				t.Errorf("told of %v, %v, %v", out.Workload, out.OverridePolicy, out.Policy)
			}
			for _, e := range log(t) {
				want := tc.problems == ""
				if succeeded := e.Outcome == "SUCCEEDED"; succeeded != want && (!succeeded || !strings.HasSuffix(e.Object.GVK.Kind, "Policy")) {
					t.Errorf("recorded as %+v", e)
				}
			}
		})
	}
}

// What was made is told again to who sends it again.
func TestWhatWasMadeTogetherIsToldAgain(t *testing.T) {
	server := newAPIServer(t)
	_, r := start(t)
	r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return server, nil }
	a := aWorkload()
	out, _, err := Run(ann(t), r, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(a.Kept(out))
	if err != nil {
		t.Fatal(err)
	}
	server.holds = map[string]string{"/deployments/cart": `{"metadata":{"namespace":"shop","name":"cart","uid":"u-1","resourceVersion":"9","creationTimestamp":"2026-01-01T00:00:00Z"}}`}
	call := &Call{Runner: r, Target: Target{Ref: model.Ref{Instance: "asia"}}, Viewer: rbac.PrincipalFrom(ann(t)), Scope: rbac.ScopeFrom(ann(t))}
	again, err := a.Again(ann(t), call, raw)
	if err != nil || again.Workload == nil || again.Workload.Meta().ResourceVersion != "9" || again.Policy != nil || len(again.Objects) != 3 {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestOverridesOfAWorkload(t *testing.T) {
	object := map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
		"containers":     []any{map[string]any{"name": "log"}, map[string]any{"name": "web", "env": []any{map[string]any{"name": "A", "value": "a"}}}},
		"initContainers": []any{map[string]any{"name": "begin"}},
	}}}}
	members := membership{"asia", map[string]bool{"tokyo": true, "singapore": true}}
	image := func(s string) *string { return &s }
	rules, err := overrideRules(model.KindDeployment, object, []WorkloadOverride{{
		Clusters: []string{"tokyo"}, Replicas: replicas(2), Labels: []model.KeyValue{{Key: "where", Value: "tokyo"}}, Annotations: []model.KeyValue{{Key: "why", Value: "near"}},
		Containers: []ContainerOverride{
			{Name: "web", Image: image("web:tokyo"), Form: map[string]any{"args": []any{"a"}, "env": []any{map[string]any{"name": "B", "value": "b"}}}},
			{Name: "begin", Image: image("begin:tokyo")},
		},
	}}, members)
	if err != nil {
		t.Fatal(err)
	}
	add := func(path string, value any) any {
		return map[string]any{"path": path, "operator": "add", "value": value}
	}
	want := []any{map[string]any{"targetCluster": map[string]any{"clusterNames": []any{"tokyo"}}, "overriders": map[string]any{
		"labelsOverrider":      []any{map[string]any{"operator": "add", "value": map[string]any{"where": "tokyo"}}},
		"annotationsOverrider": []any{map[string]any{"operator": "add", "value": map[string]any{"why": "near"}}},
		"plaintext": []any{
			add("/spec/replicas", int64(2)), add("/spec/template/spec/containers/1/image", "web:tokyo"), add("/spec/template/spec/containers/1/args", []any{"a"}),
			add("/spec/template/spec/containers/1/env", []any{map[string]any{"name": "A", "value": "a"}, map[string]any{"name": "B", "value": "b"}}),
			add("/spec/template/spec/initContainers/0/image", "begin:tokyo"),
		}}}}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	tokyo := []string{"tokyo"}
	for _, tc := range []struct {
		kind     model.WorkloadKind
		override WorkloadOverride
		field    string
	}{
		{model.KindDeployment, WorkloadOverride{}, "overrides.0.clusters"},
		{model.KindDeployment, WorkloadOverride{Clusters: []string{"tokyo", "atlantis"}}, "overrides.0.clusters.1"},
		{model.KindDeployment, WorkloadOverride{Clusters: []string{"tokyo", "tokyo"}}, "overrides.0.clusters.1"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo}, "overrides.0"},
		{model.KindDaemonSet, WorkloadOverride{Clusters: tokyo, Replicas: replicas(1)}, "overrides.0.replicas"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo, Replicas: replicas(-1)}, "overrides.0.replicas"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo, Labels: []model.KeyValue{{Key: "karmada.io/managed"}}}, "overrides.0.labels.0.key"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo, Containers: []ContainerOverride{{Name: "none", Image: image("a")}}}, "overrides.0.containers.0.name"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo, Containers: []ContainerOverride{{Name: "web", Image: image("a b")}}}, "overrides.0.containers.0.image"},
		{model.KindDeployment, WorkloadOverride{Clusters: tokyo, Containers: []ContainerOverride{{Name: "web", Form: map[string]any{"resources": map[string]any{"limits": []any{map[string]any{"key": "cpu", "value": "much"}}}}}}},
			"overrides.0.containers.0.resources.limits.0.value"},
	} {
		_, err := overrideRules(tc.kind, object, []WorkloadOverride{tc.override}, members)
		problems, _ := userErrors(nil, Target{}, nil, err)
		if len(problems) != 1 || strings.Join(problems[0].Field, ".") != "input."+tc.field {
			t.Errorf("%+v: %v", tc.override, problems)
		}
	}
	if _, err := overrideRules(model.KindDeployment, object, make([]WorkloadOverride, maxOverrides+1), members); err == nil {
		t.Error("any number of overrides is taken")
	}
	both := []string{"singapore", "tokyo"}
	webIs := func(tag string) []ContainerOverride { return []ContainerOverride{{Name: "web", Image: image(tag)}} }
	for field, overrides := range map[string][]WorkloadOverride{
		"overrides.1.replicas":           {{Clusters: tokyo, Replicas: replicas(1)}, {Clusters: both, Replicas: replicas(2)}},
		"overrides.1.labels.0.key":       {{Clusters: both, Labels: []model.KeyValue{{Key: "a"}}}, {Clusters: tokyo, Labels: []model.KeyValue{{Key: "a", Value: "b"}}}},
		"overrides.2.containers.0.image": {{Clusters: tokyo, Containers: webIs("a")}, {Clusters: []string{"singapore"}, Containers: webIs("b")}, {Clusters: both, Containers: webIs("c")}},
		"":                               {{Clusters: tokyo, Replicas: replicas(1)}, {Clusters: []string{"singapore"}, Replicas: replicas(2)}, {Clusters: both, Containers: webIs("c")}},
	} {
		_, err := overrideRules(model.KindDeployment, object, overrides, members)
		switch problems, _ := userErrors(nil, Target{}, nil, err); {
		case field == "" && err != nil:
			t.Error(err)
		case field != "" && (len(problems) != 1 || strings.Join(problems[0].Field, ".") != "input."+field || !strings.Contains(problems[0].Message, "is set by overrides.0, too")):
			t.Errorf("%s: %v", field, problems)
		}
	}
}

func TestAServiceIsMadeOfItsInput(t *testing.T) {
	const deployment = `{"metadata":{"namespace":"shop","name":"cart","annotations":{"propagationpolicy.karmada.io/namespace":"shop","propagationpolicy.karmada.io/name":"everywhere"}},
		"spec":{"selector":{"matchLabels":{"app":"cart"}},"template":{"metadata":{"labels":{"app":"cart","tier":"web"}}}}}`
	id := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}.ID()
	elsewhere := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "other", Name: "cart"}.ID()
	free := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "free"}.ID()
	port := []ServicePort{{Port: 80, TargetPort: "http", Protocol: model.ProtocolTCP}}
	app := []model.KeyValue{{Key: "app", Value: "x"}}
	const follows = `"placement":{"clusterAffinity":{"clusterNames":["tokyo"]}}`
	for _, tc := range []struct {
		name   string
		action CreateService
		// policy and service are parts of what is sent; without them the input is refused at field.
		policy, service, field string
	}{
		{"for a workload", CreateService{Workload: id, Ports: port, Propagate: true}, follows, `"selector":{"app":"cart"}`, ""},
		{"for named clusters", CreateService{Clusters: []string{"tokyo"}, Selector: app, Ports: port, Propagate: true}, follows, `"ports":[{"port":80,"protocol":"TCP","targetPort":"http"}]`, ""},
		{"without a policy", CreateService{Selector: app, Ports: port}, "", `"selector":{"app":"x"}`, ""},
		{"without an address", CreateService{Selector: app, Headless: true}, "", `"clusterIP":"None"`, ""},
		{"another name", CreateService{Type: model.ServiceExternalName, ExternalName: "example.com"}, "", `"externalName":"example.com"`, ""},
		{"a number as target", CreateService{Selector: app, Ports: []ServicePort{{Port: 80, TargetPort: "8080", Protocol: model.ProtocolUDP, NodePort: replicas(30080)}}, Type: model.ServiceNodePort}, "",
			`"ports":[{"nodePort":30080,"port":80,"protocol":"UDP","targetPort":8080}]`, ""},
		{"nowhere to go", CreateService{Selector: app, Ports: port, Propagate: true}, "", "", "clusters"},
		{"a cluster that is not there", CreateService{Selector: app, Ports: port, Propagate: true, Clusters: []string{"atlantis"}}, "", "", "clusters.0"},
		{"clusters without a policy", CreateService{Selector: app, Ports: port, Clusters: []string{"tokyo"}}, "", "", "clusters"},
		{"nothing to send to", CreateService{Ports: port}, "", "", "selector"},
		{"a workload of another namespace", CreateService{Workload: elsewhere, Ports: port}, "", "", "workload"},
		{"a workload that is not there", CreateService{Workload: model.Ref{Instance: "asia", GVK: model.KindJob.GVK(), Namespace: "shop", Name: "none"}.ID(), Ports: port}, "", "", "workload"},
		{"a workload that no policy claims", CreateService{Workload: free, Ports: port, Propagate: true}, "", "", "workload"},
		{"no port", CreateService{Selector: app}, "", "", "ports"},
		{"too many ports", CreateService{Selector: app, Ports: make([]ServicePort, maxPorts+1)}, "", "", "ports"},
		{"no name to stand for", CreateService{Type: model.ServiceExternalName}, "", "", "externalName"},
		{"a name to stand for", CreateService{Selector: app, Ports: port, ExternalName: "example.com"}, "", "", "externalName"},
		{"a port of each node without an address", CreateService{Selector: app, Ports: port, Type: model.ServiceNodePort, Headless: true}, "", "", "headless"},
		{"a name that is none", CreateService{Name: "1", Selector: app, Ports: port}, "", "", "name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := newAPIServer(t)
			server.holds = map[string]string{
				"/deployments/cart": deployment, "/deployments/free": `{"metadata":{"namespace":"shop","name":"free"},"spec":{"template":{"metadata":{"labels":{"a":"b"}}}}}`,
				"/propagationpolicies/everywhere": `{"spec":{"placement":{"clusterAffinity":{"clusterNames":["tokyo"]},"replicaScheduling":{"replicaSchedulingType":"Divided"}}}}`,
			}
			_, r := start(t)
			r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return server, nil }
			a := tc.action
			a.Instance, a.Namespace = "asia", "shop"
			if a.Name == "" {
				a.Name = "cart"
			}
			if a.Type == "" {
				a.Type = model.ServiceClusterIP
			}
			out, problems, err := Run(ann(t), r, &a, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tc.field != "" {
				if len(problems) != 1 || strings.Join(problems[0].Field, ".") != "input."+tc.field || len(server.asked) > 0 {
					t.Errorf("%v, asked %s", problems, server.asked)
				}
				return
			}
			if len(problems) > 0 || out.Service == nil || (out.Policy != nil) != (tc.policy != "") {
				t.Fatalf("%+v, %v", out, problems)
			}
			if last := server.sent[len(server.sent)-1]; !strings.Contains(last, tc.service) {
				t.Errorf("no %s in %s", tc.service, last)
			}
			if tc.policy != "" {
				if sent := server.sent[len(server.sent)-2]; !strings.Contains(sent, tc.policy) || !strings.Contains(sent, `"resourceSelectors":[{"apiVersion":"v1","kind":"Service","name":"cart","namespace":"shop"}]`) ||
					strings.Contains(sent, "Divided") || server.asked[len(server.asked)-2] != "POST propagationpolicies" {
					t.Errorf("the policy is %s", sent)
				}
			}
		})
	}
}

// The form is asked of what the API server holds now, and errors point at it.
func TestAFormThatIsWrongChangesNothing(t *testing.T) {
	server := newAPIServer(t)
	server.holds = map[string]string{"/deployments/cart": `{"metadata":{"namespace":"shop","name":"cart","uid":"u-1","resourceVersion":"7"},"spec":{"replicas":1}}`}
	server.refuses = func(string) (int, string) {
		return 422, status("Invalid", 422, "it is invalid", `{"name":"cart","causes":[{"field":"spec.replicas","message":"Invalid value: -1"}]}`)
	}
	id := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}.ID()
	for _, tc := range []struct {
		form  map[string]any
		field string
		asked int
	}{
		{map[string]any{"replicas": int64(-1)}, "input.form.replicas", 1},
		{map[string]any{"schedule": "x"}, "input.form.schedule", 0},
		{map[string]any{"restartPolicy": "x"}, "input.form.restartPolicy", 0},
	} {
		_, r := start(t)
		r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return server, nil }
		server.asked = nil
		out, problems, err := Run(ann(t), r, &UpdateWorkload{OnWorkload: OnWorkload{ID: id}, ResourceVersion: "7", Form: tc.form}, nil)
		if err != nil || len(problems) != 1 || strings.Join(problems[0].Field, ".") != tc.field || len(server.asked) != tc.asked || out.Workload != nil {
			t.Errorf("%v: %v, %v, asked %s", tc.form, problems, err, server.asked)
		}
	}
}

// A manifest that somebody wrote lacks what Karmada keeps on a policy, by which it knows what the policy claims: it stays.
func TestAPolicyByManifestKeepsWhatKarmadaWroteOnIt(t *testing.T) {
	server := newAPIServer(t)
	server.holds = map[string]string{"/propagationpolicies/cart": `{"apiVersion":"policy.karmada.io/v1alpha1","kind":"PropagationPolicy","metadata":{"namespace":"shop","name":"cart","uid":"u-1","resourceVersion":"7",
		"labels":{"propagationpolicy.karmada.io/permanent-id":"p-1","team":"red"},"annotations":{"note":"x"}},"spec":{"priority":1,"resourceSelectors":[]}}`}
	_, r := start(t)
	r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return server, nil }
	ref := model.Ref{Instance: "asia", GVK: model.PolicyPropagation.GVK(), Namespace: "shop", Name: "cart"}
	manifest := `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: cart, labels: {tier: web}, annotations: {note: x}}, spec: {priority: 2, resourceSelectors: []}}`
	_, problems, err := Run(ann(t), r, &UpdatePolicy{OnResource: OnResource{ID: ref.ID()}, ResourceVersion: "7", Manifest: &manifest}, nil)
	if err != nil || len(problems) > 0 || len(server.sent) != 1 {
		t.Fatalf("%v, %v, asked %s", problems, err, server.asked)
	}
	want := `{"metadata":{"labels":{"team":null,"tier":"web"},"resourceVersion":"7","uid":"u-1"},"spec":{"priority":2}}`
	var got, wanted map[string]any
	if err := errors.Join(json.Unmarshal([]byte(server.sent[0]), &got), json.Unmarshal([]byte(want), &wanted)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("the patch (-want +got):\n%s", diff)
	}
}
