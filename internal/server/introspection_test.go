package server

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
)

// onlyAnn lets only ann read the schema.
func onlyAnn(ctx context.Context) bool { return rbac.PrincipalFrom(ctx).Name == "ann" }

func TestOnlyWhoMayReadsTheSchema(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		refused     bool
	}{
		{"the schema", "{__schema{queryType{name}}}", true},
		{"a type", `{__type(name:"Query"){name}}`, true},
		{"with an alias", "{s:__schema{queryType{name}}}", true},
		{"in a fragment", "{...a} fragment a on Query{...{...b}} fragment b on Query{__schema{queryType{name}}}", true},
		{"a type's name", "{__typename}", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.Schema, c.Introspect = realSchema(), onlyAnn })
			f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
			if a := f.query(tc.query); a.code() != "" {
				t.Errorf("who may: %s", a.raw)
			}
			a := f.query(tc.query, "Authorization", "Bearer carl")
			if refused := a.code() == "FORBIDDEN" && a.Errors[0].Extensions["rule"] == "introspection"; refused != tc.refused || refused && a.Data != nil {
				t.Errorf("who may not: %s", a.raw)
			}
		})
	}
}

func TestNamesOfTheSchemaAreNotGuessed(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Schema, c.Introspect = realSchema(), onlyAnn })
	f.tokens.set("carl", &auth.Principal{Name: "carl", Groups: []string{"admins"}})
	for _, query := range []string{
		"{instance{name}}",
		"{instanze(name:\"x\"){name}}",
		"{instance(nam:\"x\"){name}}",
		"{instances}",
		"query($x:Instanze){instances{nodes{name}}}",
		"{instances{nodes{...on Instanze{name}}}}",
		"{workloads(filter:{stat:[X]}){nodes{name}}}",
		"{workloads(orderBy:{field:NAM}){nodes{name}}}",
	} {
		for token, may := range map[string]bool{"admin": true, "carl": false} {
			a := f.query(query, "Authorization", "Bearer "+token)
			if a.code() != "BAD_USER_INPUT" {
				t.Fatalf("%s: %s", query, a.raw)
			}
			if strings.Contains(a.raw, "Did you mean") && !may {
				t.Errorf("%s: %s", query, a.raw)
			}
		}
	}
	if a := f.query("{instanze(name:\"x\"){name}}"); !strings.Contains(a.raw, "Did you mean") {
		t.Errorf("who may read the schema is not helped: %s", a.raw)
	}
}

func TestGraphiQLIsForThoseWhoMayReadTheSchema(t *testing.T) {
	s := newSessions(time.Now().Add(time.Hour))
	s.set("carl", session{Principal: auth.Principal{Name: "carl", Groups: []string{"admins"}}})
	f := newFixture(t, withUI, func(c *Config) { c.Introspect, c.Session = onlyAnn, s.of })
	for cookie, want := range map[string]int{"": 200, "session=ann": 200, "session=carl": 403, "session=forged": 200} {
		for _, path := range []string{"/graphiql", "/graphiql.html", "/graphiql/"} {
			if a := f.do("GET", path, "", "Authorization", "", "Cookie", cookie); a.status != want {
				t.Errorf("%s with cookie %q: %d, want %d", path, cookie, a.status, want)
			}
		}
	}
	if a := f.do("GET", "/", "", "Authorization", "", "Cookie", "session=carl"); a.status != 200 {
		t.Errorf("the console itself: %d", a.status)
	}
}
