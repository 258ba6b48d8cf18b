package server

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
)

// check refuses a document that is too large or too complex to be validated, which costs far more than this check. It
// works on the text: the validator decides whether it makes sense.
func (l Limits) check(query string) *gqlerror.Error {
	_, err := l.examine(query)
	return err
}

// examine is check, and returns how many fields the document has.
func (l Limits) examine(query string) (fields int, refusal *gqlerror.Error) {
	if err := l.scan(query); err != nil {
		return 0, err
	}
	if doc, err := parser.ParseQuery(&ast.Source{Input: query}); err == nil {
		s, refusal := l.measure(doc)
		return s.fields, refusal
	}
	return 0, nil // the executor will report what is wrong
}

// scan counts tokens and directives of the text, and checks the length of names.
func (l Limits) scan(query string) *gqlerror.Error {
	lex := lexer.New(&ast.Source{Input: query})
	directives := 0
	for n := 0; ; n++ {
		token, err := lex.ReadToken()
		if done := err != nil || token.Kind == lexer.EOF; done {
			return nil // the parser reports what is wrong
		}
		if n >= l.Tokens {
			return limitExceeded("tokens", l.Tokens, 0, "the document has more than %d tokens", l.Tokens)
		}
		if token.Kind == lexer.At {
			if directives++; directives > l.Directives {
				return limitExceeded("directives", l.Directives, 0, "the document has more than %d directives", l.Directives)
			}
		}
		if token.Kind == lexer.Name && len(token.Value) > l.Name {
			return limitExceeded("name", l.Name, len(token.Value), "the document holds a name of %d characters; at most %d are allowed", len(token.Value), l.Name)
		}
	}
}

// size is the size of a selection set with its fragments expanded. Numbers are capped at many.
type size struct {
	fields, aliases, directives int
	// roots is the number of fields at the outermost level.
	roots int
	depth int
	// introspection is the depth below __schema and __type.
	introspection int
	// repeats is how often one name is written in one selection set.
	repeats int
}

// many is more than any limit and far from overflowing.
const many = 1 << 40

func (s *size) add(o size) {
	s.fields = min(s.fields+o.fields, many)
	s.aliases = min(s.aliases+o.aliases, many)
	s.directives = min(s.directives+o.directives, many)
	s.roots = min(s.roots+o.roots, many)
	s.depth = max(s.depth, o.depth)
	s.introspection = max(s.introspection, o.introspection)
	s.repeats = max(s.repeats, o.repeats)
}

// measurer measures each fragment once, however often it is spread: fragments that spread each other would otherwise
// take exponential time.
type measurer struct {
	fragments ast.FragmentDefinitionList
	known     map[string]size
	open      map[string]bool
}

func (l Limits) measure(doc *ast.QueryDocument) (size, *gqlerror.Error) {
	m := measurer{fragments: doc.Fragments, known: map[string]size{}, open: map[string]bool{}}
	// Every operation is validated, so the cost of every one counts; only one is run.
	whole := size{}
	for _, op := range doc.Operations {
		s := m.set(op.SelectionSet)
		s.directives += len(op.Directives)
		for _, v := range op.VariableDefinitions {
			s.directives += len(v.Directives)
		}
		whole.fields = min(whole.fields+s.fields, many)
		whole.directives = min(whole.directives+s.directives, many)
		whole.aliases, whole.roots = max(whole.aliases, s.aliases), max(whole.roots, s.roots)
		whole.depth, whole.introspection = max(whole.depth, s.depth), max(whole.introspection, s.introspection)
		whole.repeats = max(whole.repeats, s.repeats)
	}
	for _, f := range doc.Fragments {
		if _, used := m.known[f.Name]; !used {
			s := m.set(f.SelectionSet)
			whole.fields = min(whole.fields+s.fields, many)
			whole.repeats = max(whole.repeats, s.repeats)
		}
	}
	for _, c := range []struct {
		name         string
		allowed, has int
		what         string
	}{
		{"depth", l.Depth, whole.depth, "levels of fields"},
		{"depth", introspectionDepth, whole.introspection, "levels of introspection"},
		{"aliases", l.Aliases, whole.aliases, "aliases"},
		{"rootFields", l.RootFields, whole.roots, "root fields"},
		{"directives", l.Directives, whole.directives, "directives"},
		{"fields", l.Fields, whole.fields, "fields, fragments counted as often as they are spread"},
		{"repeats", l.Repeats, whole.repeats, "times the same name in one place"},
	} {
		if c.has > c.allowed {
			return whole, limitExceeded(c.name, c.allowed, c.has, "the document has %d %s; at most %d are allowed", c.has, c.what, c.allowed)
		}
	}
	return whole, nil
}

func (m *measurer) set(set ast.SelectionSet) size { return m.within(set, map[string]int{}) }

// within measures a selection set, or an inline fragment of one. written counts the names of that set; the content of
// spread fragments is not included: Fields limits it.
func (m *measurer) within(set ast.SelectionSet, written map[string]int) (total size) {
	write := func(name string) {
		written[name]++
		total.repeats = max(total.repeats, written[name])
	}
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			write(s.Alias) // the name, without an alias
			inner := m.set(s.SelectionSet)
			outer := size{fields: min(inner.fields+1, many), aliases: inner.aliases, roots: 1,
				directives:    min(inner.directives+len(s.Directives), many),
				introspection: inner.introspection, repeats: inner.repeats}
			if s.Alias != "" && s.Alias != s.Name {
				outer.aliases = min(outer.aliases+1, many)
			}
			if s.Name == "__schema" || s.Name == "__type" {
				outer.introspection = max(inner.depth, inner.introspection) + 1
			} else {
				outer.depth = inner.depth + 1
			}
			total.add(outer)
		case *ast.InlineFragment:
			inner := m.within(s.SelectionSet, written)
			inner.directives = min(inner.directives+len(s.Directives), many)
			total.add(inner)
		case *ast.FragmentSpread:
			write("..." + s.Name)
			inner := m.fragment(s.Name)
			inner.directives = min(inner.directives+len(s.Directives), many)
			total.add(inner)
		}
	}
	return total
}

func (m *measurer) fragment(name string) size {
	if s, ok := m.known[name]; ok {
		return s
	}
	definition := m.fragments.ForName(name)
	if definition == nil || m.open[name] {
		return size{} // unknown, or a cycle: the validator reports it
	}
	m.open[name] = true
	s := m.set(definition.SelectionSet)
	s.directives = min(s.directives+len(definition.Directives), many)
	delete(m.open, name)
	m.known[name] = s
	return s
}

// unsupported finds what a valid document may not request from this server.
func unsupported(doc *ast.QueryDocument, op *ast.OperationDefinition) *gqlerror.Error {
	var find func(ast.SelectionSet, map[string]bool) *gqlerror.Error
	deferred := func(list ast.DirectiveList, at *ast.Position) *gqlerror.Error {
		if list.ForName("defer") == nil {
			return nil
		}
		return badDocument(at, "the directive @defer is not supported")
	}
	find = func(set ast.SelectionSet, seen map[string]bool) *gqlerror.Error {
		for _, selection := range set {
			var err *gqlerror.Error
			switch s := selection.(type) {
			case *ast.Field:
				err = find(s.SelectionSet, seen)
			case *ast.InlineFragment:
				if err = deferred(s.Directives, s.Position); err == nil {
					err = find(s.SelectionSet, seen)
				}
			case *ast.FragmentSpread:
				if err = deferred(s.Directives, s.Position); err == nil && !seen[s.Name] {
					seen[s.Name] = true
					if f := doc.Fragments.ForName(s.Name); f != nil {
						err = find(f.SelectionSet, seen)
					}
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if op.Operation == ast.Subscription {
		for _, selection := range op.SelectionSet {
			if f, ok := selection.(*ast.Field); ok && strings.HasPrefix(f.Name, "__") {
				return badDocument(f.Position, "a subscription is to one field of Subscription; %s is none", f.Name)
			}
		}
	}
	return find(op.SelectionSet, map[string]bool{})
}

// readsSchema reports whether an operation requests __schema or __type. They are fields of the root only.
func readsSchema(doc *ast.QueryDocument, op *ast.OperationDefinition) bool {
	seen := map[string]bool{}
	var find func(ast.SelectionSet) bool
	find = func(set ast.SelectionSet) bool {
		return slices.ContainsFunc(set, func(selection ast.Selection) bool {
			switch s := selection.(type) {
			case *ast.Field:
				return s.Name == "__schema" || s.Name == "__type"
			case *ast.InlineFragment:
				return find(s.SelectionSet)
			case *ast.FragmentSpread:
				if f := doc.Fragments.ForName(s.Name); f != nil && !seen[s.Name] {
					seen[s.Name] = true
					return find(f.SelectionSet)
				}
			}
			return false
		})
	}
	return find(op.SelectionSet)
}
