package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryTypeAndFieldIsDescribed(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"query.graphqls": "type Query {\n  \"One of them.\"\n  pod(\"Its id.\" id: ID!, n: Int = 3): Pod\n}",
		"pod.graphqls":   "\"A pod | or so.\"\ntype Pod implements Node {\n  \"Its id.\"\n  id: ID!\n  phase: Phase!\n}\nenum Phase {\n  \"It runs.\"\n  RUNNING\n}\ninterface Node {\n  id: ID!\n}",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := Pages(folder)
	if err != nil {
		t.Fatal(err)
	}
	for page, wants := range map[string][]string{
		"README.md": {"## Query", "| `pod(id: ID!, n: Int = 3)` | [`Pod`](pod.md#pod) | One of them.<br>`id`: Its id. |", "- [`Phase`](pod.md#phase)"},
		"pod.md":    {"## Pod\nobject, a [`Node`](pod.md#node)\n\nA pod | or so.", "| `phase` | [`Phase!`](pod.md#phase) |", "| `RUNNING` | It runs. |", "## Node\ninterface: [`Pod`](pod.md#pod)"},
	} {
		for _, want := range wants {
			if !strings.Contains(pages[page], want) {
				t.Errorf("%s lacks %q:\n%s", page, want, pages[page])
			}
		}
	}
}
