package workloadform

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
)

// sent is a form as a client sends it back that asks for every field: what there is none of is null.
func sent(given Form, kind model.WorkloadKind) Form {
	return withNulls(forms[kind], given)
}

func withNulls(fields form, given Form) Form {
	out := Form{}
	for _, f := range fields {
		value := given[f.Name]
		switch of := f.Is.(type) {
		case nil:
			continue
		case object:
			if value != nil {
				value = withNulls(of.Form, value.(map[string]any))
			}
		case list:
			if value != nil {
				items := []any{}
				for _, item := range value.([]any) {
					items = append(items, withNulls(of.Form, item.(map[string]any)))
				}
				value = items
			}
		}
		out[f.Name] = value
	}
	return out
}

func TestWhatIsReadAndSentBackChangesNothing(t *testing.T) {
	for _, kind := range model.WorkloadKinds {
		t.Run(string(kind), func(t *testing.T) {
			before, object := full(t, kind), full(t, kind)
			form, hidden := Read(kind, object)
			if len(hidden) == 0 {
				t.Error("nothing is hidden: the corpus has not every field")
			}
			for name, given := range map[string]Form{"with nulls": sent(form, kind), "as it is": form, "nothing": {}} {
				if problems := Apply(kind, object, given); len(problems) > 0 {
					t.Fatalf("%s: %v", name, problems)
				}
				if diff := cmp.Diff(before, object); diff != "" {
					t.Errorf("%s (-before +after):\n%s", name, diff)
				}
			}
		})
	}
}

func below(at []string, name string) []string { return append(slices.Clone(at), name) }

// edit is one value of a form, and what it is changed to.
type edit struct {
	path []string
	set  func(to any)
	is   any
}

// edits are all values of a form.
func edits(fields form, given Form, at []string) (out []edit) {
	for _, f := range fields {
		value, there := given[f.Name]
		if !there {
			continue
		}
		path := below(at, f.Name)
		switch of := f.Is.(type) {
		case object:
			out = append(out, edits(of.Form, value.(map[string]any), path)...)
		case list:
			for i, item := range value.([]any) {
				out = append(out, edits(of.Form, item.(map[string]any), below(path, fmt.Sprint(i)))...)
			}
		case overlay.Entries:
			for i, item := range value.([]any) {
				pair := item.(map[string]any)
				out = append(out, edit{below(path, fmt.Sprint(i)), func(to any) { pair["value"] = to }, pair["value"]})
			}
		default:
			out = append(out, edit{path, func(to any) { given[f.Name] = to }, value})
		}
	}
	return out
}

// another is another value of the same sort.
func another(e edit) any {
	switch v := e.is.(type) {
	case bool:
		return !v
	case int64:
		return v + 100_000
	case []any:
		return append(slices.Clone(v), v[0])
	case string:
		for _, words := range [][]string{
			{"IF_NOT_PRESENT", "NEVER"}, {"UDP", "SCTP"}, {"HTTPS", "HTTP"}, {"ON_FAILURE", "NEVER"}, {"ALWAYS", "NEVER"}, {"FALLBACK_TO_LOGS_ON_ERROR", "FILE"},
			{"HOST_TO_CONTAINER", "BIDIRECTIONAL"}, {"LOCALHOST", "UNCONFINED"}, {"ON_ROOT_MISMATCH", "ALWAYS"}, {"EQUAL", "EXISTS"}, {"NO_EXECUTE", "NO_SCHEDULE"},
			{"NOT_IN", "IN"}, {"SCHEDULE_ANYWAY", "DO_NOT_SCHEDULE"}, {"IGNORE", "HONOR"}, {"CLUSTER_FIRST_WITH_HOST_NET", "NONE"}, {"BLOCK", "FILESYSTEM"},
			{"ROLLING_UPDATE", "RECREATE"}, {"ON_DELETE", "ROLLING_UPDATE"}, {"PARALLEL", "ORDERED_READY"}, {"DELETE", "RETAIN"}, {"INDEXED", "NON_INDEXED"}, {"FORBID", "REPLACE"},
		} {
			if v == words[0] {
				return words[1]
			}
		}
		if quantity, ok := strings.CutSuffix(v, "Mi"); ok {
			return quantity + "Gi"
		}
		return v + "0"
	}
	return nil
}

// Every value of every form is changed, alone: the object differs in it and in nothing else.
func TestOneEditChangesOneField(t *testing.T) {
	for _, kind := range model.WorkloadKinds {
		t.Run(string(kind), func(t *testing.T) {
			before := full(t, kind)
			seen := map[string]bool{}
			for i, e := range edits(forms[kind], first(Read(kind, before)), nil) {
				name := general(strings.Join(e.path, "/")) // of each field once, the second of two items where there are two
				if len(e.path) < 3 || !slices.Contains(e.path, "1") || seen[name] {
					if len(e.path) > 2 || seen[name] {
						continue
					}
				}
				seen[name] = true
				if kind != deployment && len(e.path) > 3 {
					continue // in pods, which are the same for all
				}
				form, _ := Read(kind, again(t, before))
				e = edits(forms[kind], form, nil)[i]
				to := another(e)
				e.set(to)
				object := again(t, before)
				if problems := Apply(kind, object, sent(form, kind)); len(problems) > 0 {
					t.Fatalf("%s to %v: %v", e.path, to, problems)
				}
				if changes := different("", before, object); len(changes) != 1 {
					t.Errorf("%s from %v to %v changes %s", e.path, e.is, to, changes)
				}
				after, _ := Read(kind, object)
				if diff := cmp.Diff(form, after); diff != "" {
					t.Errorf("%s is read back otherwise (-want +got):\n%s", e.path, diff)
				}
				// And taken back it is as it was, with all that no form shows.
				e.set(e.is)
				if problems := Apply(kind, object, sent(form, kind)); len(problems) > 0 {
					t.Fatal(problems)
				}
				if diff := cmp.Diff(before, object); diff != "" {
					t.Fatalf("%s from %v to %v and back (-before +after):\n%s", e.path, e.is, to, diff)
				}
			}
			t.Logf("%d fields", len(seen))
		})
	}
}

// different are the places in which two documents differ, by position.
func different(at string, a, b any) (out []string) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for name := range a {
				out = append(out, different(at+"/"+name, a[name], b[name])...)
			}
			for name := range b {
				if _, there := a[name]; !there {
					out = append(out, at+"/"+name)
				}
			}
			return out
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				out = append(out, different(at+"/"+strconv.Itoa(i), a[i], b[i])...)
			}
			return out
		}
	}
	if !reflect.DeepEqual(a, b) {
		out = []string{at}
	}
	return out
}

func first[A, B any](a A, _ B) A { return a }

// A form makes a workload of which the form is that form.
func TestAFormMakesWhatItIsTheFormOf(t *testing.T) {
	for _, kind := range model.WorkloadKinds {
		form, _ := Read(kind, full(t, kind))
		object, problems := New(kind, "shop", "cart", sent(form, kind))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		got, hidden := Read(kind, object)
		if diff := cmp.Diff(form, got); diff != "" || len(hidden) > 0 {
			t.Errorf("%s (-want +got):\n%s\nhidden: %s", kind, diff, hidden)
		}
	}
}

// What no form shows is known: a field that a new version of Kubernetes has is here, or in a form.
func TestWhatNoFormShows(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range model.WorkloadKinds {
		object := full(t, kind)
		_, hidden := Read(kind, object)
		for _, path := range hidden {
			seen[general(path)] = true
		}
	}
	got := slices.Sorted(maps.Keys(seen))
	if diff := cmp.Diff(known, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// general is a path without the kind and the items that it goes through.
func general(path string) string {
	path = strings.Replace(path, "/spec/jobTemplate/spec/template/", "/spec/template/", 1)
	path = strings.Replace(path, "/spec/jobTemplate/spec/", "/spec/", 1)
	var out []string
	for _, step := range strings.Split(path, "/") {
		step, _, _ = strings.Cut(step, "[")
		if strings.Trim(step, "0123456789") == "" && step != "" {
			continue
		}
		out = append(out, step)
	}
	return strings.Replace(strings.Join(out, "/"), "initContainers", "containers", 1)
}

// known is what forms leave to manifests.
var known = []string{
	"/metadata/finalizers",
	"/metadata/generateName",
	"/metadata/ownerReferences",
	"/spec/backoffLimitPerIndex",
	"/spec/jobTemplate/metadata/deletionGracePeriodSeconds",
	"/spec/jobTemplate/metadata/finalizers",
	"/spec/jobTemplate/metadata/generateName",
	"/spec/jobTemplate/metadata/generation",
	"/spec/jobTemplate/metadata/managedFields",
	"/spec/jobTemplate/metadata/name",
	"/spec/jobTemplate/metadata/namespace",
	"/spec/jobTemplate/metadata/ownerReferences",
	"/spec/jobTemplate/metadata/resourceVersion",
	"/spec/jobTemplate/metadata/selfLink",
	"/spec/jobTemplate/metadata/uid",
	"/spec/managedBy",
	"/spec/manualSelector",
	"/spec/maxFailedIndexes",
	"/spec/ordinals",
	"/spec/podFailurePolicy",
	"/spec/podReplacementPolicy",
	"/spec/selector",
	"/spec/successPolicy",
	"/spec/suspend",
	"/spec/template/metadata/deletionGracePeriodSeconds",
	"/spec/template/metadata/finalizers",
	"/spec/template/metadata/generateName",
	"/spec/template/metadata/generation",
	"/spec/template/metadata/managedFields",
	"/spec/template/metadata/name",
	"/spec/template/metadata/namespace",
	"/spec/template/metadata/ownerReferences",
	"/spec/template/metadata/resourceVersion",
	"/spec/template/metadata/selfLink",
	"/spec/template/metadata/uid",
	"/spec/template/spec/activeDeadlineSeconds",
	"/spec/template/spec/containers/env/valueFrom/fileKeyRef",
	"/spec/template/spec/containers/lifecycle/stopSignal",
	"/spec/template/spec/containers/resizePolicy",
	"/spec/template/spec/containers/resources/claims",
	"/spec/template/spec/containers/restartPolicyRules",
	"/spec/template/spec/containers/securityContext/appArmorProfile",
	"/spec/template/spec/containers/securityContext/procMount",
	"/spec/template/spec/containers/securityContext/seLinuxOptions",
	"/spec/template/spec/containers/securityContext/windowsOptions",
	"/spec/template/spec/containers/stdinOnce",
	"/spec/template/spec/containers/volumeMounts/recursiveReadOnly",
	"/spec/template/spec/ephemeralContainers",
	"/spec/template/spec/hostUsers",
	"/spec/template/spec/hostnameOverride",
	"/spec/template/spec/os",
	"/spec/template/spec/overhead",
	"/spec/template/spec/preemptionPolicy",
	"/spec/template/spec/priority",
	"/spec/template/spec/readinessGates",
	"/spec/template/spec/resourceClaims",
	"/spec/template/spec/resources",
	"/spec/template/spec/schedulingGates",
	"/spec/template/spec/securityContext/appArmorProfile",
	"/spec/template/spec/securityContext/seLinuxChangePolicy",
	"/spec/template/spec/securityContext/seLinuxOptions",
	"/spec/template/spec/securityContext/supplementalGroupsPolicy",
	"/spec/template/spec/securityContext/windowsOptions",
	"/spec/template/spec/serviceAccount",
	"/spec/template/spec/setHostnameAsFQDN",
	"/spec/template/spec/volumes/awsElasticBlockStore",
	"/spec/template/spec/volumes/azureDisk",
	"/spec/template/spec/volumes/azureFile",
	"/spec/template/spec/volumes/cephfs",
	"/spec/template/spec/volumes/cinder",
	"/spec/template/spec/volumes/ephemeral",
	"/spec/template/spec/volumes/fc",
	"/spec/template/spec/volumes/flexVolume",
	"/spec/template/spec/volumes/flocker",
	"/spec/template/spec/volumes/gcePersistentDisk",
	"/spec/template/spec/volumes/gitRepo",
	"/spec/template/spec/volumes/glusterfs",
	"/spec/template/spec/volumes/image",
	"/spec/template/spec/volumes/iscsi",
	"/spec/template/spec/volumes/photonPersistentDisk",
	"/spec/template/spec/volumes/portworxVolume",
	"/spec/template/spec/volumes/projected/sources/clusterTrustBundle",
	"/spec/template/spec/volumes/projected/sources/podCertificate",
	"/spec/template/spec/volumes/quobyte",
	"/spec/template/spec/volumes/rbd",
	"/spec/template/spec/volumes/scaleIO",
	"/spec/template/spec/volumes/storageos",
	"/spec/template/spec/volumes/vsphereVolume",
	"/spec/template/spec/workloadRef",
	"/spec/volumeClaimTemplates/metadata/deletionGracePeriodSeconds",
	"/spec/volumeClaimTemplates/metadata/finalizers",
	"/spec/volumeClaimTemplates/metadata/generateName",
	"/spec/volumeClaimTemplates/metadata/generation",
	"/spec/volumeClaimTemplates/metadata/managedFields",
	"/spec/volumeClaimTemplates/metadata/namespace",
	"/spec/volumeClaimTemplates/metadata/ownerReferences",
	"/spec/volumeClaimTemplates/metadata/resourceVersion",
	"/spec/volumeClaimTemplates/metadata/selfLink",
	"/spec/volumeClaimTemplates/metadata/uid",
	"/spec/volumeClaimTemplates/spec/dataSource",
	"/spec/volumeClaimTemplates/spec/dataSourceRef",
	"/spec/volumeClaimTemplates/spec/resources/limits",
	"/spec/volumeClaimTemplates/spec/resources/requests/text-4861",
	"/spec/volumeClaimTemplates/spec/resources/requests/text-4863",
	"/spec/volumeClaimTemplates/spec/resources/requests/text-5028",
	"/spec/volumeClaimTemplates/spec/resources/requests/text-5030",
	"/spec/volumeClaimTemplates/spec/selector",
	"/spec/volumeClaimTemplates/spec/volumeAttributesClassName",
}
