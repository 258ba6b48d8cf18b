package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// auditEntry is what an API server wrote down of a request that it answered. Leases, events, reviews of tokens and
// permissions, health and discovery are not in these logs (playground/internal/plan/files.go).
type auditEntry struct {
	cluster                  string
	Stage                    string
	RequestReceivedTimestamp metav1.MicroTime
	Verb, RequestURI         string
	UserAgent                string
	ObjectRef                struct{ APIGroup, Resource, Subresource, Namespace, Name string }
	ResponseStatus           struct{ Code int }
}

// auditLines are the lines about requests after a moment, and holding some texts, in the audit log of an API server, in
// their order. Reading others is left out: it takes a processor many seconds.
func auditLines[T any](t *testing.T, cluster string, after time.Time, holding ...string) iter.Seq[T] {
	t.Helper()
	// An older file, with the time of its end in its name, when the log was cut meanwhile.
	files, err := filepath.Glob(filepath.Join(stateDir(), "audit", cluster+"-apiserver*.log"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no audit log: %v", cluster, err)
	}
	since := after.UTC().Format("2006-01-02T15:04:05.000000Z")
	wanted := func(line []byte) bool {
		for _, text := range holding {
			if !bytes.Contains(line, []byte(text)) {
				return false
			}
		}
		_, rest, ok := bytes.Cut(line, []byte(`"requestReceivedTimestamp":"`))
		at, _, _ := bytes.Cut(rest, []byte(`"`))
		return ok && string(at) > since
	}
	return func(yield func(T) bool) {
		for _, name := range files {
			if info, err := os.Stat(name); err != nil || info.ModTime().Before(after) {
				continue
			}
			log, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for text := range bytes.Lines(log) {
				var line T
				// The last line may be half written.
				if wanted(text) && json.Unmarshal(text, &line) == nil && !yield(line) {
					return
				}
			}
		}
	}
}

// auditEntries are the requests of one client, by the beginning of its User-Agent, that an API server was asked
// after a moment.
func auditEntries(t *testing.T, cluster, agent string, after time.Time) []auditEntry {
	t.Helper()
	var out []auditEntry
	for e := range auditLines[auditEntry](t, cluster, after, `"stage":"ResponseComplete"`, `"userAgent":"`+agent) {
		e.cluster = cluster
		out = append(out, e)
	}
	return out
}

// isWrite tells whether a request is one that changes something.
func (e auditEntry) isWrite() bool {
	return slices.Contains([]string{"create", "update", "patch", "delete", "deletecollection"}, e.Verb)
}

// isDryRun tells whether the API server was asked to keep nothing.
func (e auditEntry) isDryRun() bool {
	u, err := url.Parse(e.RequestURI)
	return err == nil && slices.Contains(u.Query()["dryRun"], metav1.DryRunAll)
}

// asksIdentity tells whether a request is the one by which a connection finds out that a Karmada answers, and which.
func (e auditEntry) asksIdentity() bool {
	return e.Verb == "get" && e.ObjectRef.Resource == "namespaces" && e.ObjectRef.Subresource == "" &&
		e.ObjectRef.Name == metav1.NamespaceSystem
}

// object names what a request was about.
func (e auditEntry) object() string {
	resource := e.ObjectRef.Resource
	if e.ObjectRef.APIGroup != "" {
		resource += "." + e.ObjectRef.APIGroup
	}
	if e.ObjectRef.Subresource != "" {
		resource += "/" + e.ObjectRef.Subresource
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s %s", e.cluster, e.Verb, resource, strings.TrimPrefix(e.ObjectRef.Namespace+"/"+e.ObjectRef.Name, "/")))
}

// perObject counts requests by what they were about.
func perObject(entries []auditEntry) map[string]int {
	out := map[string]int{}
	for _, e := range entries {
		out[e.object()]++
	}
	return out
}
