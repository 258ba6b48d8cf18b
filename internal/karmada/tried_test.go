package karmada

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestADryRunTellsTheObjectBeforeAndAfter(t *testing.T) {
	ns := namespace(t)
	expect(t, ns, apply(t, Request{Manifests: configMap(ns, "there", "1")}), "0 ConfigMap @/there CREATED")
	told := map[int][2]string{}
	value := func(o map[string]any) string {
		v, _, _ := unstructured.NestedString(o, "data", "key")
		return v
	}
	expect(t, ns, apply(t, Request{Manifests: docs(configMap(ns, "there", "2"), configMap(ns, "new", "3"), deployment(ns, "bad", -1)), DryRun: true, OnError: "CONTINUE",
		Tried: func(index int, before, after map[string]any) { told[index] = [2]string{value(before), value(after)} }}),
		"0 ConfigMap @/there CONFIGURED", "1 ConfigMap @/new CREATED", `2 Deployment @/bad FAILED BAD_USER_INPUT [spec.replicas] Deployment.apps "bad" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`)
	if len(told) != 2 || told[0] != [2]string{"1", "2"} || told[1] != [2]string{"", "3"} {
		t.Errorf("told %v", told)
	}
	if get(t, configMapKind, ns, "new") != nil {
		t.Error("a dry run made an object")
	}
}

func TestMoreDocumentsThanWereAllowedAreRefused(t *testing.T) {
	_, problems, err := Apply(t.Context(), connect(t, server.Config), writer, Request{Manifests: docs(configMap("a", "a", "1"), configMap("a", "b", "1")), DryRun: true, Most: 1})
	if err != nil || len(problems) != 1 || problems[0].Code != "LIMIT_EXCEEDED" || !strings.Contains(problems[0].Message, "holds 2 documents, at most 1") {
		t.Errorf("%+v, %v", problems, err)
	}
}
