package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// maxStatus is larger than any Status in use; longer responses are not read as one.
const maxStatus = 64 << 10

// outage returns the error for a response that comes from something in front of an API server that does not answer, or
// that refuses Kairship's own credential. The error is in Kubernetes' form, and contains no addresses. Nil for the API
// server's own responses.
func (x *exchange) outage(res *http.Response) error {
	switch res.StatusCode {
	case http.StatusUnauthorized:
		// The client's token is valid: do not pass on the 401.
		return x.unavailable(x.to.cluster, "refuses Kairship's credential", errors.New("401"))
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if _, ok := statusIn(res); !ok {
			return x.unavailable(x.to.cluster, "is not available", fmt.Errorf("status %d, not in Kubernetes' form", res.StatusCode))
		}
	case http.StatusInternalServerError:
		// Karmada's proxy returns its dial errors without a reason, which an API server never does.
		if x.cluster != "" {
			if s, ok := statusIn(res); ok && s != nil && s.Reason == metav1.StatusReasonUnknown {
				return x.unavailable(x.cluster, "cannot be reached by Karmada", errors.New(s.Message))
			}
		}
	}
	return nil
}

// statusIn reports whether a response is in Kubernetes' form, and returns its Status; nil for CBOR, which is only used
// by Kubernetes.
func statusIn(res *http.Response) (*metav1.Status, bool) {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case err != nil || res.Header.Get("Content-Encoding") != "":
		return nil, false
	case media == "application/cbor":
		return nil, true
	case media != "application/json" && media != "application/vnd.kubernetes.protobuf":
		return nil, false
	}
	start, err := io.ReadAll(io.LimitReader(res.Body, maxStatus))
	body := res.Body
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(start), body), body}
	s := &metav1.Status{}
	if err != nil {
		return nil, false
	}
	if envelope, ok := bytes.CutPrefix(start, []byte("k8s\x00")); ok {
		unknown := runtime.Unknown{}
		ok = unknown.Unmarshal(envelope) == nil && unknown.Kind == "Status" && s.Unmarshal(unknown.Raw) == nil
		return s, ok
	}
	return s, json.Unmarshal(start, s) == nil && s.Kind == "Status"
}
