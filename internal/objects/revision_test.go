package objects_test

import (
	"slices"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

func TestDecodeRevision(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		workload  string
		images    []string
		template  string
		cause     string
	}{
		{
			name: "of a Deployment",
			raw: `{"metadata":{"namespace":"shop","name":"web-1","uid":"r1","annotations":{"kubernetes.io/change-cause":"new logo"},
				"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"o"},
				{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"u1","controller":true}]},
				"data":{"spec":{"template":{"spec":{"initContainers":[{"image":"init"}],"containers":[{"image":"b"},{"image":"a"},{"image":"b"}]}}}},"revision":3}`,
			workload: "apps/v1 Deployment shop/web u1",
			images:   []string{"b", "a"},
			template: `{"spec":{"initContainers":[{"image":"init"}],"containers":[{"image":"b"},{"image":"a"},{"image":"b"}]}}`,
			cause:    "new logo",
		},
		{
			name: "of a CronJob, whose pod template is inside the job's",
			raw: `{"metadata":{"namespace":"shop","name":"r","ownerReferences":[{"apiVersion":"batch/v1","kind":"CronJob","name":"report","uid":"u2","controller":true}]},
				"data":{"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"image":"a"}]}}}}}},"revision":3}`,
			workload: "batch/v1 CronJob shop/report u2",
			images:   []string{"a"},
			template: `{"spec":{"template":{"spec":{"containers":[{"image":"a"}]}}}}`,
		},
		{
			name:     "of something else, with data of another form",
			raw:      `{"metadata":{"namespace":"shop","name":"r"},"data":"text","revision":3}`,
			workload: "/ / ",
		},
		{
			name:     "without data",
			raw:      `{"metadata":{"namespace":"shop","name":"r"},"data":{"spec":{"template":null}},"revision":3}`,
			workload: "/ / ",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := objects.DecodeRevision("asia", "tokyo", []byte(tt.raw))
			if err != nil {
				t.Fatal(err)
			}
			w := r.WorkloadRef
			if got := w.APIVersion() + " " + w.GVK.Kind + " " + w.Namespace + "/" + w.Name + " " + r.WorkloadUID; got != tt.workload && r.WorkloadUID != "" {
				t.Errorf("it is of %q, want %q", got, tt.workload)
			}
			if r.WorkloadUID == "" && w != (model.Ref{}) {
				t.Errorf("it belongs to nothing, but names %v", w)
			}
			if r.Images == nil || !slices.Equal(r.Images, tt.images) {
				t.Errorf("images are %q, want %q", r.Images, tt.images)
			}
			if string(r.PodTemplate) != tt.template {
				t.Errorf("the template is %s, want %s", r.PodTemplate, tt.template)
			}
			if orNil(r.ChangeCause) != tt.cause && tt.cause != "" || tt.cause == "" && r.ChangeCause != nil {
				t.Errorf("the cause is %s, want %q", orNil(r.ChangeCause), tt.cause)
			}
			if r.Kind() != "ControllerRevision" || r.APIVersion() != "apps/v1" || r.Revision != 3 || r.Ref.Instance != "asia" || r.Ref.Cluster != "tokyo" {
				t.Errorf("it is %v, number %d", r.Ref, r.Revision)
			}
		})
	}
}

func TestDecodeRevisionRefusesWhatIsNone(t *testing.T) {
	for _, raw := range []string{`{`, `{}`, `{"metadata":{"name":"x"},"revision":"three"}`} {
		if r, err := objects.DecodeRevision("asia", "", []byte(raw)); err == nil {
			t.Errorf("%q gave %v, want an error", raw, r)
		}
	}
}
