package session

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// browser goes from page to page as a person's does: it follows redirects and pages that go on by
// themselves, and sends a cookie only where its attributes let it.
type browser struct {
	t       *testing.T
	client  *http.Client
	cookies map[string]map[string]*http.Cookie // by host
	// visited is every address of the last open.
	visited []string
}

// page is what a browser shows in the end.
type page struct {
	*http.Response
	body string
}

func newBrowser(t *testing.T, client *http.Client) *browser {
	t.Helper()
	c := *client
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{t: t, client: &c, cookies: map[string]map[string]*http.Cookie{}}
}

var refresh = regexp.MustCompile(`<meta http-equiv="refresh" content="0;url=([^"]*)">`)

// open goes to an address by a link on a page of another host; "" for one that was typed in. Every host
// is a site of its own here.
func (b *browser) open(address, from string) page {
	b.t.Helper()
	b.visited = nil
	foreign := false
	for range 20 {
		b.visited = append(b.visited, address)
		u, err := url.Parse(address)
		if err != nil {
			b.t.Fatal(err)
		}
		// What began on another host, or passed one on its way, is that host's doing.
		foreign = foreign || from != "" && from != u.Host
		p := b.get(u, foreign)
		if location := p.Header.Get("Location"); location != "" {
			address, from = b.resolve(u, location), u.Host
			continue
		}
		if found := refresh.FindStringSubmatch(p.body); found != nil {
			address, from, foreign = b.resolve(u, html.UnescapeString(found[1])), u.Host, false
			continue
		}
		return p
	}
	b.t.Fatalf("this leads nowhere: %q", b.visited)
	return page{}
}

func (b *browser) resolve(base *url.URL, to string) string {
	b.t.Helper()
	u, err := base.Parse(to)
	if err != nil {
		b.t.Fatal(err)
	}
	return u.String()
}

// get asks for one address and goes nowhere.
func (b *browser) get(u *url.URL, foreign bool) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml")
	return b.send(req, foreign)
}

func (b *browser) send(req *http.Request, foreign bool) page {
	b.t.Helper()
	host := req.URL.Host
	for _, c := range b.cookies[host] {
		if (!foreign || c.SameSite != http.SameSiteStrictMode) && (!c.Secure || req.URL.Scheme == "https") {
			req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		}
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range res.Cookies() {
		b.keep(req.URL, c)
	}
	return page{res, string(body)}
}

// keep does with a cookie what browsers do.
func (b *browser) keep(from *url.URL, c *http.Cookie) {
	b.t.Helper()
	switch {
	case c.Secure && from.Scheme != "https", strings.HasPrefix(c.Name, "__Host-") && (!c.Secure || c.Path != "/" || c.Domain != ""):
		b.t.Errorf("a browser does not take %v", c)
		return
	case len(c.Raw) > 4096:
		b.t.Errorf("a browser does not take %d bytes", len(c.Raw))
		return
	case c.MaxAge < 0:
		delete(b.cookies[from.Host], c.Name)
		return
	}
	if b.cookies[from.Host] == nil {
		b.cookies[from.Host] = map[string]*http.Cookie{}
	}
	b.cookies[from.Host][c.Name] = c
}
