package workloadform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/objects"
)

// pairs is a map, which the form has as a list of keys and values.
type pairs struct {
	of leaf
	// own says which keys are not the form's, and unseen which of them nobody asks for; nil for none.
	own, unseen func(key string) bool
	// why says to somebody who gives an own key why it is refused.
	why string
}

var (
	allPairs   = &pairs{of: text}
	quantities = &pairs{of: quantity}
	// ownPairs leaves out what Karmada and kubectl note down.
	ownPairs = &pairs{of: text, own: func(key string) bool { return OfKarmada(key) || objects.Hidden(key) }, unseen: objects.Hidden,
		why: "is written by Karmada or kubectl themselves; see createPolicy and protectResource for what people say by such keys"}
	// podPairs leaves out what an API server adds to the pods of a Job.
	podPairs = &pairs{of: text, own: func(key string) bool { return slices.Contains(ofJobs, key) }, why: "is given to the pods of a Job by the API server"}
)

// ofJobs are the labels by which a Job that says nothing else knows its pods.
var ofJobs = []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"}

// OfKarmada reports whether a label or annotation is in a domain of Karmada's.
func OfKarmada(key string) bool {
	domain, _, ok := strings.Cut(key, "/")
	return ok && (domain == "karmada.io" || strings.HasSuffix(domain, ".karmada.io"))
}

func (p *pairs) show(r *reader, at string, value any) (any, bool) {
	entries, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	out := []any{}
	for _, key := range sortedKeys(entries) {
		if p.unseen != nil && p.unseen(key) {
			continue
		}
		if shown, ok := p.shown(key, entries[key]); ok {
			out = append(out, map[string]any{"key": key, "value": shown})
		} else {
			r.hide(at + "/" + escape(key))
		}
	}
	return out, true
}

func (p *pairs) shows(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

// shown is what the form shows of an entry.
func (p *pairs) shown(key string, value any) (any, bool) {
	if value == nil || p.own != nil && p.own(key) {
		return nil, false
	}
	return p.of.shown(value)
}

func (p *pairs) set(w *writer, at []string, value, given any) any {
	wanted, ok := given.([]any)
	if !ok {
		w.problem(at, "is %s; a list of keys and values is needed", described(given))
		return value
	}
	there, _ := value.(map[string]any)
	out := map[string]any{}
	for key, entry := range there {
		if _, ok := p.shown(key, entry); !ok {
			out[key] = entry
		}
	}
	seen := map[string]bool{}
	for i, item := range wanted {
		at := below(at, strconv.Itoa(i))
		pair, _ := item.(map[string]any)
		key, ok := pair["key"].(string)
		switch {
		case !ok:
			w.problem(at, "has no key")
			continue
		case seen[key]:
			w.problem(below(at, "key"), "%.300q is there twice", key)
			continue
		case p.own != nil && p.own(key):
			w.problem(below(at, "key"), "%.300q %s", key, p.why)
			continue
		}
		seen[key] = true
		out[key] = p.of.set(w, below(at, "value"), there[key], pair["value"])
	}
	return out
}

func (p *pairs) clear(value any) any {
	there, _ := value.(map[string]any)
	out := map[string]any{}
	for key, entry := range there {
		if _, ok := p.shown(key, entry); !ok {
			out[key] = entry
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (p *pairs) find(path []string, form any) []string {
	items, _ := form.([]any)
	if len(path) == 0 {
		return nil
	}
	for i, item := range items {
		if pair, _ := item.(map[string]any); pair["key"] == path[0] {
			return []string{strconv.Itoa(i)}
		}
	}
	return nil
}
