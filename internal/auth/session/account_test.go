package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/request"
)

func TestSignInsAreTold(t *testing.T) {
	f := setUp(t, false)
	var told []SignIn
	f.cfg.Audit = func(_ context.Context, s SignIn) { told = append(told, s) }
	f.Sessions = f.replica()
	b, callback := f.halfway()
	if p := b.get(callback, true); p.StatusCode != http.StatusOK {
		t.Fatal(p.body)
	}
	if len(told) != 1 || told[0].Err != nil || told[0].Principal.Name != "kairship:oidc:ann" || len(told[0].Principal.Groups) != 2 || told[0].Began.IsZero() {
		t.Errorf("signing in: %+v", told)
	}
	for name, refuse := range map[string]func() (*browser, string){
		"in another browser": func() (*browser, string) {
			b, callback := f.halfway()
			clear(b.cookies)
			return b, callback.String()
		},
		"by a forged code": func() (*browser, string) {
			b, callback := f.halfway()
			q := callback.Query()
			q.Set("code", "forged")
			callback.RawQuery = q.Encode()
			return b, callback.String()
		},
		"without having begun": func() (*browser, string) {
			return newBrowser(t, f.server.Client()), f.server.URL + PathCallback + "?code=x&state=y"
		},
	} {
		told = nil
		b, address := refuse()
		b.open(address, "")
		var e *model.Error
		if len(told) != 1 || !errors.As(told[0].Err, &e) || told[0].Principal.Name != "" {
			t.Errorf("%s: %+v", name, told)
		}
	}
}

func TestWhoCannotSignInDoesNotFillTheAudit(t *testing.T) {
	f := setUp(t, false)
	var told []SignIn
	a := newAccount(func(_ context.Context, s SignIn) { told = append(told, s) }, f.clock)
	fail := func(times int, address func(int) string) (n int) {
		told = nil
		for i := range times {
			a.note(request.NewContext(t.Context(), request.Info{Remote: address(i)}), SignIn{Err: errors.New("refused")})
		}
		return len(told)
	}
	one := func(int) string { return "192.0.2.1" }
	if n := fail(1_000, one); n != toldAtOnceEach {
		t.Errorf("%d of one address are told", n)
	}
	f.add(toldEveryEach)
	if n := fail(10, one); n != 1 || told[0].Unrecorded != 1_000-toldAtOnceEach {
		t.Errorf("later %d are told: %+v", n, told)
	}
	// A host has a whole network of IPv6.
	if n := fail(100, func(i int) string { return "2001:db8::" + string(rune('a'+i%6)) }); n != toldAtOnceEach {
		t.Errorf("%d of one network are told", n)
	}
	// Many addresses together have no more than all may have.
	if n := fail(100_000, func(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) }); n > toldAtOnceAll {
		t.Errorf("%d of many addresses are told", n)
	}
	before := len(told)
	a.note(t.Context(), SignIn{})
	if len(told) != before+1 || told[before].Unrecorded != 0 {
		t.Error("a sign-in that succeeds is not told")
	}
}
