package access

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func TestWhereAnAccessBindingIsInForce(t *testing.T) {
	type entries = []v1alpha1.AccessApplication
	down := report{trouble: trouble{"Unreachable", "Karmada does not answer"}}
	said := func(r result) report { return report{results: map[string]result{"b": r}} }
	done, nothing := said(result{generation: 2, applied: true}), report{}
	of := func(instance string) v1alpha1.AccessScope { return v1alpha1.AccessScope{Instance: instance} }
	for name, tt := range map[string]struct {
		user     string
		scope    v1alpha1.AccessScope
		deleting bool
		before   entries
		reports  map[string]report
		// missing are instances that have not been looked at.
		missing []string
		unknown bool
		want    entries
		status  metav1.ConditionStatus
		reason  string
		message string
	}{
		"everywhere": {scope: of(""), reports: map[string]report{"asia": done, "europe": done},
			want: entries{{Name: "asia", Applied: true}, {Name: "europe", Applied: true}}, status: "True", reason: "Applied", message: "in force in 2 of 2 instances"},
		"there are no instances": {scope: of(""), status: "True", reason: "Applied", message: "in 0 of 0"},
		"on one":                 {scope: of("asia"), reports: map[string]report{"asia": done, "europe": nothing}, want: entries{{Name: "asia", Applied: true}}, status: "True", reason: "Applied"},
		"an instance that is not there": {scope: of("mars"), reports: map[string]report{"asia": nothing},
			status: "False", reason: "InstanceNotFound", message: `there is no instance "mars"`},
		"one has not been looked at":               {scope: of(""), reports: map[string]report{"asia": done}, missing: []string{"europe"}, unknown: true},
		"one has not heard of it":                  {scope: of(""), reports: map[string]report{"asia": done, "europe": nothing}, unknown: true},
		"one has not heard of its newest form":     {scope: of("asia"), reports: map[string]report{"asia": said(result{generation: 1, applied: true})}, unknown: true},
		"another of that name is what was applied": {scope: of("asia"), reports: map[string]report{"asia": said(result{uid: "other", generation: 2, applied: true})}, unknown: true},
		"a namespace is missing": {scope: of("asia"), reports: map[string]report{"asia": said(result{generation: 2, applied: true, message: "waits for x"})},
			want: entries{{Name: "asia", Applied: true, Message: "waits for x"}}, status: "True", reason: "Applied", message: "asia: waits for x"},
		"refused": {scope: of("asia"), reports: map[string]report{"asia": said(result{generation: 2, reason: "RoleRefused", message: "no"})},
			want: entries{{Name: "asia", Message: "no"}}, status: "False", reason: "RoleRefused", message: "in force in 0 of 1 instances; asia: no"},
		"one does not answer, ever": {scope: of(""), reports: map[string]report{"asia": done, "europe": down},
			want: entries{{Name: "asia", Applied: true}, {Name: "europe", Message: "Karmada does not answer"}}, status: "False", reason: "Unreachable", message: "1 of 2"},
		"one does not answer any more": {scope: of("asia"), before: entries{{Name: "asia", Applied: true}}, reports: map[string]report{"asia": down},
			want: entries{{Name: "asia", Applied: true, Message: "Karmada does not answer"}}, status: "False", reason: "Unreachable"},
		"moved on": {scope: of("asia"), before: entries{{Name: "europe", Applied: true}}, reports: map[string]report{"asia": done, "europe": nothing},
			want: entries{{Name: "asia", Applied: true}}, status: "True", reason: "Applied"},
		"moved on from one that does not answer": {scope: of("asia"), before: entries{{Name: "europe", Applied: true}}, reports: map[string]report{"asia": done, "europe": down},
			want:   entries{{Name: "asia", Applied: true}, {Name: "europe", Applied: true, Message: "it is to be taken away: Karmada does not answer"}},
			status: "False", reason: "Revoking"},
		"moved on from one that is no more": {scope: of("asia"), before: entries{{Name: "mars", Applied: true}}, reports: map[string]report{"asia": done},
			want: entries{{Name: "asia", Applied: true}}, status: "True", reason: "Applied"},
		"a name without an origin": {user: "ann", scope: of("asia"), reports: map[string]report{"asia": done},
			want: entries{{Name: "asia", Applied: true}}, status: "True", reason: "Applied", message: `nobody signs in to Kairship as "ann"`},
		"taken away everywhere":           {scope: of(""), deleting: true, before: entries{{Name: "asia", Applied: true}}, reports: map[string]report{"asia": nothing}, status: "False", reason: "Revoking"},
		"to be taken away, not heard yet": {scope: of(""), deleting: true, reports: map[string]report{"asia": done}, unknown: true},
		"taken away but where nobody answers": {scope: of(""), deleting: true, before: entries{{Name: "asia", Applied: true}, {Name: "europe", Applied: true}}, reports: map[string]report{"asia": nothing, "europe": down},
			want: entries{{Name: "europe", Applied: true, Message: "it is to be taken away: Karmada does not answer"}}, status: "False", reason: "Revoking", message: "in force in 1 of 1 instances; europe: it is to be taken away"},
		"taken away, and never was where nobody answers": {scope: of(""), deleting: true, before: entries{{Name: "europe"}}, reports: map[string]report{"europe": down}, status: "False", reason: "Revoking"},
		"taken away, and the instance is no more":        {scope: of("mars"), deleting: true, before: entries{{Name: "mars", Applied: true}}, status: "False", reason: "Revoking"},
	} {
		t.Run(name, func(t *testing.T) {
			user := tt.user
			if user == "" {
				user = "kairship:oidc:ann"
			}
			b := accessBinding("b", user, "Viewer", tt.scope)
			b.Generation, b.Status.Instances = 2, tt.before
			if tt.deleting {
				now := metav1.Now()
				b.DeletionTimestamp = &now
			}
			there := map[string]bool{}
			for instance := range tt.reports {
				there[instance] = true
			}
			for _, instance := range tt.missing {
				there[instance] = true
			}
			got, known := judge(&b, there, func(instance string) (report, bool) { r, ok := tt.reports[instance]; return r, ok })
			if known == tt.unknown {
				t.Fatalf("known: %v", known)
			}
			if tt.unknown {
				return
			}
			if diff := cmp.Diff(tt.want, got.Instances); diff != "" {
				t.Errorf("instances (-want +got):\n%s", diff)
			}
			c := got.Conditions[0]
			if c.Status != tt.status || c.Reason != tt.reason || !strings.Contains(c.Message, tt.message) {
				t.Errorf("want %s %s %q, got %+v", tt.status, tt.reason, tt.message, c)
			}
		})
	}
}
