package resolvers_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestAManifestIsWhatCanBeApplied(t *testing.T) {
	for _, format := range []string{"YAML", "JSON"} {
		t.Run(format, func(t *testing.T) {
			var data struct {
				Workloads struct{ Nodes []struct{ Manifest string } }
			}
			out := ask(t, &fleetOf{instances: []string{"asia"}}, newStore(t, 1, 1), `{workloads{nodes{manifest(format:`+format+`)}}}`)
			if err := json.Unmarshal(out.Data, &data); err != nil || len(data.Workloads.Nodes) != 1 {
				t.Fatalf("%s: %v, %v", out.Data, out.Errors, err)
			}
			manifest := data.Workloads.Nodes[0].Manifest
			var object struct {
				APIVersion, Kind string
				Metadata         struct{ Name string }
				Spec             struct{ Replicas int }
			}
			if err := yaml.Unmarshal([]byte(manifest), &object); err != nil {
				t.Fatal(err)
			}
			if object.APIVersion != "apps/v1" || object.Kind != "Deployment" || object.Metadata.Name != "app-0000" || object.Spec.Replicas != 2 {
				t.Errorf("manifest:\n%s", manifest)
			}
			if strings.Contains(manifest, "shadow.clusterpedia.io") {
				t.Errorf("the read store shows through:\n%s", manifest)
			}
		})
	}
}
