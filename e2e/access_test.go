package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// tokenOf makes a token for a ServiceAccount of the host cluster's default namespace.
func tokenOf(t *testing.T, account, audience string) string {
	t.Helper()
	host, err := kubernetes.NewForConfig(config(t, "host"))
	if err != nil {
		t.Fatal(err)
	}
	accounts := host.CoreV1().ServiceAccounts("default")
	_, err = accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: account}}, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	made, err := accounts.CreateToken(t.Context(), account, &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{Audiences: []string{audience}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Status.Token
}

// everything is a query for each root, and introspection.
var everything = []string{
	`{__typename}`, `{__schema{queryType{name}}}`, `{viewer{name}}`, `{server{version}}`, `{instances{nodes{name}}}`,
	`{instance(name:"asia"){name clusters{nodes{name}} workloads{nodes{name}}}}`, `{workloads{totalCount}}`, `{node(id:"x"){id}}`, `{nodes(ids:[]){id}}`,
	`mutation{scaleWorkload(input:{id:"x",replicas:1}){workload{id}}}`, `mutation{applyManifests(input:{instance:"asia",manifests:"{}"}){documents{index}}}`,
}

func TestAValidTokenOfSomebodyElseIsForbiddenEverywhere(t *testing.T) {
	stranger := tokenOf(t, "stranger", "kairship")
	for _, query := range everything {
		out := askAs(t, stranger, query, nil)
		if len(out.Errors) != 1 || out.Errors[0].Extensions.Code != "FORBIDDEN" || len(out.Data) > 0 && string(out.Data) != "null" {
			t.Errorf("%s: status %d, data %s, errors %+v", query, out.status, out.Data, out.Errors)
		}
	}
}

func TestNobodyAndWrongTokensAreUnauthenticated(t *testing.T) {
	for name, bearer := range map[string]string{
		"no token": "", "a token that is none": "abc", "a token for another audience": tokenOf(t, "stranger", "somebody-else"),
		"a token with a changed signature": token[:len(token)-8] + "AAAAAAAA",
	} {
		t.Run(name, func(t *testing.T) {
			for _, query := range everything {
				out := askAs(t, bearer, query, nil)
				if out.status != 401 || len(out.Errors) != 1 || out.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
					t.Errorf("%s: status %d, errors %+v", query, out.status, out.Errors)
				}
			}
		})
	}
}

func TestBadRequestsNameWhatIsWrong(t *testing.T) {
	aliases := "{viewer{"
	for i := range 1000 {
		aliases += fmt.Sprintf("a%d:name ", i)
	}
	for _, c := range []struct{ name, query, code, says string }{
		{"first below one", `{workloads(first:0){totalCount}}`, "BAD_USER_INPUT", "first"},
		{"first above the most", `{workloads(first:100000){totalCount}}`, "", "first"},
		{"a bad cursor", `{workloads(after:"nonsense"){totalCount}}`, "BAD_USER_INPUT", "after"},
		{"an unknown instance", `{instance(name:"nowhere"){name}}`, "NOT_FOUND", "nowhere"},
		{"a thousand aliases", aliases + "}}", "LIMIT_EXCEEDED", "aliases"},
		{"a field that does not exist", `{nothing}`, "BAD_USER_INPUT", "nothing"},
		{"a document that does not parse", `{`, "BAD_USER_INPUT", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := ask(t, c.query, nil)
			if len(out.Errors) == 0 || c.code != "" && out.Errors[0].Extensions.Code != c.code || !strings.Contains(out.Errors[0].Message, c.says) {
				t.Errorf("errors %+v, want %s about %q", out.Errors, c.code, c.says)
			}
		})
	}
	t.Run("a body of ten megabytes", func(t *testing.T) {
		body, err := json.Marshal(map[string]string{"query": "{viewer{name}} #" + strings.Repeat("x", 10<<20)})
		if err != nil {
			t.Fatal(err)
		}
		out := post(t, token, bytes.TrimSpace(body))
		if out.status != 413 || len(out.Errors) != 1 || out.Errors[0].Extensions.Code != "LIMIT_EXCEEDED" || !strings.Contains(out.Errors[0].Message, "body") {
			t.Errorf("status %d, errors %+v", out.status, out.Errors)
		}
	})
	// The process is unharmed.
	into[fleetAnswer](t, fleetQuery, nil)
}
