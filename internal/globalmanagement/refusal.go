package globalmanagement

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/kairship-io/kairship/internal/model"
)

// reason is why a request was refused: part of the protocol, and a label of the metrics.
type reason string

// The reasons. Those before reasonLate reveal nothing to a sender without a secret; the others are returned only to
// senders that have one.
const (
	reasonMethod      reason = "METHOD_NOT_ALLOWED"
	reasonContentType reason = "CONTENT_TYPE"
	reasonTooLarge    reason = "TOO_LARGE"
	reasonBodyCut     reason = "BODY_INCOMPLETE"
	reasonUnsigned    reason = "UNSIGNED"
	reasonMalformed   reason = "SIGNATURE_MALFORMED"
	reasonWrong       reason = "SIGNATURE_WRONG"
	reasonTooMany     reason = "TOO_MANY_FAILURES"
	reasonCrowded     reason = "TOO_MANY_AT_ONCE"
	reasonNoSecret    reason = "NO_SECRET"

	reasonLate        reason = "LATE"
	reasonEarly       reason = "EARLY"
	reasonReplayed    reason = "REPLAYED"
	reasonBody        reason = "BODY_INVALID"
	reasonSource      reason = "SOURCE_UNKNOWN"
	reasonIDReused    reason = "EVENT_ID_REUSED"
	reasonUnconfirmed reason = "REMOVALS_NOT_CONFIRMED"
	reasonBusy        reason = "BUSY"
	reasonJournal     reason = "JOURNAL_UNAVAILABLE"
	reasonHost        reason = "HOST_UNAVAILABLE"
	reasonInternal    reason = "INTERNAL"

	// Why a set that was fetched changed nothing.
	reasonUnreachable reason = "UNREACHABLE"
	reasonAnswer      reason = "ANSWER_REFUSED"
	reasonOutdated    reason = "OUTDATED"
)

// kinds holds the HTTP status and the code of each reason, and whether the same event may be accepted when it is sent
// again.
var kinds = map[reason]struct {
	status    int
	code      model.Code
	retryable bool
}{
	reasonMethod:      {http.StatusMethodNotAllowed, model.CodeBadUserInput, false},
	reasonContentType: {http.StatusUnsupportedMediaType, model.CodeBadUserInput, false},
	reasonTooLarge:    {http.StatusRequestEntityTooLarge, model.CodeLimitExceeded, false},
	reasonBodyCut:     {http.StatusBadRequest, model.CodeBadUserInput, true},
	reasonUnsigned:    {http.StatusUnauthorized, model.CodeUnauthenticated, false},
	reasonMalformed:   {http.StatusUnauthorized, model.CodeUnauthenticated, false},
	reasonWrong:       {http.StatusUnauthorized, model.CodeUnauthenticated, false},
	reasonTooMany:     {http.StatusTooManyRequests, model.CodeLimitExceeded, true},
	reasonCrowded:     {http.StatusServiceUnavailable, model.CodeLimitExceeded, true},
	reasonNoSecret:    {http.StatusServiceUnavailable, model.CodeUnavailable, true},
	reasonLate:        {http.StatusUnauthorized, model.CodeUnauthenticated, false},
	reasonEarly:       {http.StatusUnauthorized, model.CodeUnauthenticated, false},
	reasonReplayed:    {http.StatusConflict, model.CodeConflict, false},
	reasonBody:        {http.StatusBadRequest, model.CodeBadUserInput, false},
	reasonSource:      {http.StatusForbidden, model.CodeForbidden, false},
	reasonIDReused:    {http.StatusConflict, model.CodeConflict, false},
	reasonUnconfirmed: {http.StatusConflict, model.CodeConflict, false},
	reasonBusy:        {http.StatusServiceUnavailable, model.CodeUnavailable, true},
	reasonJournal:     {http.StatusServiceUnavailable, model.CodeUnavailable, true},
	reasonHost:        {http.StatusServiceUnavailable, model.CodeUnavailable, true},
	reasonUnreachable: {http.StatusBadGateway, model.CodeUnavailable, true},
	reasonAnswer:      {http.StatusBadGateway, model.CodeUnavailable, true},
	reasonOutdated:    {http.StatusBadGateway, model.CodeStale, true},
	reasonInternal:    {http.StatusInternalServerError, model.CodeInternal, true},
}

// refusal is why a request was refused.
type refusal struct {
	reason reason
	err    *model.Error
}

func (r *refusal) Error() string { return string(r.reason) + ": " + r.err.Error() }

func (r *refusal) Unwrap() error { return r.err }

func refuse(why reason, format string, args ...any) *refusal {
	kind := kinds[why]
	return &refusal{why, &model.Error{Code: kind.code, Message: fmt.Sprintf(format, args...), Retryable: kind.retryable}}
}

// because sets the cause, which is for the log alone.
func (r *refusal) because(err error) *refusal {
	r.err.Err = err
	return r
}

// refusalOf makes a refusal of any error.
func refusalOf(err error) *refusal {
	var known *refusal
	if errors.As(err, &known) {
		return known
	}
	var input *model.Error
	if errors.As(err, &input) && input.Code == model.CodeBadUserInput {
		return &refusal{reasonBody, input}
	}
	return refuse(reasonInternal, "internal error").because(err)
}

// errorBody is how a refusal is written.
type errorBody struct {
	Error struct {
		Code      model.Code `json:"code"`
		Reason    reason     `json:"reason"`
		Message   string     `json:"message"`
		Field     []string   `json:"field,omitempty"`
		Retryable bool       `json:"retryable"`
	} `json:"error"`
}

// write answers with the refusal.
func (r *refusal) write(w http.ResponseWriter) {
	var body errorBody
	body.Error.Code, body.Error.Reason, body.Error.Message = r.err.Code, r.reason, r.err.Message
	body.Error.Field, body.Error.Retryable = r.err.Field, r.err.Retryable
	switch r.reason {
	case reasonMethod:
		w.Header().Set("Allow", http.MethodPost)
	case reasonUnsigned, reasonMalformed, reasonWrong, reasonLate, reasonEarly:
		w.Header().Set("WWW-Authenticate", `HMAC-SHA256 realm="kairship"`)
	case reasonTooMany:
		w.Header().Set("Retry-After", strconv.Itoa(int(failureInterval.Seconds())))
	case reasonCrowded, reasonBusy, reasonJournal, reasonHost, reasonNoSecret:
		w.Header().Set("Retry-After", "5")
	}
	writeJSON(w, kinds[r.reason].status, body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A failed write means that the client has gone.
	_, _ = w.Write(append(text, '\n'))
}
