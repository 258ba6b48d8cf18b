package proxy_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"testing"
	"time"
)

// An API server refuses a write before it has read it. Clients over HTTP/2 send the body when they like.
func TestAWriteThatIsRefusedUnreadEndsOverHTTP2(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"no","code":403}`)
	})
	front := s.secure(t)
	u, err := url.Parse(front.URL + "/instances/asia/api/v1/namespaces/shop/configmaps")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		r := s.request(t, http.MethodPost, "", bytes.NewReader([]byte(`{"kind":"ConfigMap"}`))).WithContext(ctx)
		r.Header.Set("X-Unread", "1")
		r.URL, r.Host = u, ""
		transport := front.Client().Transport.(*http.Transport).Clone()
		res, err := (&http.Client{Transport: transport}).Do(r)
		if err == nil {
			_, err = io.ReadAll(res.Body)
			_ = res.Body.Close()
		}
		if err != nil {
			buffer := make([]byte, 4<<20)
			t.Fatalf("%d: %v\n%s", i, err, buffer[:runtime.Stack(buffer, true)])
		}
		transport.CloseIdleConnections()
		cancel()
	}
}
