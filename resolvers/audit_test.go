package resolvers_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/gqlerror"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/execution"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/telemetry/request"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
)

// changing is a server to which people send mutations, and what its audit keeps of them.
type changing struct {
	*process
	server   http.Handler
	issued   *kubeconfigs
	recorder *audit.Recorder
	log      bytes.Buffer

	mu     sync.Mutex
	events []audit.Event
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	c := &changing{process: &process{upstreams: newUpstreams(t), behind: newBehind(t)}, issued: &kubeconfigs{}}
	version := "v1.18.0" // the agent of a cluster that registers itself is to be of it
	c.known["asia"].KarmadaVersion = &version
	c.recorder = audit.NewRecorder(c, audit.RecorderOptions{Logger: slog.New(slog.NewJSONHandler(&c.log, nil)), Linger: time.Millisecond})
	t.Cleanup(func() { c.recorded(t) })
	c.serve(&actions.Runner{Connect: c.written, Kubeconfigs: c.issued})
	return c
}

func (c *changing) serve(runner *actions.Runner) {
	runner.Fleet, runner.Audit, runner.Via = c, c.recorder, audit.ViaGraphQL
	authorizer := rbac.NewAuthorizer([]string{"kairship:oidc:operators"})
	authorizer.SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{ObjectMeta: metav1.ObjectMeta{Name: "bobs", UID: "the-one-meant"}, Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:bob"}, Role: v1alpha1.RoleViewer, Scope: v1alpha1.AccessScope{Instance: "asia"}}}}, nil))
	given := &roles{authorizer, c.behind}
	hosted := newHosted(given)
	runner.Access, runner.Instances, runner.Operations = given, hosted, hosted
	server := handler.New(graph.NewExecutableSchema(graph.Config{Resolvers: &resolvers.Resolver{Fleet: c, Actions: runner, Bindings: authorizer, Operations: hosted}}))
	server.AddTransport(transport.POST{})
	server.AroundFields(resolvers.Tell)
	server.Use(execution.Selections{})
	server.SetRecoverFunc(func(context.Context, any) error { return &model.Error{Code: model.CodeInternal} })
	server.SetErrorPresenter(func(ctx context.Context, err error) *gqlerror.Error {
		out := graphql.DefaultErrorPresenter(ctx, err)
		out.Extensions = map[string]any{"code": codeOf(err)}
		return out
	})
	c.server = server
}

// AppendAudit keeps events; see audit.Appender.
func (c *changing) AppendAudit(_ context.Context, events []audit.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, events...)
	return nil
}

// recorded is all that the audit keeps, once nothing more is done.
func (c *changing) recorded(t *testing.T) []audit.Event {
	t.Helper()
	if err := c.recorder.Close(context.Background()); err != nil {
		t.Error(err)
	}
	return c.events
}

// mutate sends a mutation as one of people.
func (c *changing) mutate(t *testing.T, who, field string) told {
	t.Helper()
	return c.query(t, who, "mutation{"+field+"}")
}

// query sends a document as one of people.
func (c *changing) query(t *testing.T, who, document string) told {
	t.Helper()
	known, authorizer := rightsOfPeople()
	ctx := request.NewContext(t.Context(), request.Info{ID: "request-1", Remote: "192.0.2.7", UserAgent: "a-browser"})
	ctx = loaders.Source{Fleet: c, Store: c.store.client(), KubeAPI: c.upstreams}.NewContext(authorizer.NewContext(ctx, known[who]))
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	c.server.ServeHTTP(answer, r)
	var out told
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil {
		t.Fatalf("decoding %s: %v", answer.Body, err)
	}
	return out
}

// inAsia is the id of an object of asia.
func inAsia(group, version, kind, namespace, name string) string {
	return strconv.Quote(model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: group, Version: version, Kind: kind}, Namespace: namespace, Name: name}.ID())
}

const aPolicy = `{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: cart}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]}}`

// special are mutations that need more to work than the fields that their input requires.
var special = func() map[string]string {
	policy, cluster := inAsia("policy.karmada.io", "v1alpha1", "PropagationPolicy", "shop", "cart"), strconv.Quote(model.ClusterID("asia", "member-00"))
	out := map[string]string{
		"issueKubeconfig": `issueKubeconfig(input:{instance:"asia"}){kubeconfig userErrors{code message}}`,
	}
	for name, input := range map[string]string{
		"applyManifests":        `instance:"asia", manifests:"{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: prices}}"`,
		"resumeWorkload":        `id:` + inAsia("apps", "v1", "Deployment", "shop", "paused"),
		"rollbackWorkload":      `revision:"1", id:` + inAsia("apps", "v1", "Deployment", "shop", "cart"),
		"suspendCronJob":        `id:` + inAsia("batch", "v1", "CronJob", "shop", "cart"),
		"rerunJob":              `id:` + inAsia("batch", "v1", "Job", "shop", "cart"),
		"patchResource":         `patch:"{metadata: {labels: {a: b}}}", id:` + inAsia("", "v1", "ConfigMap", "shop", "cart"),
		"deleteNamespace":       `id:` + inAsia("", "v1", "Namespace", "", "shop") + `, cascade:true`,
		"createPolicy":          `instance:"asia", manifest:"` + aPolicy + `"`,
		"updatePolicy":          `resourceVersion:"7", manifest:"` + aPolicy + `", id:` + policy,
		"deletePolicy":          `id:` + policy,
		"createKarmadaResource": `instance:"asia", clusterTaintPolicy:{name:"down", taints:[{key:"a", effect:NO_SCHEDULE}]}`,
		"updateKarmadaResource": `resourceVersion:"7", federatedHPA:{maxReplicas:9}, id:` + inAsia("autoscaling.karmada.io", "v1alpha1", "FederatedHPA", "shop", "cart"),
		"updateCluster":         `labels:[{key:"a", value:"b"}], id:` + cluster,
		"setClusterSchedulable": `schedulable:false, id:` + cluster,
		"createWorkload": `instance:"asia", kind:DEPLOYMENT, namespace:"shop", name:"till", form:{containers:[{name:"till", image:"till:1"}]},
			placement:{clusters:["member-00"]}, overrides:[{clusters:["member-01"], replicas:1}]`,
		"updateWorkload":         `resourceVersion:"7", form:{podLabels:[{key:"a", value:"b"}]}, id:` + inAsia("apps", "v1", "Deployment", "shop", "cart"),
		"createService":          `instance:"asia", namespace:"shop", name:"till", ports:[{port:80}], selector:[{key:"app", value:"till"}], clusters:["member-00"]`,
		"grantAccess":            `instance:"asia", role:"Viewer", subject:{kind:USER, name:"kairship:oidc:bob"}`,
		"createInstance":         `name:"asia"`,
		"attachInstance":         `name:"asia", kubeconfig:"the-kubeconfig"`,
		"updateInstance":         `displayName:"Asia", id:` + strconv.Quote(model.InstanceID("asia")),
		"updateInstanceSettings": `settings:{revisionHistoryLimit:5}, id:` + strconv.Quote(model.InstanceID("asia")),
		"deleteInstance":         `id:` + strconv.Quote(model.InstanceID("asia")),
		"joinCluster":            `instance:"asia", name:"osaka", mode:PULL`,
		"unjoinCluster":          `id:` + cluster,
		"promoteResource":        `instance:"asia", cluster:"member-00", apiVersion:"apps/v1", kind:"Deployment", namespace:"shop", name:"` + inMembersAlone + `"`,
		"cancelOperation":        `id:` + strconv.Quote((&model.Operation{Name: "unjoin-asia"}).ID()),
		"revokeAccess":           `id:` + strconv.Quote((&model.AccessBinding{Name: "bobs"}).ID()),
	} {
		out[name] = name + "(input:{" + input + "}){userErrors{code message}}"
	}
	return out
}()

// roles are who has which role; what is to be changed is noted as if it were sent to an instance.
type roles struct {
	*rbac.Authorizer
	behind *behind
}

func (r *roles) note(what string, dryRun bool) {
	r.behind.mu.Lock()
	defer r.behind.mu.Unlock()
	if dryRun {
		what += " dryRun=All"
	}
	r.behind.writes = append(r.behind.writes, what)
}

func (r *roles) Create(_ context.Context, b *v1alpha1.AccessBinding, dryRun bool) (*model.AccessBinding, error) {
	r.note(fmt.Sprint(b.Spec), dryRun)
	return r.ModelOf(b), nil
}

func (r *roles) Delete(_ context.Context, b *model.AccessBinding, dryRun bool) error {
	r.note(b.Name, dryRun)
	return nil
}

// good is a mutation of the schema as it works for an owner.
func good(t *testing.T, name string) string {
	t.Helper()
	if document := special[name]; document != "" {
		return document
	}
	required := map[string]string{
		"instance": `"asia"`,
		"id":       strconv.Quote(model.Ref{Instance: "asia", GVK: kinds["Deployment"], Namespace: "shop", Name: "cart"}.ID()),
	}
	ofType := map[string]string{"Int": "1", "Boolean": "true", "String": `"cart"`}
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	var input []string
	for _, field := range schema.Types[schema.Mutation.Fields.ForName(name).Arguments.ForName("input").Type.Name()].Fields {
		if !field.Type.NonNull || field.DefaultValue != nil {
			continue
		}
		value := cmp.Or(required[field.Name], ofType[field.Type.Name()])
		if value == "" || field.Type.Elem != nil {
			t.Fatalf("say in special how %s is asked: its input needs %s", name, field.Name)
		}
		input = append(input, field.Name+":"+value)
	}
	return name + "(input:{" + strings.Join(input, ", ") + "}){userErrors{code message}}"
}

func TestEveryMutationIsRecorded(t *testing.T) {
	owner := people[0].principal()
	for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
		t.Run(f.Name, func(t *testing.T) {
			c := newChanging(t)
			if got := c.mutate(t, "owner", good(t, f.Name)); len(got.Errors) > 0 || strings.Contains(fmt.Sprint(got.Data), "code") {
				t.Fatalf("it does not work: %v", got)
			}
			events := c.recorded(t)
			if len(events) == 0 {
				t.Fatal("nothing is recorded")
			}
			for _, e := range events {
				if e.Action != f.Name || e.Via != audit.ViaGraphQL || e.Principal != owner.Name || !slices.Equal(e.Groups, owner.Groups) ||
					e.RequestID != "request-1" || e.Remote != "192.0.2.7" || e.UserAgent != "a-browser" || e.Outcome != audit.Succeeded || e.Code != "" {
					t.Errorf("got %+v", e)
				}
				if f.Name != "revokeKubeconfigs" && e.Object.Instance != "asia" {
					t.Errorf("it is about %+v", e.Object)
				}
			}
			if kept := fmt.Sprint(events, c.log.String()); strings.Contains(kept, issuedToken) {
				t.Errorf("the audit holds a credential: %s", kept)
			}
		})
	}
}

// What a mutation's input says beside its object: that it is only tried, which object is meant, and what is given back.
func TestTheInputOfEveryMutationReachesKarmada(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for _, f := range schema.Mutation.Fields {
		t.Run(f.Name, func(t *testing.T) {
			fields := schema.Types[f.Arguments.ForName("input").Type.Name()].Fields
			given := `clientMutationId:"mine"`
			dry, uid := fields.ForName("dryRun") != nil, fields.ForName("uid") != nil
			if dry {
				given += ", dryRun:true"
			}
			if uid {
				given += `, uid:"the-one-meant"`
			}
			document := strings.Replace(good(t, f.Name), "input:{", "input:{"+given+", ", 1)
			c := newChanging(t)
			got := c.mutate(t, "owner", strings.TrimSuffix(document, "}")+" clientMutationId}")
			if len(got.Errors) > 0 || !strings.Contains(fmt.Sprint(got.Data), "clientMutationId:mine") {
				t.Errorf("it is answered %v %v", got.Data, got.Errors)
			}
			for _, e := range c.recorded(t) {
				if e.DryRun != dry {
					t.Errorf("recorded as %+v", e)
				}
			}
			if (dry || uid) && len(c.behind.writes) == 0 {
				t.Fatal("nothing was sent to Karmada")
			}
			sent := true
			for _, w := range c.behind.writes {
				if dry && !strings.Contains(w, "dryRun=All") {
					t.Errorf("Karmada is sent %s", w)
				}
				sent = sent && strings.Contains(w, "the-one-meant")
			}
			if !uid || sent { // Karmada compares it
				return
			}
			another := newChanging(t)
			got = another.mutate(t, "owner", strings.Replace(document, "the-one-meant", "another", 1))
			if !strings.Contains(fmt.Sprint(got.Data), "code:CONFLICT") || len(another.behind.writes) > 0 {
				t.Errorf("of a namesake it is answered %v %v, and Karmada is sent %s", got.Data, got.Errors, another.behind.writes)
			}
		})
	}
}

// A Karmada that is away is an error that names it, and is recorded as one: nobody is told that their input is wrong.
func TestEveryMutationOfAnInstanceThatIsAwaySaysSo(t *testing.T) {
	for _, f := range graph.NewExecutableSchema(graph.Config{}).Schema().Mutation.Fields {
		switch f.Name {
		case "issueKubeconfig", "revokeKubeconfigs", "grantAccess", "revokeAccess", "createInstance", "attachInstance", "updateInstance",
			"updateInstanceSettings", "deleteInstance", "cancelOperation":
			continue // no instance is asked for these
		}
		t.Run(f.Name, func(t *testing.T) {
			c := newChanging(t)
			c.behind.Close()
			got := c.mutate(t, "owner", good(t, f.Name))
			if said := fmt.Sprint(got.Data, got.Errors); !strings.Contains(said, "UNAVAILABLE") {
				t.Errorf("it is answered %s", said)
			}
			for _, e := range c.recorded(t) {
				if e.Outcome != audit.Failed || e.Code != string(model.CodeUnavailable) {
					t.Errorf("recorded as %+v", e)
				}
			}
		})
	}
}

func TestTheCodeOfAMutationIsItsOutcome(t *testing.T) {
	for _, tc := range []struct {
		name, who, document string
		outcome             audit.Outcome
		code                model.Code
	}{
		{"an instance that is not there", "owner", `issueKubeconfig(input:{instance:"africa"}){userErrors{code}}`, audit.Failed, model.CodeNotFound},
		{"an instance that is hidden", "viewer", `issueKubeconfig(input:{instance:"asia"}){userErrors{code}}`, audit.Failed, model.CodeNotFound},
		{"an input that is wrong", "owner", `revokeKubeconfigs(input:{principal:"bob"}){userErrors{code}}`, audit.Failed, model.CodeBadUserInput},
		{"what is for owners", "viewer", `revokeKubeconfigs(input:{principal:"kairship:oidc:owner"}){userErrors{code}}`, audit.Refused, model.CodeForbidden},
		{"an apply to what is hidden", "viewer", `applyManifests(input:{instance:"asia", manifests:"{}"}){userErrors{code}}`, audit.Failed, model.CodeNotFound},
		// What is sent by who may write nothing is not read, or it would be told that it holds no document.
		{"an apply of nothing to what is hidden", "viewer", `applyManifests(input:{instance:"asia", manifests:""}){userErrors{code}}`, audit.Failed, model.CodeNotFound},
		{"an apply of nothing by who may write nothing", "viewer", `applyManifests(input:{instance:"europe", manifests:""}){userErrors{code}}`, audit.Refused, model.CodeForbidden},
		{"a form by who may write nothing", "viewer", `createWorkload(input:{instance:"europe", kind:DEPLOYMENT, namespace:"shop", name:"Not_A_Name", form:{}}){userErrors{code}}`, audit.Refused, model.CodeForbidden},
		{"a Service by who may write nothing", "viewer", `createService(input:{instance:"europe", namespace:"shop", name:"Not_A_Name"}){userErrors{code}}`, audit.Refused, model.CodeForbidden},
		{"an apply of nothing by who may write something", "owner", `applyManifests(input:{instance:"europe", manifests:""}){userErrors{code}}`, audit.Failed, model.CodeBadUserInput},
		{"an id that is none", "owner", `scaleWorkload(input:{id:"x", replicas:1}){userErrors{code}}`, audit.Failed, model.CodeBadUserInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChanging(t)
			if got := c.mutate(t, tc.who, tc.document); !strings.Contains(fmt.Sprint(got.Data, got.Errors), string(tc.code)) {
				t.Errorf("it is answered %v %v", got.Data, got.Errors)
			}
			events := c.recorded(t)
			if len(events) != 1 || events[0].Outcome != tc.outcome || events[0].Code != string(tc.code) || events[0].Message == "" {
				t.Errorf("got %+v", events)
			}
		})
	}
}

func TestAMutationThatPanicsIsRecorded(t *testing.T) {
	c := newChanging(t)
	c.issued.panics = true
	if got := c.mutate(t, "owner", special["issueKubeconfig"]); len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeInternal {
		t.Errorf("it is answered %v", got)
	}
	events := c.recorded(t)
	if len(events) != 1 || events[0].Action != "issueKubeconfig" || events[0].Outcome != audit.Failed || events[0].Code != string(model.CodeInternal) {
		t.Errorf("got %+v", events)
	}
}

// repeating is the way in to an instance whose API server refuses everything and repeats what it was sent.
type repeating struct {
	writing
	host string
}

func (r repeating) As(who auth.Principal) (*rest.Config, error) {
	cfg := r.as(r.instance, who)
	cfg.Host = r.host
	return cfg, nil
}

func (r repeating) Mapper() meta.ResettableRESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for _, kind := range []string{"ConfigMap", "Secret"} {
		m.Add(kinds["ConfigMap"].GroupVersion().WithKind(kind), meta.RESTScopeNamespace)
	}
	return fixed{m}
}

func TestNoSecretOfAManifestIsRecorded(t *testing.T) {
	const plain, packed = "correct-horse-battery", "staple-of-the-vault"
	inBase64 := base64.StdEncoding.EncodeToString([]byte(packed))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`))
			return
		}
		w.WriteHeader(http.StatusUnprocessableEntity)
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": http.StatusUnprocessableEntity,
			"message": fmt.Sprintf("the webhook says: not %s, %q, %s nor %s", plain, plain, packed, inBase64)})
	}))
	t.Cleanup(server.Close)
	c := newChanging(t)
	c.serve(&actions.Runner{Connect: func(rbac.Scope, string) (karmada.Connection, error) {
		return repeating{writing{c.process, "asia"}, server.URL}, nil
	}})
	manifests := strings.Join([]string{
		fmt.Sprintf("{apiVersion: v1, kind: Secret, metadata: {namespace: shop, name: password}, stringData: {a: %s}, data: {b: %s}}", plain, inBase64),
		// What is no Secret may be refused for one that came with it.
		"{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: prices}}",
	}, "\n---\n")
	c.mutate(t, "owner", fmt.Sprintf(`applyManifests(input:{instance:"asia", onError:CONTINUE, manifests:%q}){documents{outcome} userErrors{code}}`, manifests))
	events := c.recorded(t)
	var about []string
	for _, e := range events {
		if e.Object.GVK.Kind != "" {
			about = append(about, fmt.Sprint(e.Object.GVK.Kind, " ", e.Object.Name, " ", e.Outcome))
		}
	}
	slices.Sort(about)
	if want := []string{"ConfigMap prices FAILED", "Secret password FAILED"}; !slices.Equal(about, want) {
		t.Errorf("recorded are %q, want %q", about, want)
	}
	kept := fmt.Sprint(events, c.log.String())
	for _, secret := range []string{plain, packed, inBase64} {
		if strings.Contains(kept, secret) {
			t.Errorf("the audit holds %q: %s", secret, kept)
		}
	}
}

func TestTheAuditLogIsForThoseWhoMaySeeIt(t *testing.T) {
	lists := []rbacv1.PolicyRule{listing("kairship.io", "auditevents")}
	for _, tc := range []struct {
		name string
		u    *upstreams
		// want is the instances and namespaces of which events are told; nil for FORBIDDEN.
		want []string
	}{
		{"an owner", newUpstreams(t), []string{"", "asia", "asia/shop", "asia/vault", "europe", "europe/shop", "europe/vault"}},
		{"an administrator of an instance", seeing(t, v1alpha1.RoleAdmin, nil), []string{"asia", "asia/shop", "asia/vault"}},
		{"an administrator of a namespace", seeing(t, v1alpha1.RoleAdmin, nil, "shop"), []string{"asia/shop"}},
		{"a role that lists it", seeing(t, "lister", lists, "vault"), []string{"asia/vault"}},
		{"an editor", seeing(t, v1alpha1.RoleEditor, nil), nil},
		{"a viewer", seeing(t, v1alpha1.RoleViewer, nil), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := tc.u.ask(t, `{auditEvents{nodes{instanceName namespace}}}`, nil)
			if tc.want == nil {
				if len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeForbidden {
					t.Errorf("got %v %v", got.Data, got.Errors)
				}
				return
			}
			var page struct {
				AuditEvents struct {
					Nodes []struct{ InstanceName, Namespace string }
				}
			}
			raw, err := json.Marshal(got.Data)
			if err != nil || json.Unmarshal(raw, &page) != nil || len(got.Errors) > 0 {
				t.Fatalf("got %v %v: %v", got.Data, got.Errors, err)
			}
			var told []string
			for _, e := range page.AuditEvents.Nodes {
				told = append(told, strings.TrimSuffix(e.InstanceName+"/"+e.Namespace, "/"))
			}
			slices.Sort(told)
			if !slices.Equal(told, tc.want) {
				t.Errorf("told of %q, want %q", told, tc.want)
			}
		})
	}
}
