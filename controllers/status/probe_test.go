package status

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// script answers as it is told to.
type script struct {
	bodies  map[string]string
	errs    map[string]error
	labels  map[string]string
	policy  error
	refused error
}

func (s script) Fetch(_ context.Context, path string) ([]byte, error) {
	return []byte(s.bodies[path]), s.errs[path]
}
func (s script) TryPolicy(context.Context) (map[string]string, error) { return s.labels, s.policy }
func (s script) Refused() error                                       { return s.refused }
func (s script) Members() ([]*clusterv1alpha1.Cluster, bool)          { return nil, true }
func answer(code int, body string) error {
	return &connection.StatusError{Code: code, Status: fmt.Sprint(code, " ", http.StatusText(code)), Body: body}
}

func TestWhatAnAPIServerAnswersIsUnderstood(t *testing.T) {
	refusal := apierrors.NewForbidden(schema.GroupResource{Resource: "namespaces"}, "kube-system", errors.New("no"))
	for name, tt := range map[string]struct {
		karmada script
		want    health.Saying
	}{
		"it is ready": {script{}, well(v1alpha1.ReasonAnswering, "the Karmada API server answers")},
		"it does not say whether it is ready": {
			script{errs: map[string]error{readyPath: answer(http.StatusForbidden, "")}}, well(v1alpha1.ReasonAnswering, "the Karmada API server answers"),
		},
		"its etcd is down": {
			script{errs: map[string]error{readyPath: answer(http.StatusInternalServerError, "[+]ping ok\n[-]etcd failed: reason withheld\n[-]etcd-readiness failed: reason withheld\nreadyz check failed")}},
			ill(v1alpha1.ReasonNotAnswering, "the Karmada API server is not ready: it says that these fail: etcd, etcd-readiness"),
		},
		"the credential is unknown": {
			script{errs: map[string]error{readyPath: answer(http.StatusUnauthorized, "")}}, ill(v1alpha1.ReasonRefused, "Karmada refuses the credential: answers 401 Unauthorized"),
		},
		"the credential may do nothing": {
			script{refused: refusal}, ill(v1alpha1.ReasonRefused, `Karmada refuses the credential: namespaces "kube-system" is forbidden: no`),
		},
		"a broken connection, in the same words whichever port it had": {
			script{errs: map[string]error{readyPath: &net.OpError{Op: "read", Net: "tcp",
				Source: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 40123}, Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 2), Port: 5443}, Err: syscall.ECONNRESET}}},
			ill(v1alpha1.ReasonUnreachable, "Karmada does not answer: read 10.0.0.2:5443: connection reset by peer"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, askAPIServer(t.Context(), tt.karmada)); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatAMemberAnswersIsUnderstood(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want health.Saying
	}{
		"it answers": {nil, well(v1alpha1.ReasonAnswering, "answers")},
		"Karmada says why it does not": {
			answer(http.StatusServiceUnavailable, `{"kind":"Status","status":"Failure","message":"error trying to reach service: dial tcp 10.0.0.1:40123->10.0.0.2:6443: connect: connection refused"}`),
			ill(v1alpha1.ReasonNotAnswering, "error trying to reach service: dial tcp 10.0.0.2:6443: connect: connection refused"),
		},
		"Karmada says nothing": {answer(http.StatusBadGateway, "<html>"), ill(v1alpha1.ReasonNotAnswering, "answers 502 Bad Gateway")},
		"it hangs":             {context.DeadlineExceeded, ill(v1alpha1.ReasonNotAnswering, "no answer in time")},
		"Kairship may not ask": {answer(http.StatusForbidden, ""), noEvidence("may not be asked: answers 403 Forbidden")},
	} {
		t.Run(name, func(t *testing.T) {
			got := askMember(t.Context(), script{errs: map[string]error{memberPath("hangzhou"): tt.err}}, "hangzhou")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatTheAdmissionOfAPolicyTellsOfTheWebhook(t *testing.T) {
	answersIt := well(v1alpha1.ReasonAnswering, "the admission webhook of policies answers")
	policies := schema.GroupResource{Group: policyv1alpha1.GroupName, Resource: "propagationpolicies"}
	strict := callers{any: true, strict: true, karmada: true}
	for name, tt := range map[string]struct {
		who    callers
		err    error
		labels map[string]string
		want   health.Saying
	}{
		"there is none":                          {callers{}, errors.New("not asked"), nil, noEvidence("Karmada has no admission webhook for policies")},
		"it let the policy pass":                 {strict, nil, nil, answersIt},
		"it denied it":                           {strict, errors.New(`admission webhook "propagationpolicy.karmada.io" denied the request: no`), nil, answersIt},
		"there is such a policy":                 {strict, apierrors.NewAlreadyExists(policies, probePolicy), nil, answersIt},
		"it is down":                             {strict, apierrors.NewInternalError(errors.New(`failed calling webhook "x": refused`)), nil, ill(v1alpha1.ReasonNotAnswering, `failed calling webhook "x": refused`)},
		"it hangs":                               {strict, fmt.Errorf("asking: %w", context.DeadlineExceeded), nil, ill(v1alpha1.ReasonNotAnswering, "the admission of a policy was not answered in time")},
		"it may be down, and left its mark":      {callers{any: true, karmada: true}, nil, map[string]string{policyv1alpha1.PropagationPolicyPermanentIDLabel: "id"}, answersIt},
		"it may be down, and did not":            {callers{any: true, karmada: true}, nil, nil, ill(v1alpha1.ReasonNotAnswering, "policies are admitted without what Karmada's webhook adds to them")},
		"it may be down, and leaves no mark":     {callers{any: true}, nil, nil, noEvidence("policies are admitted whether or not the webhook answers")},
		"Kairship may not make policies":         {strict, apierrors.NewForbidden(policies, "", errors.New("no")), nil, noEvidence(`Kairship may not try to make a policy: propagationpolicies.policy.karmada.io is forbidden: no`)},
		"a webhook that cannot be tried is told": {strict, apierrors.NewBadRequest("admission webhook does not support dry run"), nil, noEvidence("a policy cannot be tried: admission webhook does not support dry run")},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, askWebhook(t.Context(), script{policy: tt.err, labels: tt.labels}, tt.who)); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheWebhooksThatSeeAPolicyAreFound(t *testing.T) {
	const mutating, validating = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
	one := func(name, policy, group, resource, operation string) string {
		return fmt.Sprintf(`{"items":[{"webhooks":[{"name":%q,"failurePolicy":%q,"rules":[{"operations":[%q],"apiGroups":[%q],"apiVersions":["*"],"resources":[%q]}]}]}]}`, name, policy, operation, group, resource)
	}
	for name, tt := range map[string]struct {
		mutating, validating string
		want                 callers
	}{
		"none":                 {`{}`, `{}`, callers{}},
		"Karmada's":            {one("propagationpolicy.karmada.io", "Fail", "policy.karmada.io", "propagationpolicies", "CREATE"), `{}`, callers{any: true, strict: true, karmada: true}},
		"one that may fail":    {one("propagationpolicy.karmada.io", "Ignore", "policy.karmada.io", "propagationpolicies", "*"), `{}`, callers{any: true, karmada: true}},
		"one of all resources": {`{}`, one("all.example.com", "Fail", "*", "*", "CREATE"), callers{any: true, strict: true}},
		"one of other things":  {one("work.karmada.io", "Fail", "work.karmada.io", "works", "CREATE"), one("x", "Fail", "policy.karmada.io", "propagationpolicies", "DELETE"), callers{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := askCallers(t.Context(), script{bodies: map[string]string{mutating: tt.mutating, validating: tt.validating}})
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("want %+v, got %+v", tt.want, got)
			}
		})
	}
}

func TestTheMetricsOfMembersAreSpokenOfWhereThereAreAny(t *testing.T) {
	if _, there := askMetrics(t.Context(), script{errs: map[string]error{metricsPath: answer(http.StatusNotFound, "")}}); there {
		t.Error("an adapter that is not installed is spoken of")
	}
	said, there := askMetrics(t.Context(), script{errs: map[string]error{metricsPath: answer(http.StatusServiceUnavailable, "")}})
	if !there || said.State != health.Ill {
		t.Errorf("an adapter that is down: %v %+v", there, said)
	}
}
