package karmada

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

func TestExplain(t *testing.T) {
	status := func(code int32, reason metav1.StatusReason, message string, causes ...metav1.StatusCause) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: reason, Message: message,
			Details: &metav1.StatusDetails{Name: "cart", Causes: causes}}}
	}
	user := func(code model.Code, message string, field ...string) failure {
		return failure{UserError: model.UserError{Code: string(code), Message: message, Field: field}}
	}
	down := func(code model.Code, message string) failure {
		f := user(code, message)
		f.outage, f.unknown = true, strings.Contains(message, "may have been made")
		return f
	}
	broken := func(message string) failure {
		f := user(model.CodeUnavailable, message)
		f.broken = true
		return f
	}
	dial := &url.Error{Op: "Patch", URL: "https://10.0.0.1:5443/api", Err: &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}}
	cases := []struct {
		name string
		err  error
		want failure
	}{
		{"a field that another manager owns names the manager", status(409, metav1.StatusReasonConflict, "Apply failed with 1 conflict",
			metav1.StatusCause{Type: metav1.CauseTypeFieldManagerConflict, Message: `conflict with "kubectl" using apps/v1`, Field: ".spec.replicas"},
			metav1.StatusCause{Type: metav1.CauseTypeFieldManagerConflict, Message: `conflict with "kubectl" using apps/v1`, Field: `.spec.template.spec.containers[name="web"].image`}),
			user(model.CodeConflict, `spec.replicas is owned by "kubectl" using apps/v1; spec.template.spec.containers[name="web"].image is owned by "kubectl" using apps/v1 (force takes fields over)`, "spec", "replicas")},
		{"a stale version is a conflict in the server's words", status(409, metav1.StatusReasonConflict, "the object has been modified"),
			user(model.CodeConflict, "the object has been modified")},
		{"a uid that is another object's is a conflict", status(422, metav1.StatusReasonInvalid, `field is immutable`, metav1.StatusCause{Field: "metadata.uid"}),
			user(model.CodeConflict, "it is not the object that is meant: field is immutable", "metadata", "uid")},
		{"an invalid value names its field", status(422, metav1.StatusReasonInvalid, "must be at least 0", metav1.StatusCause{Field: "spec.template.spec.containers[0].name"}),
			user(model.CodeBadUserInput, "must be at least 0", "spec", "template", "spec", "containers", "0", "name")},
		{"several invalid values are told one by one", status(422, metav1.StatusReasonInvalid, "all of it", metav1.StatusCause{Field: "spec.replicas", Message: "too few"},
			metav1.StatusCause{Field: "spec.template.spec.containers[0].env[1].name", Message: "password=hunter2"}, metav1.StatusCause{Field: "<nil>"}),
			failure{UserError: model.UserError{Code: "BAD_USER_INPUT", Message: "all of it", Field: []string{"spec", "replicas"}}, causes: []model.UserError{
				{Code: "BAD_USER_INPUT", Message: "spec.replicas: too few", Field: []string{"spec", "replicas"}},
				{Code: "BAD_USER_INPUT", Message: "spec.template.spec.containers[0].env[1].name: password=[redacted]", Field: []string{"spec", "template", "spec", "containers", "0", "env", "1", "name"}},
			}}},
		{"an unknown field is named", status(400, metav1.StatusReasonBadRequest, `strict decoding error: unknown field "spec.replics"`),
			user(model.CodeBadUserInput, `strict decoding error: unknown field "spec.replics"`, "spec", "replics")},
		{"a field that the schema does not declare is named", status(500, metav1.StatusReasonInternalError, `failed to create typed patch object (shop/cart; apps/v1, Kind=Deployment): .spec.replics: field not declared in schema`),
			user(model.CodeBadUserInput, `failed to create typed patch object (shop/cart; apps/v1, Kind=Deployment): .spec.replics: field not declared in schema`, "spec", "replics")},
		{"what the person may not do", status(403, metav1.StatusReasonForbidden, `deployments.apps "cart" is forbidden: User "kairship:host:eve" cannot patch`),
			user(model.CodeForbidden, `deployments.apps "cart" is forbidden: User "kairship:host:eve" cannot patch`)},
		{"the value of a Secret that the server repeats", &apierrors.StatusError{ErrStatus: metav1.Status{Code: 422, Reason: metav1.StatusReasonInvalid,
			Message: `Secret "db" is invalid: data[password]: Invalid value: "hunter2"`, Details: &metav1.StatusDetails{Kind: "Secret", Name: "db"}}},
			user(model.CodeBadUserInput, `Secret "db" is invalid: [redacted]`)},
		{"the credential of Kairship that a server repeats", status(400, metav1.StatusReasonBadRequest, `no: Bearer hunter2`), user(model.CodeBadUserInput, `no: Bearer [redacted]`)},
		{"a quota", status(403, metav1.StatusReasonForbidden, `pods "cart" is forbidden: exceeded quota: small`),
			user(model.CodeLimitExceeded, `pods "cart" is forbidden: exceeded quota: small`)},
		{"what a webhook refuses is the content, whatever status it chose", status(403, metav1.StatusReasonForbidden, `admission webhook "p.karmada.io" denied the request: spec.placement is wrong`),
			user(model.CodeBadUserInput, `admission webhook "p.karmada.io" denied the request: spec.placement is wrong`)},
		{"the field that a webhook names", status(403, metav1.StatusReasonForbidden, `admission webhook "p.karmada.io" denied the request: spec.placement.spreadConstraints[1].minGroups: Invalid value: 3: too many`),
			user(model.CodeBadUserInput, `admission webhook "p.karmada.io" denied the request: spec.placement.spreadConstraints[1].minGroups: Invalid value: 3: too many`, "spec", "placement", "spreadConstraints", "1", "minGroups")},
		{"the first field that a webhook names", status(403, metav1.StatusReasonForbidden, `admission webhook "p.karmada.io" denied the request: [spec.ports[0].name: Duplicate value: "a", spec.types: Invalid value]`),
			user(model.CodeBadUserInput, `admission webhook "p.karmada.io" denied the request: [spec.ports[0].name: Duplicate value: "a", spec.types: Invalid value]`, "spec", "ports", "0", "name")},
		{"a webhook that is down is named without its address", status(500, metav1.StatusReasonInternalError, `failed calling webhook "p.karmada.io": Post "https://127.0.0.1:8443/p": connection refused`),
			broken(`the webhook "p.karmada.io" of instance "asia" does not answer`)},
		{"what is not there", status(404, metav1.StatusReasonNotFound, `namespaces "shop" not found`), user(model.CodeNotFound, `namespaces "shop" not found`)},
		{"what is there already", status(409, metav1.StatusReasonAlreadyExists, `exists`), user(model.CodeConflict, `exists`)},
		{"what is too large", status(413, metav1.StatusReasonRequestEntityTooLarge, "limit is 3145728"), user(model.CodeLimitExceeded, "limit is 3145728")},
		{"another bug of the server is not shown", status(500, metav1.StatusReasonInternalError, "etcdserver: 10.0.0.1"), broken(`the API server of instance "asia" failed on it (status 500)`)},
		{"Kairship's own credential is not the person's fault", status(401, metav1.StatusReasonUnauthorized, "Unauthorized"), down(model.CodeUnavailable, `instance "asia" refuses Kairship's credential`)},
		{"a server that is overrun", status(429, metav1.StatusReasonTooManyRequests, "slow down"), down(model.CodeUnavailable, `the API server of instance "asia" is not available`)},
		{"a server that is starting", status(503, metav1.StatusReasonServiceUnavailable, "no"), down(model.CodeUnavailable, `the API server of instance "asia" is not available`)},
		{"a server that ran out of time", status(504, metav1.StatusReasonTimeout, "no"), down(model.CodeTimeout, `the API server of instance "asia" ran out of time; the change may have been made`)},
		{"a server that broke off may have made the change", &url.Error{Op: "Patch", URL: "https://10.0.0.1:5443/api", Err: io.ErrUnexpectedEOF},
			down(model.CodeUnavailable, `the API server of instance "asia" cannot be reached; the change may have been made`)},
		{"nothing is made by what came before the write", unwritten{fmt.Errorf("get: %w", context.DeadlineExceeded)},
			down(model.CodeTimeout, `the API server of instance "asia" did not answer in time`)},
		{"a server that is not there is not named by address", dial, down(model.CodeUnavailable, `the API server of instance "asia" cannot be reached`)},
		{"a server that does not answer", fmt.Errorf("patch: %w", context.DeadlineExceeded), down(model.CodeTimeout, `the API server of instance "asia" did not answer in time; the change may have been made`)},
		{"a person who went away", context.Canceled, down(model.CodeTimeout, "the request was given up; the change may have been made")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, explain("asia", c.err), cmp.AllowUnexported(failure{})); diff != "" {
				t.Errorf("failure (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFieldPath(t *testing.T) {
	cases := []struct {
		name, path string
		want       []string
	}{
		{"dots part names", "spec.replicas", []string{"spec", "replicas"}},
		{"a leading dot is none", ".spec", []string{"spec"}},
		{"brackets hold an index", "spec.containers[0].name", []string{"spec", "containers", "0", "name"}},
		{"a key in brackets keeps its dots", "metadata.labels[app.kubernetes.io/name].x", []string{"metadata", "labels", "app.kubernetes.io/name", "x"}},
		{"brackets in brackets stay", `a[k="[x]"]`, []string{"a", `k="[x]"`}},
		{"nothing is nothing", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, fieldPath(c.path)); diff != "" {
				t.Errorf("path (-want +got):\n%s", diff)
			}
		})
	}
}
