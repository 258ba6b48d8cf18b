package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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

// auditEntries are the requests of one client, by the beginning of its User-Agent, that an API server was asked
// after a moment.
func auditEntries(t *testing.T, cluster, agent string, after time.Time) []auditEntry {
	t.Helper()
	// An older file, with the time of its end in its name, when the log was cut meanwhile.
	files, err := filepath.Glob(filepath.Join(stateDir(), "audit", cluster+"-apiserver*.log"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no audit log: %v", cluster, err)
	}
	needle := fmt.Appendf(nil, `"userAgent":"%s`, agent)
	var out []auditEntry
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.ModTime().Before(after) {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if !bytes.Contains(lines.Bytes(), needle) {
				continue
			}
			e := auditEntry{cluster: cluster}
			// The last line may be half written.
			if json.Unmarshal(lines.Bytes(), &e) == nil && e.Stage == "ResponseComplete" && e.RequestReceivedTimestamp.After(after) {
				out = append(out, e)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("reading %s: %v", name, err)
		}
		_ = f.Close()
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
