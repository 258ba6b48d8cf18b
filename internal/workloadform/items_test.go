package workloadform

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// parsed is an object in YAML.
func parsed(tb testing.TB, text string) map[string]any {
	tb.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// lookup is the value at a path; nil where there is none.
func lookup(object map[string]any, path []string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(object, path...)
	return value
}

// Items keep what no form shows of them, whatever happens to the list; those that go take it along.
func TestItemsAreKnownAgain(t *testing.T) {
	const before = `
containers:
- {name: web, image: "web:1", resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}], env: [{name: A, value: a, hidden: 1}, {name: B, value: b, hidden: 2}]}
- {name: log, image: "log:1", stdinOnce: true}
volumes: [{name: disk, iscsi: {iqn: x}}, {name: tmp, emptyDir: {}}]
tolerations: [{key: a, hidden: 1}, {key: b, hidden: 2}]
imagePullSecrets: [{name: one}, {name: two}]`
	for _, tc := range []struct{ name, form, want string }{
		{"nothing is said", `{}`, before},
		{"an image", `{containers: [{name: web, image: "web:2"}, {name: log}]}`, strings.Replace(before, "web:1", "web:2", 1)},
		{"another order", `{containers: [{name: log}, {name: web}]}`, `
containers:
- {name: log, image: "log:1", stdinOnce: true}
- {name: web, image: "web:1", resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}], env: [{name: A, value: a, hidden: 1}, {name: B, value: b, hidden: 2}]}
volumes: [{name: disk, iscsi: {iqn: x}}, {name: tmp, emptyDir: {}}]
tolerations: [{key: a, hidden: 1}, {key: b, hidden: 2}]
imagePullSecrets: [{name: one}, {name: two}]`},
		{"one that goes and one that comes", `{containers: [{name: log}, {name: new, image: "new:1"}]}`, `
containers:
- {name: log, image: "log:1", stdinOnce: true}
- {name: new, image: "new:1"}
volumes: [{name: disk, iscsi: {iqn: x}}, {name: tmp, emptyDir: {}}]
tolerations: [{key: a, hidden: 1}, {key: b, hidden: 2}]
imagePullSecrets: [{name: one}, {name: two}]`},
		{"one that is renamed and else as it was", `{containers: [{name: web}, {name: logger, image: "log:1"}], volumes: [{name: data}, {name: tmp}]}`,
			strings.NewReplacer("name: log,", "name: logger,", "name: disk", "name: data").Replace(before)},
		{"env: one goes, the others move and one changes", `{containers: [{name: web, env: [{name: C, value: c}, {name: B, value: bb}]}, {name: log}]}`,
			strings.Replace(before, "{name: A, value: a, hidden: 1}, {name: B, value: b, hidden: 2}", "{name: C, value: c}, {name: B, value: bb, hidden: 2}", 1)},
		{"without keys: the second goes first", `{tolerations: [{key: b}, {key: a}]}`,
			strings.Replace(before, "{key: a, hidden: 1}, {key: b, hidden: 2}", "{key: b, hidden: 2}, {key: a, hidden: 1}", 1)},
		{"without keys: one is changed", `{tolerations: [{key: a, operator: EXISTS}, {key: b}]}`,
			strings.Replace(before, "{key: a, hidden: 1}", "{key: a, operator: Exists, hidden: 1}", 1)},
		{"without keys: one goes", `{tolerations: [{key: b}]}`, strings.Replace(before, "{key: a, hidden: 1}, ", "", 1)},
		{"a list is taken away", `{imagePullSecrets: null, tolerations: null}`,
			strings.NewReplacer("\nimagePullSecrets: [{name: one}, {name: two}]", "", "\ntolerations: [{key: a, hidden: 1}, {key: b, hidden: 2}]", "").Replace(before)},
		{"a source becomes another", `{volumes: [{name: disk}, {name: tmp, emptyDir: null, configMap: {name: settings}}]}`,
			strings.Replace(before, "emptyDir: {}", "configMap: {name: settings}", 1)},
		{"references change", `{imagePullSecrets: [two, three]}`, strings.Replace(before, "{name: one}, {name: two}", "{name: two}, {name: three}", 1)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			object := map[string]any{"spec": map[string]any{"template": map[string]any{"spec": parsed(t, before)}}}
			if problems := Apply(deployment, object, parsed(t, tc.form)); len(problems) > 0 {
				t.Fatal(problems)
			}
			if diff := cmp.Diff(parsed(t, tc.want), lookup(object, []string{"spec", "template", "spec"})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatIsWrongIsSaidWhereItIsGiven(t *testing.T) {
	for _, tc := range []struct{ form, field, message string }{
		{`{schedule: "* * * * *"}`, "schedule", "a Deployment has none; CronJobs have"},
		{`{containers: [{name: web, resources: {limits: [{key: cpu, value: 1}, {key: memory, value: much}]}}]}`, "containers.0.resources.limits.0.value", "is 1; a text is needed"},
		{`{containers: [{name: web, resources: {limits: [{key: memory, value: much}]}}]}`, "containers.0.resources.limits.0.value", `"much", which is no quantity`},
		{`{containers: [{image: web}]}`, "containers.0.name", "is missing"},
		{`{labels: [{key: a, value: b}, {key: a, value: c}]}`, "labels.1.key", `"a", which entry 0 has, too`},
		{`{labels: [{key: propagationpolicy.karmada.io/permanent-id, value: b}]}`, "labels.0.key", "which is written by Karmada"},
		{`{restartPolicy: SOMETIMES}`, "restartPolicy", `is "SOMETIMES"; one of ALWAYS, NEVER, ON_FAILURE is needed`},
		{`{replicas: 3.5}`, "replicas", "a whole number of 32 bits is needed"},
		{`{containers: {}}`, "containers", "is an object; a list is needed"},
	} {
		problems := Apply(deployment, map[string]any{}, parsed(t, tc.form))
		if len(problems) == 0 || strings.Join(problems[0].Field, ".") != tc.field || !strings.Contains(problems[0].Why, tc.message) {
			t.Errorf("%s: %+v", tc.form, problems)
		}
	}
	form := Form{"containers": make([]any, 20_000)}
	if problems := Apply(deployment, map[string]any{}, form); len(problems) != 1 || !strings.Contains(problems[0].Message(), "has 20002 values and 0 bytes of text; at most 20000") {
		t.Errorf("%+v", problems)
	}
}

func TestAFieldOfTheObjectIsFoundInTheForm(t *testing.T) {
	form := parsed(t, `{podLabels: [{key: a, value: b}, {key: example.com/c, value: d}], containers: [{name: web, resources: {limits: [{key: cpu, value: "1"}, {key: memory, value: 1Mi}]}}]}`)
	for _, tc := range []struct {
		kind        kind
		path, field string
	}{
		{deployment, "spec template spec containers 0 image", "containers.0.image"},
		{deployment, "spec template spec containers 0 livenessProbe httpGet port", "containers.0.livenessProbe.httpGet.port"},
		{deployment, "spec template spec containers 0 resources limits memory", "containers.0.resources.limits.1.value"},
		{deployment, "spec template spec containers 0 resources requests", "containers.0.resources.requests"},
		{deployment, "spec template spec containers 0 unknown field", "containers.0"},
		{deployment, "spec template metadata labels example.com/c", "podLabels.1.value"},
		{deployment, "spec template metadata labels", "podLabels"},
		{deployment, "spec strategy rollingUpdate maxSurge", "strategy.rollingUpdate.maxSurge"},
		{statefulSet, "spec updateStrategy type", "strategy.type"},
		{statefulSet, "spec volumeClaimTemplates 1 spec resources requests storage", "volumeClaimTemplates.1.storage"},
		{cronJob, "spec jobTemplate spec template spec restartPolicy", "restartPolicy"},
		{cronJob, "spec jobTemplate spec backoffLimit", "backoffLimit"},
		{job, "spec template spec imagePullSecrets 1 name", "imagePullSecrets.1"},
		{deployment, "metadata name", ""},
		{deployment, "spec template spec overhead", ""},
		{deployment, "", ""},
	} {
		if got := strings.Join(FieldOf(tc.kind, form, strings.Fields(tc.path)), "."); got != tc.field {
			t.Errorf("%s of a %s is %q, want %q", tc.path, tc.kind, got, tc.field)
		}
	}
}

func TestAWorkloadSelectsItsPods(t *testing.T) {
	for _, tc := range []struct {
		form            string
		labels, matched map[string]any
	}{
		{`{}`, map[string]any{nameLabel: "cart"}, map[string]any{nameLabel: "cart"}},
		{`{podLabels: [{key: app, value: x}]}`, map[string]any{"app": "x"}, map[string]any{"app": "x"}},
		{`{selector: {matchLabels: [{key: app, value: x}]}}`, map[string]any{"app": "x"}, map[string]any{"app": "x"}},
		{`{selector: {matchLabels: [{key: app, value: x}]}, podLabels: [{key: app, value: x}, {key: b, value: "y"}]}`, map[string]any{"app": "x", "b": "y"}, map[string]any{"app": "x"}},
	} {
		object, problems := New(deployment, "shop", "cart", parsed(t, tc.form))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		got := []any{lookup(object, []string{"spec", "template", "metadata", "labels"}), lookup(object, []string{"spec", "selector", "matchLabels"})}
		if diff := cmp.Diff([]any{tc.labels, tc.matched}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.form, diff)
		}
	}
	// The pods of a Job are known by its uid, which the API server sees to.
	object, _ := New(job, "shop", "cart", Form{})
	if lookup(object, []string{"spec"}) != nil {
		t.Errorf("a Job is %v", object)
	}
}

// What the API server made of a Job is no part of its form: the form makes another one.
func TestTheFormOfAJobHasNoGeneratedLabels(t *testing.T) {
	form, hidden := Read(job, parsed(t, `
metadata: {name: once, labels: {app: a, karmada.io/managed: "true"}, annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", note: x}}
spec:
  selector: {matchLabels: {batch.kubernetes.io/controller-uid: u}}
  template: {metadata: {labels: {app: a, batch.kubernetes.io/controller-uid: u, job-name: once}}}`))
	want := parsed(t, `{labels: [{key: app, value: a}], annotations: [{key: note, value: x}], podLabels: [{key: app, value: a}]}`)
	if diff := cmp.Diff(want, form); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/metadata/labels/karmada.io~1managed", "/spec/selector", "/spec/template/metadata/labels/batch.kubernetes.io~1controller-uid",
		"/spec/template/metadata/labels/job-name"}, hidden); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
}

func TestAContainerIsOverriddenAsAWhole(t *testing.T) {
	before := parsed(t, `{name: web, args: [a], env: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: B, value: b}], resources: {limits: {cpu: "1", memory: 1Mi}, claims: [{name: c}]}}`)
	kept := again(t, before)
	got, problems := Overridden(before, parsed(t, `{args: [x, "y"], env: [{name: A, value: plain}, {name: C, value: c}], resources: {limits: [{key: cpu, value: "2"}]}, command: null}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := parsed(t, `{args: [x, "y"], env: [{name: A, value: plain}, {name: B, value: b}, {name: C, value: c}], resources: {limits: {cpu: "2", memory: 1Mi}, claims: [{name: c}]}}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, problems = Overridden(before, parsed(t, `{args: [], command: []}`))
	if diff := cmp.Diff(parsed(t, `{args: [], command: []}`), got); diff != "" || len(problems) > 0 {
		t.Errorf("none at all (-want +got):\n%s%v", diff, problems)
	}
	if diff := cmp.Diff(kept, before); diff != "" {
		t.Errorf("what is overridden has changed:\n%s", diff)
	}
}
