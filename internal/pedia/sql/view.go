package sql

import (
	"encoding/json"

	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// View is a row as conditions see it: parsed on demand.
type View struct {
	Row
	Key Key

	// Beside is the rows of the same answer, for conditions on other rows than the current one; nil for none.
	Beside *Rows

	parsed *Head
	object map[string]any
}

// Rows are the rows of one answer.
type Rows struct {
	// Owners says that the owners of rows were returned too. Where they were not, rows of their kinds were returned
	// only because they belong to the owners: the store matched them by uid.
	Owners bool

	byUID map[[2]string]*View
}

// Add adds a row.
func (r *Rows) Add(v *View) {
	if r.byUID == nil {
		r.byUID = map[[2]string]*View{}
	}
	r.byUID[[2]string{v.Cluster, v.Head().Metadata.UID}] = v
}

// of is a row of a cluster by its uid; nil when it was not returned.
func (r *Rows) of(cluster, uid string) *View { return r.byUID[[2]string{cluster, uid}] }

// Head is the part of an object that most conditions and orders are about.
type Head struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Namespace         string            `json:"namespace"`
		Name              string            `json:"name"`
		UID               string            `json:"uid"`
		ResourceVersion   string            `json:"resourceVersion"`
		CreationTimestamp string            `json:"creationTimestamp"`
		Labels            map[string]string `json:"labels"`
		Annotations       map[string]string `json:"annotations"`
		OwnerReferences   []owner           `json:"ownerReferences"`
	} `json:"metadata"`
	Series *struct {
		LastObservedTime string `json:"lastObservedTime"`
	} `json:"series"`
	LastTimestamp string `json:"lastTimestamp"`
	EventTime     string `json:"eventTime"`
}

type owner struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller bool   `json:"controller"`
}

// Head is the row's head; empty for a row that cannot be decoded, which its decoder will report.
func (v *View) Head() *Head {
	if v.parsed == nil {
		v.parsed = &Head{}
		if jsonv2.Unmarshal(v.Raw, v.parsed) != nil {
			*v.parsed = Head{}
		}
	}
	return v.parsed
}

// Place sets the key of a row from its own metadata.
func (v *View) Place() {
	meta := v.Head().Metadata
	v.Key = Key{Cluster: v.Cluster, GVR: v.GVR, Namespace: meta.Namespace, Name: meta.Name}
}

// controller is the owner that controls the row; the zero owner when there is none.
func (v *View) controller() owner {
	for _, o := range v.Head().Metadata.OwnerReferences {
		if o.Controller {
			return o
		}
	}
	return owner{}
}

// field is the value at a path; nil when there is none.
func (v *View) field(path []string) any {
	if v.object == nil {
		if json.Unmarshal(v.Raw, &v.object) != nil {
			return nil
		}
	}
	var at any = v.object
	for _, name := range path {
		object, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = object[name]
	}
	return at
}

// At is the row's time in an order.
func (v *View) At(order Order) string {
	switch order {
	case ByCreated:
		return v.Head().Metadata.CreationTimestamp
	case ByLastSeen:
		// As indexes.EventSeen.
		h := v.Head()
		switch {
		case h.Series != nil && h.Series.LastObservedTime != "":
			return h.Series.LastObservedTime
		case h.LastTimestamp != "":
			return h.LastTimestamp
		case h.EventTime != "":
			return h.EventTime
		}
		return h.Metadata.CreationTimestamp
	}
	return ""
}

// Meets reports whether a row may meet conditions, as far as it and the rows beside it show.
func (v *View) Meets(where []Condition) bool { return All(where...).match(v) != no }

// Surely reports whether a row meets conditions, as far as it and the rows beside it show: known is false where they do not show it.
// Unhealthy does not count: whoever asks for it judges each row anyway.
func (v *View) Surely(where ...[]Condition) (meets, known bool) {
	t := yes
	for _, conditions := range where {
		for _, c := range conditions {
			if _, narrows := c.(unhealthyCondition); !narrows {
				t = min(t, c.match(v))
			}
		}
	}
	return t == yes, t != unknown
}
