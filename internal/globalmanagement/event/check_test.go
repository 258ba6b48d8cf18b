package event

import (
	"strings"
	"testing"
)

func TestABindingMaySayWhatItsDefinitionAllows(t *testing.T) {
	good := func() Binding { return Binding{Subject: Subject{"User", "kairship:oidc:alice"}, Role: "Viewer"} }
	many := make([]string, maxNamespaces+1)
	for i := range many {
		many[i] = "n" + strings.Repeat("a", i%50) + strings.Repeat("b", i/50)
	}
	for _, tt := range []struct {
		name   string
		change func(*Binding)
		field  string // empty when it is allowed
		says   string
	}{
		{"everything everywhere", func(b *Binding) { b.Role = "Admin" }, "", ""},
		{"a role of the operators", func(b *Binding) { b.Role = "log-reader" }, "", ""},
		{"a group of the host", func(b *Binding) { b.Subject = Subject{"Group", "kairship:host:system:serviceaccounts:ops"} }, "", ""},
		{"an address as a name", func(b *Binding) { b.Subject.Name = "kairship:oidc:Zoë@example.com" }, "", ""},
		{"an instance and namespaces", func(b *Binding) { b.Scope = Scope{Instance: new("asia"), Namespaces: []string{"a", "b"}} }, "", ""},
		{"no kind", func(b *Binding) { b.Subject.Kind = "" }, "subject.kind", "User or Group"},
		{"a ServiceAccount", func(b *Binding) { b.Subject.Kind = "ServiceAccount" }, "subject.kind", "User or Group"},
		{"no name", func(b *Binding) { b.Subject.Name = "" }, "subject.name", "origin"},
		{"Kubernetes' masters", func(b *Binding) { b.Subject.Name = "system:masters" }, "subject.name", "'system:'"},
		{"a name without its origin", func(b *Binding) { b.Subject.Name = "alice" }, "subject.name", "kairship:oidc:NAME or kairship:host:NAME"},
		{"an origin that is none", func(b *Binding) { b.Subject.Name = "kairship:ldap:alice" }, "subject.name", "origin"},
		{"an origin without a name", func(b *Binding) { b.Subject.Name = "kairship:oidc:" }, "subject.name", "origin"},
		{"a line break", func(b *Binding) { b.Subject.Name = "kairship:oidc:a\nb" }, "subject.name", "printable"},
		{"a space at the end", func(b *Binding) { b.Subject.Name = "kairship:oidc:a " }, "subject.name", "printable"},
		{"a name that reads backwards", func(b *Binding) { b.Subject.Name = "kairship:oidc:a\u202eb" }, "subject.name", "printable"},
		{"a name that is too long", func(b *Binding) { b.Subject.Name = "kairship:oidc:" + strings.Repeat("é", 240) }, "subject.name", "253"},
		{"no role", func(b *Binding) { b.Role = "" }, "role", "Admin, Editor, Viewer"},
		{"a role in capitals", func(b *Binding) { b.Role = "Owner" }, "role", "Admin, Editor, Viewer"},
		{"a role with a path", func(b *Binding) { b.Role = "a/b" }, "role", "lower case"},
		{"a role that is too long", func(b *Binding) { b.Role = strings.Repeat("a", 64) }, "role", "63"},
		{"an empty instance", func(b *Binding) { b.Scope.Instance = new("") }, "scope.instance", "leave it out for all"},
		{"every instance by a star", func(b *Binding) { b.Scope.Instance = new("*") }, "scope.instance", "lower case"},
		{"an instance that is too long", func(b *Binding) { b.Scope.Instance = new(strings.Repeat("a", 49)) }, "scope.instance", "48"},
		{"namespaces, but none", func(b *Binding) { b.Scope.Namespaces = []string{} }, "scope.namespaces", "leave it out for no limit"},
		{"too many namespaces", func(b *Binding) { b.Scope.Namespaces = many }, "scope.namespaces", "256"},
		{"an empty namespace", func(b *Binding) { b.Scope.Namespaces = []string{"a", ""} }, "scope.namespaces.1", "lower case"},
		{"a namespace twice", func(b *Binding) { b.Scope.Namespaces = []string{"a", "b", "a"} }, "scope.namespaces.2", "second time"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := good()
			tt.change(&b)
			err := b.Check()
			if tt.field == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if err == nil {
				t.Fatalf("allowed: %+v", b)
			}
			isAbout(t, err, tt.field, tt.says)
		})
	}
}

func TestOneIdentityIsOneName(t *testing.T) {
	b := Binding{Subject: Subject{"User", "kairship:oidc:alice"}, Role: "Viewer", Scope: Scope{Instance: new("asia"), Namespaces: []string{"a"}}}
	name := b.Name("s")
	if len(name) > 63 || !strings.HasPrefix(name, NamePrefix) {
		t.Errorf("name %q", name)
	}
	same := b
	same.Scope.Namespaces = nil
	if same.Name("s") != name {
		t.Error("namespaces are part of the name")
	}
	others := map[string]string{name: "itself"}
	for what, change := range map[string]func(*Binding){
		"another kind":     func(b *Binding) { b.Subject.Kind = "Group" },
		"another person":   func(b *Binding) { b.Subject.Name += "V" },
		"another role":     func(b *Binding) { b.Role = "iewer" },
		"another instance": func(b *Binding) { b.Scope.Instance = new("europe") },
		"every instance":   func(b *Binding) { b.Scope.Instance = nil },
	} {
		other := b
		change(&other)
		if former, taken := others[other.Name("s")]; taken {
			t.Errorf("%s has the name of %s", what, former)
		}
		others[other.Name("s")] = what
	}
	if former, taken := others[b.Name("t")]; taken {
		t.Errorf("another source has the name of %s", former)
	}
}

func TestTheSecondOfTwoThatAreOneIsRefused(t *testing.T) {
	b := Binding{Subject: Subject{"User", "kairship:oidc:alice"}, Role: "Viewer"}
	wider, wrong := b, b
	b.Scope.Namespaces = []string{"a"}
	wrong.Role = "?"
	got := CheckAll("s", []Binding{b, wrong, wider})
	if got[0] != nil {
		t.Errorf("the first: %v", got[0])
	}
	isAbout(t, got[1], "bindings.1.role", "Admin")
	isAbout(t, got[2], "bindings.2", "bindings[0]")
}
