package promotion

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Hashes are those of the templates of a plan, by which it is told later whether they are still the same. A template holds the mark of its
// promotion, so that equal Secrets of two promotions have different ones.
type Hashes map[string]string

// Hashes returns the hash of each template, by its kind and name.
func (p *Plan) Hashes() (Hashes, error) {
	out := Hashes{}
	for i := range p.Objects {
		raw, err := json.Marshal(p.Objects[i].Template)
		if err != nil {
			return nil, fmt.Errorf("encode a template: %w", err)
		}
		sum := sha256.Sum256(raw)
		out[p.Objects[i].key()] = hex.EncodeToString(sum[:])
	}
	return out, nil
}

func (o *Object) key() string {
	return fmt.Sprintf("%s %s %q", o.Ref.APIVersion(), o.Ref.GVK.Kind, o.Ref.Name)
}

// Since fails with a *ConflictError unless the plan makes the templates that it made when the hashes were taken, and no others. Those that
// are made by now do not count: what Karmada placed of them may differ.
func (p *Plan) Since(before Hashes) error {
	now, err := p.Hashes()
	if err != nil {
		return err
	}
	changed := func(what string) error {
		return &ConflictError{what + " changed in the member since it was checked; promote it again"}
	}
	for i := range p.Objects {
		o := &p.Objects[i]
		if key := o.key(); !o.Made && now[key] != before[key] {
			return changed(fmt.Sprintf("%s %q", o.Ref.GVK.Kind, o.Ref.Name))
		}
	}
	gone := ""
	for key := range before {
		if now[key] == "" && (gone == "" || key < gone) {
			gone = key
		}
	}
	if gone != "" {
		return changed(gone)
	}
	return nil
}
