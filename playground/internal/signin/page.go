package signin

import (
	"io"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// form is the form of a page.
type form struct {
	action *url.URL
	// hidden are the fields that the page has filled in.
	hidden url.Values
	// users are the people to choose from.
	users []string
	// password says that one is asked for.
	password bool
}

// read parses a page: its form, and what it says went wrong.
func (v *visited) read(body io.Reader) error {
	root, err := html.Parse(body)
	if err != nil {
		return err
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case attribute(n, "role") == "alert":
			v.alert = strings.Join(strings.Fields(text(n)), " ")
		case n.Data == "form" && strings.EqualFold(attribute(n, "method"), "post"):
			action, err := v.url.Parse(attribute(n, "action"))
			if err != nil {
				return err
			}
			v.form = &form{action: action, hidden: url.Values{}}
		case n.Data == "input" && v.form != nil:
			v.form.add(n)
		}
	}
	return nil
}

func (f *form) add(input *html.Node) {
	name, value := attribute(input, "name"), attribute(input, "value")
	switch attribute(input, "type") {
	case "hidden":
		f.hidden.Add(name, value)
	case "password":
		f.password = true
	case "radio":
		if name == "user" {
			f.users = append(f.users, value)
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
