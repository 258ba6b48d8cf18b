package objects

import (
	"cmp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// eventObject is an event of either API: v1 and events.k8s.io/v1 serve the same object under different names, and
// events written through the newer API lack the older one's times and count.
type eventObject struct {
	Metadata Meta   `json:"metadata"`
	Type     string `json:"type"`
	Reason   string `json:"reason"`

	EventTime *time.Time `json:"eventTime"`
	Series    *struct {
		Count            int32      `json:"count"`
		LastObservedTime *time.Time `json:"lastObservedTime"`
	} `json:"series"`

	// As v1 names them.
	Message            string          `json:"message"`
	InvolvedObject     objectReference `json:"involvedObject"`
	Count              int32           `json:"count"`
	FirstTimestamp     *time.Time      `json:"firstTimestamp"`
	LastTimestamp      *time.Time      `json:"lastTimestamp"`
	Source             eventSource     `json:"source"`
	ReportingComponent string          `json:"reportingComponent"`
	ReportingInstance  string          `json:"reportingInstance"`

	// As events.k8s.io names them.
	Note                     string          `json:"note"`
	Regarding                objectReference `json:"regarding"`
	DeprecatedCount          int32           `json:"deprecatedCount"`
	DeprecatedFirstTimestamp *time.Time      `json:"deprecatedFirstTimestamp"`
	DeprecatedLastTimestamp  *time.Time      `json:"deprecatedLastTimestamp"`
	DeprecatedSource         eventSource     `json:"deprecatedSource"`
	ReportingController      string          `json:"reportingController"`
}

type eventSource struct {
	Component string `json:"component"`
	Host      string `json:"host"`
}

type objectReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	FieldPath  string `json:"fieldPath"`
}

func (r objectReference) model() model.ObjectReference {
	return model.ObjectReference{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: orNil(r.Namespace), Name: r.Name,
		UID: orNil(r.UID), FieldPath: orNil(r.FieldPath)}
}

// DecodeEvent reads an Event (v1) of a member, or of the control plane when cluster is empty, from JSON.
// The event keeps raw, which must not be changed afterwards.
func DecodeEvent(instance, cluster string, raw []byte) (*model.KubernetesEvent, error) {
	return decodeEvent(instance, cluster, core("Event"), raw)
}

func decodeEvent(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (*model.KubernetesEvent, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: gvk}
	var o eventObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	regarding := o.InvolvedObject
	if regarding == (objectReference{}) {
		regarding = o.Regarding
	}
	e := &model.KubernetesEvent{
		Object:    o.Metadata.Object(ref, raw),
		Type:      eventType(o.Type),
		Reason:    o.Reason,
		Message:   strings.TrimSpace(cmp.Or(o.Message, o.Note)),
		Count:     o.count(),
		Source:    o.source(),
		Regarding: regarding.model(),
	}
	e.FirstSeen, e.LastSeen = o.seen()
	return e, nil
}

func eventType(t string) model.EventType {
	switch t {
	case "Normal":
		return model.EventNormal
	case "Warning":
		return model.EventWarning
	}
	return model.EventTypeUnknown
}

// count is the count of the series where there is one; an event without a count happened once.
func (o *eventObject) count() int {
	n := cmp.Or(o.Count, o.DeprecatedCount)
	if o.Series != nil {
		n = o.Series.Count
	}
	return int(max(n, 1))
}

// seen is when it happened first and last. Times that an event lacks are taken from its creation.
func (o *eventObject) seen() (first, last time.Time) {
	first = firstSaid(o.FirstTimestamp, o.DeprecatedFirstTimestamp, o.EventTime, &o.Metadata.CreationTimestamp)
	last = first
	if o.Series != nil {
		last = firstSaid(o.Series.LastObservedTime, &first)
	} else {
		last = firstSaid(o.LastTimestamp, o.DeprecatedLastTimestamp, &last)
	}
	return first, last
}

// firstSaid returns the first time that is set.
func firstSaid(moments ...*time.Time) time.Time {
	for _, m := range moments {
		if m != nil && !m.IsZero() {
			return *m
		}
	}
	return time.Time{}
}

// source is the reporting component, with the host or the instance where that adds something.
func (o *eventObject) source() string {
	name := cmp.Or(o.Source.Component, o.DeprecatedSource.Component, o.ReportingComponent, o.ReportingController)
	where := cmp.Or(o.Source.Host, o.DeprecatedSource.Host, o.ReportingInstance)
	if name == "" || where == "" || where == name {
		return cmp.Or(name, where)
	}
	return name + ", " + where
}
