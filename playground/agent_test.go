package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/fleet"
)

func TestTheCommandThatRegistersAMember(t *testing.T) {
	got, err := registration("karmadactl register 127.0.0.1:21040 \\\n  --token abcdef.0123456789abcdef --cluster-name osaka\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"register", "127.0.0.1:21040", "--token", "abcdef.0123456789abcdef", "--cluster-name", "osaka"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	for command, want := range map[string]string{
		"":                            "--command is empty",
		"rm -rf /":                    `begins with "rm -rf"`,
		"karmadactl join osaka":       `begins with "karmadactl join"`,
		"karmadactl register a:1; rm": "no shell reads it",
		"karmadactl register a:1 --kubeconfig=/x": "holds --kubeconfig",
	} {
		if _, err := registration(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", command, err, want)
		}
	}
}

func TestTheOptionsOfAnAgent(t *testing.T) {
	deployment := func(command ...any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"containers": []any{map[string]any{"command": command}}}}}}}
	}
	got, err := agentOf(deployment("/bin/karmada-agent", "--cluster-name=kansai", "--cluster-zones=a,b", "--v=2"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fleet.Agent{Cluster: "kansai", Zones: "a,b"}, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	if _, err := agentOf(deployment("/bin/karmada-agent")); err == nil {
		t.Error("an agent of no cluster was accepted")
	}
}
