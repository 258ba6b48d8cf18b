package objects

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func TestDecodeEvent(t *testing.T) {
	const regarding = `{"apiVersion":"v1","kind":"Pod","namespace":"shop","name":"cart-1","uid":"p1","fieldPath":"spec.containers{web}"}`
	pod := model.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: ptr("shop"), Name: "cart-1", UID: ptr("p1"), FieldPath: ptr("spec.containers{web}")}
	newer := schema.GroupVersionKind{Group: "events.k8s.io", Version: "v1", Kind: "Event"}
	cases := []struct {
		name   string
		gvk    schema.GroupVersionKind
		fields string
		want   model.KubernetesEvent
	}{
		{"an event of the old kind says its count and its times", core("Event"),
			`"type":"Warning","reason":"BackOff","message":"  back-off\n","count":3,"firstTimestamp":"2025-06-01T12:00:01Z","lastTimestamp":"2025-06-01T12:00:09Z","eventTime":null,
				"source":{"component":"kubelet","host":"tokyo-1"},"reportingComponent":"kubelet","reportingInstance":"tokyo-1","involvedObject":` + regarding,
			model.KubernetesEvent{Type: model.EventWarning, Reason: "BackOff", Message: "back-off", Count: 3,
				FirstSeen: *at(1), LastSeen: *at(9), Source: "kubelet, tokyo-1", Regarding: pod}},
		{"an event of the new kind happened once, at its eventTime", core("Event"),
			`"type":"Normal","reason":"Scheduled","message":"assigned","eventTime":"2025-06-01T12:00:04.540311Z","firstTimestamp":null,"lastTimestamp":null,"source":{},
				"reportingComponent":"default-scheduler","reportingInstance":"default-scheduler-vm","involvedObject":` + regarding,
			model.KubernetesEvent{Type: model.EventNormal, Reason: "Scheduled", Message: "assigned", Count: 1,
				FirstSeen: at(4).Add(540311 * time.Microsecond), LastSeen: at(4).Add(540311 * time.Microsecond),
				Source: "default-scheduler, default-scheduler-vm", Regarding: pod}},
		{"a series has its own count and last time", core("Event"),
			`"type":"Normal","reason":"Again","count":1,"eventTime":"2025-06-01T12:00:04Z","lastTimestamp":"2025-06-01T12:00:05Z","series":{"count":7,"lastObservedTime":"2025-06-01T12:00:08Z"},"involvedObject":` + regarding,
			model.KubernetesEvent{Type: model.EventNormal, Reason: "Again", Count: 7, FirstSeen: *at(4), LastSeen: *at(8), Regarding: pod}},
		{"the names of events.k8s.io are read as well", newer,
			`"type":"Warning","reason":"Failed","note":"it failed","deprecatedCount":2,"deprecatedFirstTimestamp":"2025-06-01T12:00:02Z","deprecatedLastTimestamp":"2025-06-01T12:00:03Z",
				"deprecatedSource":{"component":"kubelet","host":"tokyo-2"},"reportingController":"kubelet","regarding":` + regarding,
			model.KubernetesEvent{Type: model.EventWarning, Reason: "Failed", Message: "it failed", Count: 2,
				FirstSeen: *at(2), LastSeen: *at(3), Source: "kubelet, tokyo-2", Regarding: pod}},
		{"what an event does not say of itself, its creation does", core("Event"), `"involvedObject":{"kind":"Node","name":"tokyo-1"}`,
			model.KubernetesEvent{Type: model.EventTypeUnknown, Count: 1, FirstSeen: epoch, LastSeen: epoch,
				Regarding: model.ObjectReference{Kind: "Node", Name: "tokyo-1"}}},
		{"a type that is neither is UNKNOWN", core("Event"), `"type":"Alarm"`,
			model.KubernetesEvent{Type: model.EventTypeUnknown, Count: 1, FirstSeen: epoch, LastSeen: epoch}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw := `{"metadata":{"namespace":"shop","name":"e","uid":"e1","resourceVersion":"3","creationTimestamp":"2025-06-01T12:00:00Z"},` + c.fields + `}`
			got, err := Decode("asia", "tokyo", c.gvk, []byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			ref := in("Event", "shop", "e")
			ref.GVK = c.gvk
			c.want.Object = model.Object{Ref: ref, UID: "e1", ResourceVersion: "3", CreatedAt: epoch,
				Labels: []model.KeyValue{}, Annotations: []model.KeyValue{}, Raw: []byte(raw)}
			if diff := cmp.Diff(model.KubernetesObject(&c.want), got); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
		})
	}
}
