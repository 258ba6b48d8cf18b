package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// underWay is an operation as the graph tells of it.
type underWay struct {
	ID, Name, Kind, State, Message, InstanceName, Actor string
	Cancellable                                         bool
	FinishedAt                                          *string
	Steps                                               []struct{ Name, State, Message string }
}

const underWayFields = `id name kind state message instanceName actor cancellable finishedAt steps{name state message}`

// changedInstance asks for a mutation of an instance, and returns its operation and what is wrong.
func changedInstance(t *testing.T, bearer, name string, input map[string]any) (*underWay, []string, string) {
	t.Helper()
	query := fmt.Sprintf("mutation($in: %sInput!) { %s(input: $in) { instance{name state source resourceVersion} operation{%s} userErrors { code message field } } }",
		strings.ToUpper(name[:1])+name[1:], name, underWayFields)
	out := askAs(t, bearer, query, map[string]any{"in": input})
	var problems []string
	for _, e := range out.Errors {
		problems = append(problems, e.Extensions.Code)
	}
	var data map[string]*struct {
		Operation  *underWay
		UserErrors []struct {
			Code, Message string
			Field         []string
		}
	}
	if err := json.Unmarshal(out.Data, &data); err != nil {
		t.Fatalf("%s: %v", out.Data, err)
	}
	if data[name] == nil {
		return nil, problems, string(out.Data)
	}
	for _, e := range data[name].UserErrors {
		t.Logf("%s: %s", name, e.Message)
		problems = append(problems, e.Code+" "+strings.Join(e.Field, "."))
	}
	return data[name].Operation, problems, string(out.Data)
}

func operationNow(t *testing.T, id string) (*underWay, error) {
	t.Helper()
	data, err := read[struct{ Operation *underWay }](t, `query($id: ID!) { operation(id: $id) {`+underWayFields+`} }`, map[string]any{"id": id})
	if err == nil && data.Operation == nil {
		err = fmt.Errorf("there is no operation %s", id)
	}
	return data.Operation, err
}

// endsAs waits until an operation has ended, and returns all that its steps were.
func endsAs(t *testing.T, id, want string, within time.Duration) map[string]bool {
	t.Helper()
	seen := map[string]bool{}
	eventually(t, within, func() error {
		o, err := operationNow(t, id)
		if err != nil {
			return err
		}
		for _, s := range o.Steps {
			seen[s.Name+" "+s.State] = true
		}
		if o.State != want || o.FinishedAt == nil {
			return fmt.Errorf("it is %+v", o)
		}
		return nil
	})
	return seen
}

// kubeconfigOf is the kubeconfig by which Kairship reaches an instance.
func kubeconfigOf(t *testing.T, instance string) string {
	t.Helper()
	secret, err := clientset(t, "host").CoreV1().Secrets("kairship-system").Get(t.Context(), instanceNow(t, instance).CredentialSecret(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(secret.Data[v1alpha1.KubeconfigKey])
}

// A Karmada is attached, changed and detached through the graph; nothing of it is left, and its kubeconfig is shown nowhere.
func TestAKarmadaIsAttachedChangedAndDetached(t *testing.T) {
	whole(t)
	const name = "e2e-attach"
	id := model.InstanceID(name)
	t.Cleanup(func() {
		_ = karmada(t, "host").Resource(v1alpha1.InstanceResource).Delete(context.Background(), name, metav1.DeleteOptions{})
	})
	config := kubeconfigOf(t, "europe")
	input := func(more ...any) map[string]any {
		out := map[string]any{"name": name, "displayName": "Attached by a test", "kubeconfig": config, "labels": []any{map[string]any{"key": "tier", "value": "test"}}}
		for pair := range slices.Chunk(more, 2) {
			out[pair[0].(string)] = pair[1]
		}
		return out
	}
	for _, tc := range []struct {
		name, bearer string
		input        map[string]any
		want         string
	}{
		{"a viewer", idTokenOf(t, "viewer"), input(), "FORBIDDEN"},
		{"an editor", idTokenOf(t, "editor"), input(), "FORBIDDEN"},
		{"a name that is taken", token, input("name", "asia"), "CONFLICT input.name"},
		{"a name that is none", token, input("name", "Not_A_Name"), "BAD_USER_INPUT input.name"},
		{"a kubeconfig that is none", token, input("kubeconfig", "x: ["), "BAD_USER_INPUT input.kubeconfig"},
		{"a kubeconfig of a program", token, input("kubeconfig", hostileKubeconfig), "BAD_USER_INPUT input.kubeconfig"},
		{"a cluster that is no Karmada", token, input("kubeconfig", kubeconfigFile(t, "host")), "BAD_USER_INPUT input.kubeconfig"},
		{"too long a name for people", token, input("displayName", strings.Repeat("x", 129)), "BAD_USER_INPUT input.displayName"},
	} {
		if o, problems, _ := changedInstance(t, tc.bearer, "attachInstance", tc.input); o != nil || len(problems) != 1 || problems[0] != tc.want {
			t.Errorf("%s: %v %q, want %q", tc.name, o, problems, tc.want)
		}
	}
	if o, problems, _ := changedInstance(t, token, "attachInstance", input("dryRun", true)); o != nil || len(problems) > 0 {
		t.Errorf("a dry run: %v %q", o, problems)
	}
	if err := instanceGone(t, name); err != nil {
		t.Fatal(err)
	}

	o, problems, answered := changedInstance(t, token, "attachInstance", input())
	if o == nil || len(problems) > 0 {
		t.Fatalf("attaching: %q", problems)
	}
	endsAs(t, o.ID, "SUCCEEDED", time.Minute)
	if strings.Contains(answered, "client-key-data") || strings.Contains(answered, "BEGIN") {
		t.Errorf("the kubeconfig is answered: %s", answered)
	}
	for _, bearer := range []string{idTokenOf(t, "viewer"), idTokenOf(t, "editor")} {
		if out := askAs(t, bearer, `query($id: ID!) { operation(id: $id) { name } node(id: $id) { id } }`, map[string]any{"id": o.ID}); string(out.Data) != `{"operation":null,"node":null}` {
			t.Errorf("somebody else is told %s %v", out.Data, out.Errors)
		}
	}
	eventually(t, 10*time.Second, func() error {
		secrets, err := clientset(t, "host").CoreV1().Secrets("kairship-system").List(t.Context(), metav1.ListOptions{LabelSelector: v1alpha1.LabelInstance + "=" + name})
		if err != nil {
			return err
		}
		if len(secrets.Items) != 1 || secrets.Items[0].Name != instanceNow(t, name).CredentialSecret() {
			return fmt.Errorf("there are %d Secrets of it", len(secrets.Items))
		}
		return nil
	})

	type told struct {
		Instance struct{ DisplayName, Description, ResourceVersion, State string }
	}
	before := into[told](t, `{instance(name:"`+name+`"){displayName description resourceVersion state}}`, nil).Instance
	if before.State != "RUNNING" {
		t.Errorf("it is %+v", before)
	}
	for _, tc := range []struct {
		verb  string
		input map[string]any
		want  []string
	}{
		{"updateInstance", map[string]any{"description": "for tests", "resourceVersion": before.ResourceVersion, "dryRun": true}, nil},
		{"updateInstance", map[string]any{"description": "for tests", "resourceVersion": before.ResourceVersion}, nil},
		{"updateInstance", map[string]any{"description": "for others", "resourceVersion": before.ResourceVersion}, []string{"CONFLICT input.resourceVersion"}},
		{"updateInstance", map[string]any{"deletionPolicy": "CASCADE"}, []string{"BAD_USER_INPUT input.deletionPolicy"}},
		{"updateInstance", map[string]any{"kubeconfig": config}, nil},
		{"updateInstance", map[string]any{"kubeconfig": hostileKubeconfig}, []string{"BAD_USER_INPUT input.kubeconfig"}},
		{"updateInstanceSettings", map[string]any{"settings": map[string]any{"revisionHistoryLimit": 101}}, []string{"BAD_USER_INPUT input.settings.revisionHistoryLimit"}},
		{"updateInstanceSettings", map[string]any{"settings": map[string]any{"revisionHistoryLimit": 3}}, nil},
		{"updateInstanceSettings", map[string]any{"settings": map[string]any{}, "remove": []string{"colour"}}, []string{"BAD_USER_INPUT input.remove"}},
	} {
		tc.input["id"] = id
		if _, problems, _ := changedInstance(t, idTokenOf(t, "viewer"), tc.verb, tc.input); len(problems) != 1 || problems[0] != "FORBIDDEN" && problems[0] != "NOT_FOUND input.id" {
			t.Errorf("%s by a viewer: %q", tc.verb, problems)
		}
		if _, problems, _ := changedInstance(t, token, tc.verb, tc.input); !slices.Equal(problems, tc.want) {
			t.Errorf("%s with %v: %q, want %q", tc.verb, tc.input, problems, tc.want)
		}
	}
	toldConflict(t, id, before.ResourceVersion)
	if i := instanceNow(t, name); i.Spec.Description != "for tests" || i.Spec.Settings == nil || *i.Spec.Settings.RevisionHistoryLimit != 3 {
		t.Errorf("it is %+v", i.Spec)
	}

	if _, problems, _ := changedInstance(t, token, "deleteInstance", map[string]any{"id": id, "name": "another"}); !slices.Equal(problems, []string{"BAD_USER_INPUT input.name"}) {
		t.Errorf("with another name: %q", problems)
	}
	if _, problems, _ := changedInstance(t, token, "deleteInstance", map[string]any{"id": id, "uid": "11111111-2222-3333-4444-555555555555"}); !slices.Equal(problems, []string{"CONFLICT input.uid"}) {
		t.Errorf("with the uid of a namesake: %q", problems)
	}
	o, problems, _ = changedInstance(t, token, "deleteInstance", map[string]any{"id": id, "name": name, "uid": string(instanceNow(t, name).UID)})
	if o == nil || len(problems) > 0 {
		t.Fatalf("detaching: %q", problems)
	}
	endsAs(t, o.ID, "SUCCEEDED", 2*time.Minute)
	if err := instanceGone(t, name); err != nil {
		t.Error(err)
	}
	if err := leftovers(t, name); err != nil {
		t.Error(err)
	}
	whole(t)
}

const hostileKubeconfig = `{apiVersion: v1, kind: Config, current-context: a, contexts: [{name: a, context: {cluster: a, user: a}}],
  clusters: [{name: a, cluster: {server: "https://192.0.2.1", certificate-authority-data: "eA=="}}], users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/sh}}}]}`

// kubeconfigFile is the text of a cluster's kubeconfig.
func kubeconfigFile(t *testing.T, cluster string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "cat", strings.TrimSpace(fleetDo(t, "kubeconfig", cluster))).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// toldConflict expects to be told what somebody else changed of an instance since a version, and what would still change. The old
// version may not have been seen by the server yet, which takes its time to be told of what it wrote.
func toldConflict(t *testing.T, id, version string) {
	t.Helper()
	type payload struct {
		Conflict *struct {
			Theirs, Yours []struct{ Path, From, To string }
			Note          *string
		}
	}
	eventually(t, 10*time.Second, func() error {
		var got []string
		for verb, change := range map[string]string{"updateInstance": `description: "for others"`, "updateInstanceSettings": `settings: {revisionHistoryLimit: 7}`} {
			out := into[map[string]payload](t, `mutation($id: ID!, $v: String!) { `+verb+`(input: {id: $id, resourceVersion: $v, dryRun: true, `+change+`}) {
				conflict { theirs { path from to } yours { path from to } note } userErrors { code } } }`, map[string]any{"id": id, "v": version})
			c := out[verb].Conflict
			if c == nil || c.Note != nil {
				return fmt.Errorf("%s answers %+v", verb, c)
			}
			for _, f := range slices.Concat(c.Theirs, c.Yours) {
				got = append(got, fmt.Sprint(f))
			}
		}
		slices.Sort(got)
		want := []string{"{/spec/description  for tests}", "{/spec/description for tests for others}", "{/spec/description  for tests}", "{/spec/settings  {\"revisionHistoryLimit\":3}}", "{/spec/settings  {\"revisionHistoryLimit\":3}}", "{/spec/settings/revisionHistoryLimit 3 7}"}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			return fmt.Errorf("told %q, want %q", got, want)
		}
		return nil
	})
}
