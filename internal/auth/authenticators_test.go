package auth

import (
	"context"
	"encoding/base64"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// authority lets everybody in under its own name, or nobody.
type authority struct {
	name  string
	err   error
	asked int
}

func (a *authority) Authenticate(context.Context, string) (Principal, error) {
	a.asked++
	return Principal{Name: a.name}, a.err
}

func withClaims(claims string) string {
	part := base64.RawURLEncoding.EncodeToString
	return part([]byte(`{"alg":"RS256"}`)) + "." + part([]byte(claims)) + "." + part([]byte("signed"))
}

func TestEachTokenIsAskedOfOneAuthority(t *testing.T) {
	refusal := unauthenticated("no", nil)
	for _, tc := range []struct {
		name, token string
		err         *model.Error
		want        string
	}{
		{name: "the provider's", token: withClaims(`{"iss":"https://id"}`), want: "oidc"},
		{name: "the provider's that is refused is asked of nobody else", token: withClaims(`{"iss":"https://id"}`), err: refusal, want: "oidc"},
		{name: "Kairship's own", token: withClaims(`{"iss":"kairship"}`), want: "own"},
		{name: "the host cluster's", token: withClaims(`{"iss":"https://kubernetes.default.svc"}`), want: "host"},
		{name: "the host cluster's that is refused is asked of nobody else", token: withClaims(`{"iss":"https://kubernetes.default.svc"}`), err: refusal, want: "host"},
		{name: "almost the provider's", token: withClaims(`{"iss":"https://id/"}`), want: "host"},
		{name: "one that names nobody", token: withClaims(`{}`), want: "host"},
		{name: "one whose issuer is no text", token: withClaims(`{"iss":["https://id"]}`), want: "host"},
		{name: "an opaque one", token: "opaque", want: "host"},
		{name: "three parts that are nothing", token: "a.!.c", want: "host"},
		{name: "none", token: "", want: ""},
		{name: "too long a one", token: withClaims(`{"iss":"https://id"}`) + string(make([]byte, maxTokenLength)), want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := map[string]*authority{"oidc": {name: "oidc"}, "own": {name: "own"}, "host": {name: "host"}}
			if tc.err != nil {
				all[tc.want].err = tc.err
			}
			a := NewAuthenticators(all["host"], map[string]Authenticator{"https://id": all["oidc"]}).With("kairship", all["own"])
			got, err := a.Authenticate(t.Context(), tc.token)
			if refused := tc.want == "" || tc.err != nil; refused {
				wantCode(t, err, model.CodeUnauthenticated, "")
			} else if err != nil || got.Name != tc.want {
				t.Errorf("got %v, %v", got, err)
			}
			for name, x := range all {
				if want := map[bool]int{true: 1}[name == tc.want]; x.asked != want {
					t.Errorf("%s was asked %d times, want %d", name, x.asked, want)
				}
			}
		})
	}
}

func TestAReplacedAuthorityIsReplacedInTheCopyOnly(t *testing.T) {
	first := NewAuthenticators(&authority{name: "host"}, nil).With("kairship", &authority{name: "of a"})
	second := first.With("kairship", &authority{name: "of b"})
	for want, a := range map[string]*Authenticators{"of a": first, "of b": second} {
		if got, err := a.Authenticate(t.Context(), withClaims(`{"iss":"kairship"}`)); err != nil || got.Name != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
	}
}
