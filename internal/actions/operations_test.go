package actions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// fakeHost is a host cluster that notes what it is asked.
type fakeHost struct {
	Operations
	done       []string
	unfinished []*model.Operation
	// refuses is what it answers to Try and TryDelete, unusable to Check.
	refuses, unusable error
	// made is the last operation.
	made v1alpha1.OperationSpec
	// elsewhere says that a kubeconfig leads to another server.
	elsewhere bool
	// connected says that something connected to where a kubeconfig leads.
	connected bool
}

func (f *fakeHost) note(format string, args ...any) {
	f.done = append(f.done, fmt.Sprintf(format, args...))
}

func (f *fakeHost) Create(_ context.Context, spec v1alpha1.OperationSpec, secret map[string][]byte, dryRun bool) (*model.Operation, error) {
	f.made = spec
	if !dryRun {
		f.note("begin %s of %s by %s, secrets %d", spec.Kind, spec.Instance, spec.Actor.Name, len(secret))
	}
	return &model.Operation{Name: "made", InstanceName: spec.Instance}, nil
}

func (f *fakeHost) Unfinished(by, instance string) (mine, there []*model.Operation) {
	for _, o := range f.unfinished {
		if o.Actor == by {
			mine = append(mine, o)
		}
		if o.InstanceName == instance {
			there = append(there, o)
		}
	}
	return mine, there
}

func (f *fakeHost) Try(_ context.Context, _ rbac.Scope, i *v1alpha1.Instance) (*model.Instance, error) {
	return &model.Instance{Name: i.Name}, f.refuses
}

func (f *fakeHost) Edit(_ context.Context, _ rbac.Scope, name, version string, dryRun bool, change func(*v1alpha1.Instance) error) (*model.Instance, error) {
	i := &v1alpha1.Instance{}
	i.Labels = map[string]string{"tier": "gold", "old": "x"}
	i.Spec.Settings = &v1alpha1.InstanceSettings{Failover: &v1alpha1.FailoverSettings{}, MetricsAdapter: &v1alpha1.MetricsAdapterSettings{}}
	if err := change(i); err != nil {
		return nil, err
	}
	s := i.Spec.Settings
	f.note("edit %s at %q dry %t: %q %q %v %s, failover %t, metrics adapter %t, descheduler %t", name, version, dryRun, i.Spec.DisplayName, i.Spec.Description, i.Labels,
		i.Spec.DeletionPolicy, s.Failover != nil, s.MetricsAdapter != nil, s.Descheduler != nil)
	return &model.Instance{Name: name}, nil
}

func (f *fakeHost) UID(context.Context, string) (string, bool, error) { return "u1", false, nil }
func (f *fakeHost) TryDelete(context.Context, string, string) error   { return f.refuses }
func (f *fakeHost) Check(context.Context, []byte) (string, error) {
	f.connected = true
	return "", f.unusable
}
func (f *fakeHost) Identity(rbac.Scope, string) string { return "known" }
func (f *fakeHost) Rotate(_ context.Context, n string, _ []byte, elsewhere, dry bool) error {
	if f.elsewhere && !elsewhere {
		return model.BadInput("kubeconfig", "has another address")
	}
	f.note("rotate %s dry %t", n, dry)
	return nil
}

// hosted runs an action as somebody, and returns what it was answered and what was done.
func hosted[Out any](t *testing.T, who string, host *fakeHost, a Action[Out]) string {
	t.Helper()
	_, r := start(t)
	access := rolesOf()
	r.Access, r.Instances, r.Operations = access, host, host
	_, problems, err := Run(of(t, access, who), r, a, nil)
	said := said(access, problems, err)
	if len(problems) > 0 {
		said += ": " + problems[0].Message
	}
	return strings.Join(append([]string{said}, host.done...), "; ")
}

func TestInstancesAreMadeByOwnersAlone(t *testing.T) {
	for who, want := range map[string]string{
		"olga": "; begin CreateInstance of africa by kairship:oidc:olga, secrets 0", "ada": "FORBIDDEN", "nick": "FORBIDDEN", "ed": "FORBIDDEN",
	} {
		if got := hosted(t, who, &fakeHost{}, &CreateInstance{NewInstance: NewInstance{Name: "africa"}}); got != want {
			t.Errorf("%s creates: %q, want %q", who, got, want)
		}
		attached := strings.NewReplacer("Create", "Attach", "secrets 0", "secrets 1").Replace(want)
		if got := hosted(t, who, &fakeHost{}, &AttachInstance{NewInstance: NewInstance{Name: "africa"}, Kubeconfig: "k"}); got != attached {
			t.Errorf("%s attaches: %q, want %q", who, got, attached)
		}
	}
}

func TestInstancesAreChangedByTheirAdmins(t *testing.T) {
	for who, want := range map[string]bool{"olga": true, "ada": true, "nick": false, "ed": false, "vera": false} {
		id := OnInstance{ID: model.InstanceID("asia")}
		name := "Asia"
		for verb, got := range map[string]string{
			"update":   hosted(t, who, &fakeHost{}, &UpdateInstance{OnInstance: id, DisplayName: &name}),
			"settings": hosted(t, who, &fakeHost{}, &UpdateInstanceSettings{OnInstance: id}),
			"delete":   hosted(t, who, &fakeHost{}, &DeleteInstance{OnInstance: id}),
		} {
			if did := strings.Contains(got, "; "); did != want || !want && got != "FORBIDDEN" {
				t.Errorf("%s, %s: %q", verb, who, got)
			}
		}
	}
}

func TestWhatIsWrongWithAnInstanceIsToldOfItsField(t *testing.T) {
	text, long := "10 apples", strings.Repeat("a", 49)
	invalid := &hostcluster.Invalid{Err: &model.Error{Code: model.CodeBadUserInput}, Causes: []model.UserError{{Code: "BAD_USER_INPUT", Message: "too long", Field: []string{"spec", "displayName"}}}}
	twenty := make([]*model.Operation, maxOperationsOfPerson)
	for i := range twenty {
		twenty[i] = &model.Operation{Actor: "kairship:oidc:olga", InstanceName: fmt.Sprint("i", i)}
	}
	for _, tc := range []struct {
		name string
		host *fakeHost
		a    CreateInstance
		want string
	}{
		{"a name that is none", &fakeHost{}, CreateInstance{NewInstance: NewInstance{Name: "Africa"}}, "BAD_USER_INPUT input.name"},
		{"a name that is too long", &fakeHost{}, CreateInstance{NewInstance: NewInstance{Name: long}}, "BAD_USER_INPUT input.name"},
		{"a label that is Kairship's", &fakeHost{}, CreateInstance{NewInstance: NewInstance{Name: "a", Labels: []model.KeyValue{{Key: "kairship.io/x"}}}}, "BAD_USER_INPUT input.labels"},
		{"two etcds", &fakeHost{}, CreateInstance{NewInstance: NewInstance{Name: "a"}, Etcd: &model.ManagedEtcdInput{Local: &model.LocalEtcdInput{}, External: &model.ExternalEtcdInput{}}}, "BAD_USER_INPUT input.etcd"},
		{"no quantity", &fakeHost{}, CreateInstance{NewInstance: NewInstance{Name: "a"}, Etcd: &model.ManagedEtcdInput{Local: &model.LocalEtcdInput{StorageSize: &text}}}, "BAD_USER_INPUT input.etcd"},
		{"what the host cluster refuses", &fakeHost{refuses: invalid}, CreateInstance{NewInstance: NewInstance{Name: "a"}}, "BAD_USER_INPUT input.displayName"},
		{"a name that is taken", &fakeHost{refuses: &model.Error{Code: model.CodeConflict}}, CreateInstance{NewInstance: NewInstance{Name: "a"}}, "CONFLICT input.name"},
		{"one that is being made", &fakeHost{unfinished: []*model.Operation{{Kind: model.OperationAttachInstance, InstanceName: "a"}}}, CreateInstance{NewInstance: NewInstance{Name: "a"}}, "CONFLICT input.name"},
		{"too many at once", &fakeHost{unfinished: twenty}, CreateInstance{NewInstance: NewInstance{Name: "a"}}, "LIMIT_EXCEEDED"},
	} {
		if got := hosted(t, "olga", tc.host, &tc.a); !strings.HasPrefix(got, tc.want) || strings.Contains(got, "begin") {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// Whoever fills an instance with operations keeps neither its Admins from it nor anybody from deleting it.
func TestNobodyKeepsOthersFromBeginningOperations(t *testing.T) {
	begun := func(actor, instance string, n int) (out []*model.Operation) {
		for range n {
			out = append(out, &model.Operation{Actor: "kairship:oidc:" + actor, InstanceName: instance})
		}
		return out
	}
	promotion, unjoining := v1alpha1.OperationSpec{Kind: v1alpha1.OperationPromoteResource, Instance: "asia"}, v1alpha1.OperationSpec{Kind: v1alpha1.OperationUnjoinCluster, Instance: "asia"}
	deletion := v1alpha1.OperationSpec{Kind: v1alpha1.OperationDeleteInstance, Instance: "asia", DeleteInstance: &v1alpha1.DeleteInstanceInput{}}
	for name, tc := range map[string]struct {
		who        string
		spec       v1alpha1.OperationSpec
		unfinished []*model.Operation
		limit      string
	}{
		"an Editor begins some":                   {"ed", promotion, begun("ed", "asia", maxOperationsOfPersonOnInstance-1), ""},
		"and no more":                             {"ed", promotion, begun("ed", "asia", maxOperationsOfPersonOnInstance), "operationsOfPersonOnInstance"},
		"but on others":                           {"ed", promotion, begun("ed", "europe", maxOperationsOfPersonOnInstance), ""},
		"others begin theirs":                     {"ed", promotion, begun("eve", "asia", maxOperationsOfPerson), ""},
		"within what there may be in all":         {"ed", promotion, begun("eve", "asia", maxOperationsOfInstance), "operationsOfInstance"},
		"of which Admins are free":                {"ada", unjoining, begun("eve", "asia", maxOperationsOfInstance), ""},
		"who have more themselves":                {"ada", unjoining, begun("ada", "asia", maxOperationsOfPerson-1), ""},
		"and not any number":                      {"ada", unjoining, begun("ada", "asia", maxOperationsOfPerson), "operationsOfPerson"},
		"an instance can be deleted all the same": {"ada", deletion, begun("ada", "asia", maxOperationsOfInstance), ""},
	} {
		access, host := rolesOf(), &fakeHost{unfinished: tc.unfinished}
		_, r := start(t)
		r.Operations = host
		ctx := of(t, access, tc.who)
		call := &Call{Runner: r, Viewer: rbac.PrincipalFrom(ctx), Scope: rbac.ScopeFrom(ctx)}
		err := call.tooMany(tc.spec)
		limit, problem := "", (*model.Error)(nil)
		if errors.As(err, &problem) && problem.Limit != nil {
			limit = problem.Limit.Name
		}
		if limit != tc.limit || (err != nil) != (limit != "") {
			t.Errorf("%s: %v, want the limit %q", name, err, tc.limit)
		}
	}
}

func TestADryRunBeginsNothing(t *testing.T) {
	host := &fakeHost{}
	if got := hosted(t, "olga", host, &CreateInstance{NewInstance: NewInstance{Name: "africa", DryRun: true}}); got != "" || host.made.Kind == "" {
		t.Errorf("%q, made %v", got, host.made)
	}
}

func TestAKubeconfigIsCheckedBeforeAnythingIsStored(t *testing.T) {
	bad := model.BadInput("kubeconfig", "names a program")
	if got := hosted(t, "olga", &fakeHost{unusable: bad}, &AttachInstance{NewInstance: NewInstance{Name: "africa"}, Kubeconfig: "k"}); got != "BAD_USER_INPUT input.kubeconfig: kubeconfig: names a program" {
		t.Errorf("attach: %q", got)
	}
	k, id := Hidden("k"), OnInstance{ID: model.InstanceID("asia")}
	for _, tc := range []struct {
		who       string
		elsewhere bool
		want      string
	}{
		{"ada", false, "; rotate asia dry true; edit"}, {"olga", true, "; rotate asia dry true; edit"},
		{"ada", true, "BAD_USER_INPUT input.kubeconfig: kubeconfig: has another address"}, // and nothing connects to it
	} {
		host, allowed := &fakeHost{elsewhere: tc.elsewhere}, strings.HasPrefix(tc.want, ";")
		got := hosted(t, tc.who, host, &UpdateInstance{OnInstance: id, Kubeconfig: &k})
		if !strings.HasPrefix(got, tc.want) || strings.HasSuffix(got, "; rotate asia dry false") != allowed || host.connected != allowed {
			t.Errorf("%s rotates, elsewhere %t: %q, want %q", tc.who, tc.elsewhere, got, tc.want)
		}
	}
	if printed := fmt.Sprintf("%v %s %q %+v %#v", k, k, k, k, k); strings.Contains(printed, "k") {
		t.Errorf("a kubeconfig is printed: %s", printed)
	}
}

func TestAnUpdateLeavesWhatItDoesNotName(t *testing.T) {
	description, id := "for Asia", OnInstance{ID: model.InstanceID("asia")}
	got := hosted(t, "ada", &fakeHost{}, &UpdateInstance{OnInstance: id, ResourceVersion: "v", Description: &description, Labels: []model.KeyValue{{Key: "new", Value: "y"}}, RemoveLabels: []string{"old"}})
	if want := `; edit asia at "v" dry false: "" "for Asia" map[new:y tier:gold] , failover true, metrics adapter true, descheduler false`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = hosted(t, "ada", &fakeHost{}, &UpdateInstanceSettings{OnInstance: id, Settings: model.InstanceSettings{Descheduler: &model.DeschedulerSettings{Enabled: true}}, Remove: []string{"failover"}})
	if !strings.HasSuffix(got, "failover false, metrics adapter true, descheduler true") {
		t.Errorf("got %q", got)
	}
}

// What was changed of an instance is in the audit log; a dry run changes nothing.
func TestAnUpdateOfAnInstanceIsRecordedWithWhatItChanged(t *testing.T) {
	for _, dry := range []bool{false, true} {
		recorded, r := start(t)
		access, host := rolesOf(), &fakeHost{}
		r.Access, r.Instances, r.Operations = access, host, host
		name := "Asia"
		if _, problems, err := Run(of(t, access, "ada"), r, &UpdateInstance{OnInstance: OnInstance{ID: model.InstanceID("asia"), DryRun: dry}, ResourceVersion: "v", DisplayName: &name, RemoveLabels: []string{"old"}}, nil); err != nil || len(problems) > 0 {
			t.Fatal(problems, err)
		}
		var changed []string
		for _, e := range recorded(t) {
			for _, c := range e.Changes {
				changed = append(changed, c.Path)
			}
		}
		if want := map[bool]string{false: "/metadata/labels/old /spec/displayName", true: ""}[dry]; strings.Join(changed, " ") != want {
			t.Errorf("dry %t: recorded %v, want %s", dry, changed, want)
		}
	}
}

func TestADeletionTellsWhatStandsInItsWay(t *testing.T) {
	id, other := OnInstance{ID: model.InstanceID("asia")}, "europe"
	guarded := func() *fakeHost {
		return &fakeHost{refuses: &model.Error{Code: model.CodeConflict, Message: "instance asia has 2 clusters joined"}}
	}
	if got := hosted(t, "ada", guarded(), &DeleteInstance{OnInstance: id}); got != "CONFLICT input.id: instance asia has 2 clusters joined" {
		t.Errorf("guarded: %q", got)
	}
	forced := guarded()
	if got := hosted(t, "ada", forced, &DeleteInstance{OnInstance: id, Force: true}); got != "; begin DeleteInstance of asia by kairship:oidc:ada, secrets 0" || !forced.made.DeleteInstance.Force || forced.made.DeleteInstance.UID != "u1" {
		t.Errorf("forced: %q, %+v", got, forced.made)
	}
	for uid, want := range map[string]string{
		"u1": "; begin DeleteInstance of asia by kairship:oidc:ada, secrets 0",
		"u0": `CONFLICT input.uid: uid: instance "asia" is another one than was meant, made anew: its uid is "u1", not "u0"`,
	} {
		for _, force := range []bool{false, true} {
			if got := hosted(t, "ada", &fakeHost{}, &DeleteInstance{OnInstance: OnInstance{ID: id.ID, UID: uid}, Force: force}); got != want {
				t.Errorf("the uid %s, forced %t: %q, want %q", uid, force, got, want)
			}
		}
	}
	if got := hosted(t, "ada", &fakeHost{}, &DeleteInstance{OnInstance: id, Name: &other}); !strings.HasPrefix(got, "BAD_USER_INPUT input.name") {
		t.Errorf("another name: %q", got)
	}
}

// meant is a fleet that knows which instance it has.
type meant struct{ fleet }

func (meant) Instance(_ rbac.Scope, name string) (*model.Instance, error) {
	return &model.Instance{Name: name, UID: "uid-of-" + name}, nil
}

// An operation says which instance is meant, and which Karmada, so that nobody else under its name gets anything of it.
func TestAnOperationIsBoundToTheInstanceThatIsMeant(t *testing.T) {
	for kind, want := range map[v1alpha1.OperationKind]string{
		v1alpha1.OperationJoinCluster: "uid-of-asia known", v1alpha1.OperationUnjoinCluster: "uid-of-asia known", v1alpha1.OperationPromoteResource: "uid-of-asia known",
		v1alpha1.OperationCreateInstance: " ",
	} {
		access, host := rolesOf(), &fakeHost{}
		_, r := start(t)
		r.Fleet, r.Operations, r.Instances = meant{}, host, host
		ctx := of(t, access, "olga")
		call := &Call{Runner: r, Viewer: rbac.PrincipalFrom(ctx), Scope: rbac.ScopeFrom(ctx), Target: Target{DryRun: true}}
		spec := v1alpha1.OperationSpec{Kind: kind, Instance: "asia"}
		if kind == v1alpha1.OperationCreateInstance {
			spec.CreateInstance = &v1alpha1.CreateInstanceInput{}
		}
		if _, err := call.Begin(ctx, spec, nil); err != nil {
			t.Fatal(err)
		}
		if got := host.made.InstanceUID + " " + host.made.KarmadaUID; got != want {
			t.Errorf("%s is bound to %q, want %q", kind, got, want)
		}
	}
}
