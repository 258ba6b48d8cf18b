package proxy

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
)

// refusal is a *model.Error with another status than that of its code.
type refusal struct {
	cause  *model.Error
	status int
	reason metav1.StatusReason
	causes []metav1.StatusCause
}

func (r *refusal) Error() string { return r.cause.Error() }

func (r *refusal) Unwrap() error { return r.cause }

func limitExceeded(status int, limit, format string, args ...any) error {
	reason := metav1.StatusReasonTooManyRequests
	if status == http.StatusRequestEntityTooLarge {
		reason = metav1.StatusReasonRequestEntityTooLarge
	}
	return &refusal{status: status, reason: reason, cause: &model.Error{Code: model.CodeLimitExceeded,
		Message: fmt.Sprintf(format, args...) + " (limit " + limit + ")"}}
}

var (
	errDraining = &model.Error{Code: model.CodeUnavailable, Retryable: true, Message: "this server is shutting down; another one will answer"}
	errRevoked  = &model.Error{Code: model.CodeUnauthenticated, Message: "what you may do here has changed; sign in again"}
)

// reasonRequestTimeout is the reason for a status for which Kubernetes has none: its Timeout is a server's.
const reasonRequestTimeout metav1.StatusReason = "RequestTimeout"

// errStalled is for a client that stops sending a body.
var errStalled = &refusal{status: http.StatusRequestTimeout, reason: reasonRequestTimeout,
	cause: &model.Error{Code: model.CodeBadUserInput, Message: "the body of the request did not come in time"}}

// answers is the HTTP status and the reason for each code.
var answers = map[model.Code]struct {
	status int
	reason metav1.StatusReason
}{
	model.CodeUnauthenticated: {http.StatusUnauthorized, metav1.StatusReasonUnauthorized},
	model.CodeForbidden:       {http.StatusForbidden, metav1.StatusReasonForbidden},
	model.CodeNotFound:        {http.StatusNotFound, metav1.StatusReasonNotFound},
	model.CodeBadUserInput:    {http.StatusBadRequest, metav1.StatusReasonBadRequest},
	model.CodeConflict:        {http.StatusConflict, metav1.StatusReasonConflict},
	model.CodeUnavailable:     {http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable},
	model.CodeStale:           {http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable},
	model.CodeNotSynced:       {http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable},
	model.CodeTimeout:         {http.StatusGatewayTimeout, metav1.StatusReasonTimeout},
	model.CodeLimitExceeded:   {http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests},
}

// statusOf is an error in Kubernetes' form: everything except its cause. Any other error than a *model.Error is masked.
func statusOf(err error) *metav1.Status {
	out := &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError,
		Message: "internal error; the server's log tells more under the request id"}
	known, special := (*model.Error)(nil), (*refusal)(nil)
	if !errors.As(err, &known) {
		return out
	}
	if a, ok := answers[known.Code]; ok {
		out.Code, out.Reason, out.Message = int32(a.status), a.reason, known.Message
	}
	if errors.As(err, &special) {
		out.Code, out.Reason = int32(special.status), special.reason
		if len(special.causes) > 0 {
			out.Details = &metav1.StatusDetails{Causes: special.causes}
		}
	}
	if out.Code == http.StatusServiceUnavailable || out.Code == http.StatusTooManyRequests {
		out.Details = &metav1.StatusDetails{RetryAfterSeconds: 1}
	}
	return out
}

// Refuse answers a request with an error as the proxy does: a Kubernetes Status in JSON, and the headers that go with
// it. The server uses it for callers whom it does not admit to the proxy's paths.
func Refuse(w http.ResponseWriter, err error) {
	s := statusOf(err)
	h := w.Header()
	switch s.Code {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="kairship"`)
	case http.StatusServiceUnavailable, http.StatusTooManyRequests:
		h.Set("Retry-After", "1")
	case http.StatusRequestEntityTooLarge:
		h.Set("Connection", "close")
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(int(s.Code))
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return // the client has left
	}
}
