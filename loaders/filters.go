package loaders

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// conditions collects the conditions of a filter and its first error.
type conditions struct {
	all []sql.Condition
	err error
}

func (c *conditions) add(cond sql.Condition) { c.all = append(c.all, cond) }

func (c *conditions) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *conditions) names(field string, values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkNames(field, values); err != nil {
		c.fail(err)
		return
	}
	c.add(sql.Names(values...))
}

func (c *conditions) namespaces(values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkNamespaces(values); err != nil {
		c.fail(err)
		return
	}
	c.add(sql.Namespaces(values...))
}

// field requires one of some values of a field.
func (c *conditions) field(name string, path []string, values []string) {
	if len(values) == 0 {
		return
	}
	if err := checkMany(name, values); err != nil {
		c.fail(err)
		return
	}
	c.add(sql.Field(path, values...))
}

func (c *conditions) nameContains(text *string) {
	if text == nil || *text == "" {
		return
	}
	if err := model.CheckNamePart("nameContains", *text); err != nil {
		c.fail(err)
		return
	}
	c.add(sql.NameContains(*text))
}

// maxSelector bounds the length of a label selector.
const maxSelector = 2000

func (c *conditions) labels(selector *string) {
	if selector == nil || *selector == "" {
		return
	}
	if n := len(*selector); n > maxSelector {
		c.fail(model.BadInput("labelSelector", "has %d characters, at most %d are allowed", n, maxSelector))
		return
	}
	parsed, err := labels.Parse(*selector)
	if err != nil {
		c.fail(model.BadInput("labelSelector", "is not a Kubernetes label selector: %v", err))
		return
	}
	if !parsed.Empty() {
		c.add(sql.Labels(parsed))
	}
}

// maxFilterValues bounds the lists of a filter.
const maxFilterValues = 100

func checkNamespaces(values []string) error {
	return checkAll("namespaces", "the name of a namespace", values, validation.IsDNS1123Label)
}

func checkNames(field string, values []string) error {
	return checkAll(field, "a name", values, validation.IsDNS1123Subdomain)
}

// checkMany refuses a list of a filter that is too long.
func checkMany(field string, values []string) error {
	if n := len(values); n > maxFilterValues {
		return model.BadInput(field, "has %d entries, at most %d are allowed", n, maxFilterValues)
	}
	return nil
}

func checkAll(field, what string, values []string, problems func(string) []string) error {
	if err := checkMany(field, values); err != nil {
		return err
	}
	for _, v := range values {
		if p := problems(v); len(p) > 0 {
			return model.BadInput(field, "%q is not %s: %s", model.Clip(v), what, p[0])
		}
	}
	return nil
}
