package propagation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// patch applies one operation of a JSON patch (RFC 6902) that overriders know: add, replace or remove.
func (d document) patch(op, path string, raw []byte) error {
	var value any
	if op != "remove" && len(raw) > 0 {
		decoder := json.NewDecoder(strings.NewReader(string(raw)))
		decoder.UseNumber()
		if err := decoder.Decode(&value); err != nil {
			return fmt.Errorf("the value for %s is not JSON: %w", path, err)
		}
	}
	switch op {
	case "add":
		return d.edit(path, func(parent any, key string) (any, error) { return added(parent, key, value) })
	case "replace":
		return d.replace(path, value)
	case "remove":
		return d.edit(path, removed)
	}
	return fmt.Errorf("there is no operation %q", op)
}

// replace puts a value in the place of one that is there.
func (d document) replace(path string, value any) error {
	if _, err := d.at(path); err != nil {
		return err
	}
	return d.edit(path, func(parent any, key string) (any, error) {
		switch p := parent.(type) {
		case map[string]any:
			p[key] = value
		case []any:
			i, err := index(key, len(p))
			if err != nil {
				return nil, err
			}
			p[i] = value
		}
		return parent, nil
	})
}

// at finds the value at a JSON pointer.
func (d document) at(path string) (any, error) {
	var v any = map[string]any(d)
	for _, key := range steps(path) {
		var err error
		if v, err = child(v, key); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return v, nil
}

// edit gives the parent of the value at a JSON pointer to change, and puts what change returns in its
// place: a list may have to be made anew.
func (d document) edit(path string, change func(parent any, key string) (any, error)) error {
	keys := steps(path)
	if len(keys) == 0 {
		return fmt.Errorf("%q is the whole object", path)
	}
	var descend func(v any, keys []string) (any, error)
	descend = func(v any, keys []string) (any, error) {
		if len(keys) == 1 {
			return change(v, keys[0])
		}
		next, err := child(v, keys[0])
		if err != nil {
			return nil, err
		}
		changed, err := descend(next, keys[1:])
		if err != nil {
			return nil, err
		}
		switch p := v.(type) {
		case map[string]any:
			p[keys[0]] = changed
		case []any:
			i, err := index(keys[0], len(p))
			if err != nil {
				return nil, err
			}
			p[i] = changed
		}
		return v, nil
	}
	if _, err := descend(map[string]any(d), keys); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func added(parent any, key string, value any) (any, error) {
	switch p := parent.(type) {
	case map[string]any:
		p[key] = value
		return p, nil
	case []any:
		if key == "-" {
			return append(slices.Clone(p), value), nil
		}
		i, err := index(key, len(p)+1)
		if err != nil {
			return nil, err
		}
		return slices.Insert(slices.Clone(p), i, value), nil
	}
	return nil, fmt.Errorf("there is nothing to which %q could be added", key)
}

func removed(parent any, key string) (any, error) {
	if _, err := child(parent, key); err != nil {
		return nil, err
	}
	switch p := parent.(type) {
	case map[string]any:
		delete(p, key)
	case []any:
		i, err := index(key, len(p))
		if err != nil {
			return nil, err
		}
		return slices.Delete(slices.Clone(p), i, i+1), nil
	}
	return parent, nil
}

// child is one step down.
func child(v any, key string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if next, ok := v[key]; ok {
			return next, nil
		}
	case []any:
		i, err := index(key, len(v))
		if err != nil {
			return nil, err
		}
		return v[i], nil
	}
	return nil, fmt.Errorf("there is no %q", key)
}

// index reads the place of an item in a list of n; a negative one counts from the end, as in Karmada.
func index(key string, n int) (int, error) {
	i, err := strconv.Atoi(key)
	if i < 0 {
		i += n
	}
	if err != nil || i < 0 || i >= n {
		return 0, fmt.Errorf("there is no item %q", key)
	}
	return i, nil
}

// steps takes a JSON pointer (RFC 6901) apart.
func steps(path string) []string {
	if path == "" || path == "/" {
		return nil
	}
	keys := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range keys {
		keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(keys[i])
	}
	return keys
}
