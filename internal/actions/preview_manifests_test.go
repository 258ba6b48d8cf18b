package actions

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestWhatADryRunAnswersIsToldWithoutWhatTheServerMadeUp(t *testing.T) {
	object := func(text string) map[string]any {
		var o map[string]any
		if text != "" {
			if err := json.Unmarshal([]byte(text), &o); err != nil {
				t.Fatal(err)
			}
		}
		return o
	}
	for _, tc := range []struct {
		name, kind, outcome, before, after string
		stoodIn                            bool
		want, never                        string
	}{
		{name: "a new object is all of it", kind: "ConfigMap", outcome: "CREATED", after: `{"metadata":{"name":"a","namespace":"shop","uid":"made-up","creationTimestamp":"2026-01-01T00:00:00Z","managedFields":[{}]},"data":{"k":"v"}}`,
			want: `/data={"k":"v"} /metadata={"name":"a","namespace":"shop"}`, never: "made-up"},
		{name: "a stand-in has the name of the object", kind: "ConfigMap", outcome: "CREATED", after: `{"metadata":{"name":"a-x7","namespace":"default"},"data":{"k":"v"}}`, stoodIn: true,
			want: `/data={"k":"v"} /metadata={"name":"a","namespace":"shop"}`, never: "a-x7"},
		{name: "a change is what differs", kind: "ConfigMap", outcome: "CONFIGURED", before: `{"metadata":{"name":"a","namespace":"shop","resourceVersion":"1"},"data":{"k":"v"}}`,
			after: `{"metadata":{"name":"a","namespace":"shop","resourceVersion":"2"},"data":{"k":"w"}}`, want: `/data/k=w`},
		{name: "what may not be read is not compared", kind: "ConfigMap", outcome: "CONFIGURED", after: `{"metadata":{"name":"a","namespace":"shop"},"data":{"k":"w"}}`},
		{name: "values of a Secret are masked", kind: "Secret", outcome: "CREATED", after: `{"metadata":{"name":"a","namespace":"shop"},"data":{"k":"aHVudGVyMg=="},"stringData":{"l":"hunter2"}}`,
			want: "/data={\"k\":\"<hidden: 7 bytes>\"}", never: "unter2"},
		{name: "values of a Secret that changes are masked", kind: "Secret", outcome: "CONFIGURED", before: `{"metadata":{"name":"a","namespace":"shop"},"data":{"k":"aHVudGVyMg=="}}`,
			after: `{"metadata":{"name":"a","namespace":"shop"},"data":{"k":"aHVudGVyMjM="}}`, want: "/data/k=<hidden: 8 bytes>", never: "aHVudGVy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := model.TriedDocument{Ref: model.Ref{Instance: "asia", Namespace: "shop", Name: "a"}}
			d.Ref.GVK.Version, d.Ref.GVK.Kind, d.Outcome = "v1", tc.kind, model.ApplyOutcome(tc.outcome)
			if err := told(&d, object(tc.before), object(tc.after)); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range d.Changes {
				if c.To != nil {
					got = append(got, c.Path+"="+*c.To)
				}
			}
			shown := strings.Join(got, " ")
			if !strings.Contains(shown, tc.want) || tc.want == "" && shown != "" || d.StoodIn != tc.stoodIn || tc.never != "" && strings.Contains(shown, tc.never) {
				t.Errorf("got %s, stood in %t", shown, d.StoodIn)
			}
			if d.Changes == nil {
				t.Error("no changes are null")
			}
		})
	}
}
