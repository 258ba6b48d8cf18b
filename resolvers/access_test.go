package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// issuedToken is in every kubeconfig that is issued.
const issuedToken = "token-of-a-kubeconfig"

// kubeconfigs notes what is issued and taken back.
type kubeconfigs struct {
	calls  []string
	panics bool
	// until is when Revoke was asked.
	until time.Time
}

func (k *kubeconfigs) Issue(_ context.Context, p auth.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (string, time.Time, error) {
	if k.panics {
		panic("on purpose") //nolint:forbidigo // it is what is tested
	}
	k.calls = append(k.calls, fmt.Sprintf("issue %s %s %s %q %q %s", p.Name, instance, strings.Join(clusters, ","), cluster, namespace, lifetime))
	return "token: " + issuedToken, time.Unix(1, 0), nil
}

func (k *kubeconfigs) Revoke(_ context.Context, principal, by string) (time.Time, error) {
	k.calls = append(k.calls, "revoke "+principal+" by "+by)
	k.until = time.Now()
	return k.until, nil
}

func TestKubeconfigsAreForWhoAsksAndForWhatTheySee(t *testing.T) {
	for _, tc := range []struct {
		name, who, input string
		call             string
		code             model.Code
	}{
		{"an instance", "viewer", `instance:"europe"`, `issue kairship:oidc:viewer europe member-00,member-01 "" "" 0s`, ""},
		{"a member", "viewer", `instance:"europe", cluster:"member-01", namespace:"shop", expirationSeconds:900`, `issue kairship:oidc:viewer europe member-00,member-01 "member-01" "shop" 15m0s`, ""},
		{"of an owner", "owner", `instance:"asia"`, `issue kairship:oidc:owner asia member-00,member-01 "" "" 0s`, ""},
		{"a lifetime of nothing is not the default", "owner", `instance:"asia", expirationSeconds:0`, `issue kairship:oidc:owner asia member-00,member-01 "" "" -1ns`, ""},
		{"an instance that is hidden", "viewer", `instance:"asia"`, "", model.CodeNotFound},
		{"an instance that is not there", "owner", `instance:"africa"`, "", model.CodeNotFound},
		{"a cluster that is no member", "owner", `instance:"asia", cluster:"kyoto"`, "", model.CodeBadUserInput},
		{"a namespace that is none", "owner", fmt.Sprintf(`instance:"asia", namespace:%q`, strings.Repeat("x", 64)), "", model.CodeBadUserInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChanging(t)
			got := c.mutate(t, tc.who, "issueKubeconfig(input:{"+tc.input+"}){kubeconfig expiresAt userErrors{code}}")
			c.was(t, got, tc.call, tc.code)
			if handed := strings.Contains(fmt.Sprint(got.Data), issuedToken); handed != (tc.code == "") {
				t.Errorf("handed out: %t: %v", handed, got.Data)
			}
		})
	}
}

func TestOnlyOwnersTakeBackTheKubeconfigsOfOthers(t *testing.T) {
	for _, tc := range []struct {
		name, who, input string
		call             string
		code             model.Code
	}{
		{"one's own", "viewer", "", "revoke kairship:oidc:viewer by kairship:oidc:viewer", ""},
		{"one's own by name", "viewer", `principal:"kairship:oidc:viewer"`, "revoke kairship:oidc:viewer by kairship:oidc:viewer", ""},
		{"an owner's", "viewer", `principal:"kairship:oidc:owner"`, "", model.CodeForbidden},
		{"another's, by an administrator", "neighbour", `principal:"kairship:oidc:viewer"`, "", model.CodeForbidden},
		{"another's, by an owner", "owner", `principal:"kairship:oidc:viewer"`, "revoke kairship:oidc:viewer by kairship:oidc:owner", ""},
		{"a name without its origin", "owner", `principal:"viewer"`, "", model.CodeBadUserInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChanging(t)
			c.was(t, c.mutate(t, tc.who, "revokeKubeconfigs(input:{"+tc.input+"}){principal issuedUntil userErrors{code}}"), tc.call, tc.code)
		})
	}
}

func TestWhatIsNoNamespaceIsToldSo(t *testing.T) {
	for _, tc := range []struct{ name, namespace, told string }{
		{"control characters", `x\u0000y`, `\"x\\x00y\"`},
		{"spaces around it", " x ", `\" x \"`},
		{"a space alone", " ", `\" \"`},
		{"capital letters", "Shop", `\"Shop\"`},
		{"dots", "shop.eu", `\"shop.eu\"`},
		{"a hyphen at the end", "shop-", `\"shop-\"`},
		{"too long", strings.Repeat("x", 100_000), `\"` + strings.Repeat("x", 64) + `\"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newChanging(t)
			got := c.mutate(t, "owner", `issueKubeconfig(input:{instance:"asia", namespace:"`+tc.namespace+`"}){kubeconfig userErrors{code field message}}`)
			want := `{"issueKubeconfig":{"kubeconfig":null,"userErrors":[{"code":"BAD_USER_INPUT","field":["input","namespace"],"message":"namespace: ` + tc.told +
				" is not the name of a namespace: up to 63 lower-case letters, digits and `-`, with a letter or digit at both ends\"}]}}"
			if data, err := json.Marshal(got.Data); err != nil || string(data) != want || len(got.Errors) > 0 || len(c.issued.calls) > 0 {
				t.Errorf("got %s %v, asked for %q\nwant %s", data, got.Errors, c.issued.calls, want)
			}
		})
	}
	for _, namespace := range []string{"", "0", strings.Repeat("x", 63), "shop-2"} {
		c := newChanging(t)
		got := c.mutate(t, "owner", fmt.Sprintf(`issueKubeconfig(input:{instance:"asia", namespace:%q}){kubeconfig userErrors{code}}`, namespace))
		c.was(t, got, fmt.Sprintf(`issue kairship:oidc:owner asia member-00,member-01 "" %q 0s`, namespace), "")
	}
}

// A replica that has not heard of a revocation yet issues in the same second what will have been taken back.
func TestARevocationIsAnsweredWhenItsSecondIsOver(t *testing.T) {
	c := newChanging(t)
	got := c.mutate(t, "owner", "revokeKubeconfigs(input:{}){issuedUntil userErrors{code}}")
	if answered := time.Now(); answered.Before(c.issued.until.Add(time.Second)) {
		t.Errorf("answered %s after the moment until which they are taken back", answered.Sub(c.issued.until))
	}
	c.was(t, got, "revoke kairship:oidc:owner by kairship:oidc:owner", "")
}

// was checks what became of a mutation of kubeconfigs: one call, or none and a code.
func (c *changing) was(t *testing.T, got told, call string, code model.Code) {
	t.Helper()
	var calls []string
	if call != "" {
		calls = append(calls, call)
	}
	if !slices.Equal(c.issued.calls, calls) {
		t.Errorf("asked for %q, want %q", c.issued.calls, calls)
	}
	if code == "" && (len(got.Errors) > 0 || strings.Contains(fmt.Sprint(got.Data), "code:")) || !strings.Contains(fmt.Sprint(got.Data, got.Errors), string(code)) {
		t.Errorf("want %q: %v %v", code, got.Data, got.Errors)
	}
}

func TestWithoutADatabaseThereAreNoKubeconfigs(t *testing.T) {
	for _, field := range []string{"issueKubeconfig", "revokeKubeconfigs"} {
		c := newChanging(t)
		c.serve(&actions.Runner{})
		if got := c.mutate(t, "owner", good(t, field)); len(got.Errors) != 1 || got.Errors[0].Extensions.Code != model.CodeUnavailable {
			t.Errorf("%s: %v %v", field, got.Data, got.Errors)
		}
	}
}
