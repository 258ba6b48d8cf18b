package server

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

const canary = "c4n4ry-s3cr3t"

// Whatever a client sends that is secret, and whatever an upstream's error holds, neither an answer nor
// the log nor a metric may hold it.
func TestNoSecretLeaves(t *testing.T) {
	f := newFixture(t, func(c *Config) {
		c.Session = newSessions(time.Now().Add(time.Hour)).of
		c.Ready = func() error { return errors.New("postgres://kairship:" + canary + "@db") }
	})
	f.schema.failure = func(how string) error {
		cause := fmt.Errorf(`Get "https://10.0.0.1/x?access_token=%[1]s": pq: password=%[1]s; Authorization: Bearer %[1]s`, canary)
		switch how {
		case "unknown":
			return cause
		case "sql":
			return errors.New(`ERROR: relation "kairship.audit" does not exist (SQLSTATE 42P01)`)
		case "file":
			return errors.New("open /etc/kairship/tls.key: permission denied")
		case "known":
			return &model.Error{Code: model.CodeUnavailable, Message: "asia is down", Err: cause}
		}
		panic(cause) //nolint:forbidigo // what resolvers must not do
	}
	var answers []string
	keep := func(a answer) { answers = append(answers, fmt.Sprint(a.raw, a.header)) }
	for _, how := range []string{"unknown", "sql", "file", "known", "panic"} {
		query := fmt.Sprintf("{fail(how:%q)}", how)
		keep(f.query(query))
		keep(f.query(query, "Accept", mediaEvents))
		answers = append(answers, f.admitted().send(subscribe("1", query)).next())
	}
	variables := `{"query":"query($t:String){echo(text:$t)}","variables":{"t":%s}}`
	f.do("POST", "/graphql", fmt.Sprintf(variables, `"`+canary+`"`))
	keep(f.do("POST", "/graphql", fmt.Sprintf(variables, `["`+canary+`"]`)))
	keep(f.do("POST", "/graphql", `{"query":"`+canary))
	keep(f.do("GET", "/graphql?access_token="+canary+"&query={who}", ""))
	keep(f.do("GET", "/nowhere?token="+canary, ""))
	keep(f.do("GET", "/readyz", ""))
	for _, header := range []string{"Authorization", "Cookie", "X-Api-Key"} {
		keep(f.query("{who}", header, "Bearer "+canary))
	}
	keep(f.query("{who}", "Authorization", "", "Cookie", "session="+canary))
	f.dial().send(`{"type":"connection_init","payload":{"authorization":"Bearer ` + canary + `"}}`).next()
	metrics := f.do("GET", "/metrics", "").raw
	for _, a := range append(answers, metrics) {
		for _, secret := range []string{canary, "SQLSTATE", "kairship.audit", "/etc/", "10.0.0.1", "goroutine", ".go:"} {
			if strings.Contains(a, secret) {
				t.Errorf("%q was told: %.600s", secret, a)
			}
		}
	}
	log := f.log.String()
	if i := strings.Index(log, canary); i >= 0 {
		t.Errorf("the log holds the canary: …%s", log[max(0, i-300):i+50])
	}
	for _, want := range []string{"SQLSTATE 42P01", "permission denied", "10.0.0.1"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q, which helps", want)
		}
	}
}
