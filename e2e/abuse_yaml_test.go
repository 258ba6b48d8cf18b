package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

func TestAbuseByYAMLThatAliasesMakeLarge(t *testing.T) {
	const mostMore, longest = 256 << 20, 2 * time.Second
	defer survived(t)()
	apply := func(bearer, instance, manifests string) (answer, time.Duration) {
		began := time.Now()
		out := askAs(t, bearer, `mutation($i: String!, $m: String!) { applyManifests(input: {instance: $i, manifests: $m, dryRun: true}) { documents { error { message } } userErrors { code } } }`,
			map[string]any{"i": instance, "m": manifests})
		return out, time.Since(began)
	}
	resident := func() float64 { return metrics(t)["process_resident_memory_bytes"] }
	before := resident()
	// The small one would take a server that reads it more than a gigabyte, and no more than that.
	for _, size := range []int{106_000, 1<<20 - 64<<10} {
		out, took := apply(idTokenOf(t, "owner"), "asia", bombs.LongText(size))
		var data struct {
			ApplyManifests struct {
				Documents []struct{ Error *struct{ Message string } }
			}
		}
		if err := json.Unmarshal(out.Data, &data); err != nil || len(data.ApplyManifests.Documents) != 1 || data.ApplyManifests.Documents[0].Error == nil ||
			!strings.Contains(data.ApplyManifests.Documents[0].Error.Message, "that are allowed") {
			t.Fatalf("%d bytes are answered %s %+v", size, out.Data, out.Errors)
		}
		more := resident() - before
		t.Logf("%d bytes are refused after %s, with %.1f MiB more", size, took.Round(time.Millisecond), more/(1<<20))
		if more > mostMore || took > longest {
			t.Fatalf("%d bytes took %s and %.0f bytes of memory", size, took, more)
		}
		answers(t)
	}
	// Nothing is read for those who may not write, nor for an instance that is not there for them.
	for _, c := range []struct{ instance, want string }{{"europe", "FORBIDDEN"}, {"asia", "NOT_FOUND"}, {"nowhere", "NOT_FOUND"}} {
		out, _ := apply(idTokenOf(t, "viewer"), c.instance, "")
		if got := string(out.Data); c.want == "NOT_FOUND" && !strings.Contains(got, c.want) ||
			c.want == "FORBIDDEN" && (len(out.Errors) != 1 || out.Errors[0].Extensions.Code != c.want) {
			t.Errorf("%s: %s %+v", c.instance, got, out.Errors)
		}
	}
}
