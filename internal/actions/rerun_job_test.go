package actions

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/karmada"
)

// What the API server made of the former Job is not the new one's; all that somebody wrote is.
func TestAJobThatRunsAgainIsTheOneThatWas(t *testing.T) {
	const labels = `"mine":"1","my-job-name":"2","job-name":"import","controller-uid":"u","batch.kubernetes.io/job-name":"import","batch.kubernetes.io/controller-uid":"u"`
	const metadata = `"metadata":{"name":"import","namespace":"shop","uid":"u","resourceVersion":"7","generation":3,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{` + labels + `},` +
		`"annotations":{"note":"1","batch.kubernetes.io/job-tracking":""},"managedFields":[]}`
	job := func(manual string) []byte {
		return []byte(`{"apiVersion":"batch/v1","kind":"Job",` + metadata + `,"spec":{` + manual + `"backoffLimit":4,"selector":{"matchLabels":{"controller-uid":"u"}},"template":{"metadata":{"labels":{` + labels + `}},"spec":{}}},"status":{"succeeded":1}}`)
	}
	for name, tc := range map[string]struct{ given, want string }{
		"with the selector of the API server": {"", `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"import","namespace":"shop","labels":{"mine":"1","my-job-name":"2"},"annotations":{"note":"1"}},` +
			`"spec":{"backoffLimit":4,"template":{"metadata":{"labels":{"mine":"1","my-job-name":"2"}},"spec":{}}}}`},
		"with a selector of its own": {`"manualSelector":true,`, `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"import","namespace":"shop","labels":{` + labels + `},"annotations":{"note":"1"}},` +
			`"spec":{"manualSelector":true,"backoffLimit":4,"selector":{"matchLabels":{"controller-uid":"u"}},"template":{"metadata":{"labels":{` + labels + `}},"spec":{}}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, held, err := again(job(tc.given))
			if err != nil || held != (karmada.Expected{UID: "u", ResourceVersion: "7"}) {
				t.Fatalf("%+v, %v", held, err)
			}
			var want map[string]any
			if err := utiljson.Unmarshal([]byte(tc.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAJobThatCannotGoAtOnceIsNotRunAgain(t *testing.T) {
	for name, metadata := range map[string]string{"a finalizer": `"finalizers":["orphan"]`, "a deletion": `"deletionTimestamp":"2026-01-01T00:00:00Z"`} {
		if _, _, err := again([]byte(`{"metadata":{"name":"import",` + metadata + `},"spec":{}}`)); err == nil {
			t.Errorf("%s: it would be deleted", name)
		}
	}
}
