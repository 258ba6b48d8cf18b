package token

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token/keyring/keyringtest"
	"github.com/kairship-io/kairship/internal/model"
)

// revoked is ids, and of principals the time before which their tokens are.
type revoked struct {
	ids    map[string]bool
	before map[string]time.Time
}

func (r *revoked) Revoked(id, principal string, issuedAt time.Time) bool {
	return r.ids[id] || issuedAt.Before(r.before[principal])
}

type fixture struct {
	*Issuer
	store   *keyringtest.Store
	revoked *revoked
	time    time.Time
}

func setUp(tb testing.TB) *fixture {
	tb.Helper()
	f := &fixture{store: &keyringtest.Store{}, revoked: &revoked{map[string]bool{}, map[string]time.Time{}}, time: time.Unix(1_700_000_000, 0)}
	f.Issuer = f.replica(tb)
	return f
}

// replica is another Issuer with the same keys and clock.
func (f *fixture) replica(tb testing.TB) *Issuer {
	tb.Helper()
	i, err := New(Config{Keys: f.store, Revocations: f.revoked})
	if err != nil {
		tb.Fatal(err)
	}
	i.now = func() time.Time { return f.time }
	return i
}

var ann = auth.NewPrincipal(auth.OriginOIDC, "ann", []string{"devs", "ops"})

func wantCode(t *testing.T, err error, code model.Code, message string) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, message) {
		t.Fatalf("error = %v, want %s that says %q", err, code, message)
	}
}

func (f *fixture) issue(t *testing.T, lifetime time.Duration) (string, Token) {
	t.Helper()
	signed, token, err := f.Issue(t.Context(), ann, "asia", lifetime)
	if err != nil {
		t.Fatal(err)
	}
	return signed, token
}

func TestATokenIsWhomItWasMadeForAtItsInstance(t *testing.T) {
	f := setUp(t)
	signed, issued := f.issue(t, 0)
	want := Token{ID: issued.ID, Principal: ann, Instance: "asia", IssuedAt: f.time, Expires: f.time.Add(DefaultLifetime)}
	if diff := cmp.Diff(want, issued); diff != "" || issued.ID == "" {
		t.Errorf("issued (-want +got):\n%s", diff)
	}
	for name, i := range map[string]*Issuer{"the replica that made it": f.Issuer, "another replica": f.replica(t)} {
		got, err := i.Verify(t.Context(), signed)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	whom := ann
	whom.Instance = "asia"
	if got, err := f.Authenticate(t.Context(), signed); err != nil || got.Key() != whom.Key() {
		t.Errorf("got %v, %v", got, err)
	}
	if issuer, ok := auth.TokenIssuer(signed); !ok || issuer != IssuerName {
		t.Errorf("issuer %q", issuer)
	}
	if exp, ok := auth.TokenExpiry(signed); !ok || !exp.Equal(issued.Expires) {
		t.Errorf("expiry %v", exp)
	}
	if _, other := f.issue(t, 0); other.ID == issued.ID {
		t.Error("two tokens have one id")
	}
}

func TestAnybodyWithoutGroups(t *testing.T) {
	f := setUp(t)
	nobody := auth.NewPrincipal(auth.OriginHost, "system:serviceaccount:ci:deployer", nil)
	signed, _, err := f.Issue(t.Context(), nobody, "asia", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Authenticate(t.Context(), signed); err != nil || got.Name != nobody.Name || len(got.Groups) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestWhatNoTokenIsMadeFor(t *testing.T) {
	many := make([]string, 400)
	for i := range many {
		many[i] = fmt.Sprintf("%060d", i)
	}
	for _, tc := range []struct {
		name     string
		who      auth.Principal
		instance string
		lifetime time.Duration
		code     model.Code
		field    string
	}{
		{"too short", ann, "asia", MinLifetime - time.Second, model.CodeBadUserInput, "expirationSeconds"},
		{"too long", ann, "asia", MaxLifetime + time.Second, model.CodeBadUserInput, "expirationSeconds"},
		{"backwards", ann, "asia", -time.Hour, model.CodeBadUserInput, "expirationSeconds"},
		{"no instance", ann, "", time.Hour, model.CodeBadUserInput, "instance"},
		{"nobody", auth.Principal{}, "asia", time.Hour, model.CodeForbidden, ""},
		{"a user of Kubernetes", auth.Principal{Name: "system:admin"}, "asia", time.Hour, model.CodeForbidden, ""},
		{"a group of Kubernetes", auth.Principal{Name: ann.Name, Groups: []string{"system:masters"}}, "asia", time.Hour, model.CodeForbidden, ""},
		{"too many groups", auth.NewPrincipal(auth.OriginOIDC, "ann", many), "asia", time.Hour, model.CodeLimitExceeded, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := setUp(t)
			_, _, err := f.Issue(t.Context(), tc.who, tc.instance, tc.lifetime)
			wantCode(t, err, tc.code, "")
			var e *model.Error
			if errors.As(err, &e); tc.field != "" && !cmp.Equal(e.Field, []string{tc.field}) {
				t.Errorf("field %q", e.Field)
			}
		})
	}
}

func TestTheLongestLifetimeCanBeShortened(t *testing.T) {
	i, err := New(Config{Keys: &keyringtest.Store{}, Revocations: &revoked{}, MaxLifetime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = i.Issue(t.Context(), ann, "asia", time.Hour+time.Second)
	wantCode(t, err, model.CodeBadUserInput, "between 600 and 3600 seconds")
	if _, token, err := i.Issue(t.Context(), ann, "asia", 0); err != nil || token.Expires.Sub(token.IssuedAt) != time.Hour {
		t.Errorf("got %v, %v", token, err)
	}
	for _, longest := range []time.Duration{time.Minute, MaxLifetime + 1, -1} {
		if _, err := New(Config{Keys: &keyringtest.Store{}, Revocations: &revoked{}, MaxLifetime: longest}); err == nil {
			t.Errorf("a longest lifetime of %s was taken", longest)
		}
	}
}

func TestTokensEnd(t *testing.T) {
	f := setUp(t)
	signed, token := f.issue(t, time.Hour)
	f.time = token.Expires.Add(-time.Second)
	if _, err := f.Verify(t.Context(), signed); err != nil {
		t.Fatal(err)
	}
	f.time = token.Expires
	_, err := f.Verify(t.Context(), signed)
	wantCode(t, err, model.CodeUnauthenticated, "has expired")
	f.time = token.IssuedAt.Add(-leeway - time.Second)
	_, err = f.Verify(t.Context(), signed)
	wantCode(t, err, model.CodeUnauthenticated, "is not valid yet")
}

func TestTokensAreRevoked(t *testing.T) {
	f := setUp(t)
	one, token := f.issue(t, 0)
	other, _ := f.issue(t, 0)
	f.revoked.ids[token.ID] = true
	_, err := f.Verify(t.Context(), one)
	wantCode(t, err, model.CodeUnauthenticated, "has been revoked")
	if _, err := f.Verify(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	f.time = f.time.Add(time.Minute)
	f.revoked.before[ann.Name] = f.time
	_, err = f.Verify(t.Context(), other)
	wantCode(t, err, model.CodeUnauthenticated, "has been revoked")
	later, _ := f.issue(t, 0)
	if _, err := f.Verify(t.Context(), later); err != nil {
		t.Errorf("a token made afterwards: %v", err)
	}
}

func TestTokensOutliveTheKeyThatSignsAndNotThemselves(t *testing.T) {
	f := setUp(t)
	first, _ := f.issue(t, MaxLifetime)
	f.time = f.time.Add(rotateEvery - time.Second)
	last, _ := f.issue(t, MaxLifetime)
	f.time = f.time.Add(time.Second)
	next, _ := f.issue(t, MaxLifetime)
	if keyID(last) == keyID(next) {
		t.Fatal("the key was not replaced")
	}
	f.time = f.time.Add(MaxLifetime - 2*time.Second)
	for _, i := range []*Issuer{f.Issuer, f.replica(t)} {
		if _, err := i.Verify(t.Context(), last); err != nil {
			t.Errorf("the last token of the old key: %v", err)
		}
	}
	_, err := f.Verify(t.Context(), first)
	wantCode(t, err, model.CodeUnauthenticated, "has expired")
	f.time = f.time.Add(time.Hour)
	_, err = f.Verify(t.Context(), last)
	wantCode(t, err, model.CodeUnauthenticated, "no longer in use")
}

func keyID(signed string) string {
	parsed, err := jwt.ParseSigned(signed, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		return err.Error()
	}
	return parsed.Headers[0].KeyID
}

func TestAStoreThatIsDown(t *testing.T) {
	f := setUp(t)
	signed, _ := f.issue(t, 0)
	f.store.Fail(errors.New("down"))
	f.time = f.time.Add(time.Hour)
	if _, err := f.Verify(t.Context(), signed); err != nil {
		t.Errorf("a token of a known key: %v", err)
	}
	_, err := f.replica(t).Verify(t.Context(), signed)
	wantCode(t, err, model.CodeUnavailable, "")
	_, _, err = f.replica(t).Issue(t.Context(), ann, "asia", 0)
	wantCode(t, err, model.CodeUnavailable, "")
}

func TestForgedTokensAreRefused(t *testing.T) {
	f := setUp(t)
	signed, _ := f.issue(t, 0)
	key, err := f.keys.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	strange, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(with any, algorithm jose.SignatureAlgorithm, id string, change func(*claims)) string {
		t.Helper()
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: jose.JSONWebKey{Key: with, KeyID: id}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := claims{Groups: ann.Groups, Claims: jwt.Claims{Issuer: IssuerName, Subject: ann.Name, Audience: jwt.Audience{audiencePrefix + "asia"}, ID: "1",
			IssuedAt: jwt.NewNumericDate(f.time), Expiry: jwt.NewNumericDate(f.time.Add(time.Hour))}}
		if change != nil {
			change(&c)
		}
		out, err := jwt.Signed(signer).Claims(c).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	ours := func(change func(*claims)) string { return sign(key.Value, jose.ES256, key.ID, change) }
	if _, err := f.Verify(t.Context(), ours(nil)); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(signed, ".")
	encode := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	for name, token := range map[string]string{
		"nothing":                    "",
		"two parts":                  parts[0] + "." + parts[1],
		"no signature":               parts[0] + "." + parts[1] + ".",
		"another body":               parts[0] + "." + encode(`{"iss":"kairship"}`) + "." + parts[2],
		"no algorithm":               encode(`{"alg":"none"}`) + "." + parts[1] + ".",
		"JSON form":                  `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
		"too long":                   signed + strings.Repeat("A", maxLength),
		"another key":                sign(strange, jose.ES256, key.ID, nil),
		"a key that nobody has":      sign(strange, jose.ES256, "unknown", nil),
		"a key without a name":       sign(strange, jose.ES256, "", nil),
		"the public key as a secret": sign(elliptic.MarshalCompressed(elliptic.P256(), key.Value.X, key.Value.Y), jose.HS256, key.ID, nil),
		"another issuer":             ours(func(c *claims) { c.Issuer = "https://kubernetes.default.svc" }),
		"no audience":                ours(func(c *claims) { c.Audience = nil }),
		"two audiences":              ours(func(c *claims) { c.Audience = append(c.Audience, audiencePrefix+"europe") }),
		"another audience":           ours(func(c *claims) { c.Audience = jwt.Audience{"asia"} }),
		"an audience of no instance": ours(func(c *claims) { c.Audience = jwt.Audience{audiencePrefix} }),
		"no id":                      ours(func(c *claims) { c.ID = "" }),
		"no end":                     ours(func(c *claims) { c.Expiry = nil }),
		"no beginning":               ours(func(c *claims) { c.IssuedAt = nil }),
		"a beginning in the future":  ours(func(c *claims) { c.IssuedAt = jwt.NewNumericDate(f.time.Add(time.Minute)) }),
		"nobody":                     ours(func(c *claims) { c.Subject = "" }),
		"a user of Kubernetes":       ours(func(c *claims) { c.Subject = "system:admin" }),
		"a group of Kubernetes":      ours(func(c *claims) { c.Groups = []string{"system:masters"} }),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := f.Verify(t.Context(), token)
			wantCode(t, err, model.CodeUnauthenticated, "the token ")
		})
	}
}

func FuzzVerify(f *testing.F) {
	x := setUp(f)
	signed, issued, err := x.Issue(f.Context(), ann, "asia", 0)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{signed, "", "..", "a.b.c", signed + ".", strings.ToUpper(signed), signed[:len(signed)-2]} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		got, err := x.Verify(t.Context(), token)
		var e *model.Error
		switch {
		case err == nil && !cmp.Equal(got, issued):
			t.Fatalf("%q is %v", token, got)
		case err != nil && (!errors.As(err, &e) || e.Code != model.CodeUnauthenticated):
			t.Fatalf("%q: %v", token, err)
		}
	})
}
