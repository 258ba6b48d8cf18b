package pediatest

import (
	"fmt"
	"strings"
	"testing"
)

// What the store's expressions say, by the fields that they look at.
func TestWhatIsUnhealthy(t *testing.T) {
	const well = `"annotations":{"propagationpolicy.karmada.io/namespace":"shop","propagationpolicy.karmada.io/name":"p"}`
	const bound = `{"spec":{"clusters":[{"name":"eu"}]},"status":{"conditions":[{"type":"Scheduled","status":"True","reason":"x"},{"type":"FullyApplied","status":"True"}],"aggregatedStatus":[%s]%s}}`
	for _, c := range []struct {
		name string
		of   func([]byte) bool
		raw  string
		want bool
	}{
		{"a claimed workload is not idle", idle, `{"metadata":{` + well + `},"spec":{"replicas":2}}`, false},
		{"an unclaimed one is", idle, `{"metadata":{},"spec":{"replicas":2}}`, true},
		{"so is one with half of a claim", idle, `{"metadata":{"annotations":{"propagationpolicy.karmada.io/name":"p"}}}`, true},
		{"one that a policy of the cluster claims is not", idle, `{"metadata":{"annotations":{"clusterpropagationpolicy.karmada.io/name":"p"}}}`, false},
		{"one without replicas is", idle, `{"metadata":{` + well + `},"spec":{"replicas":0}}`, true},
		{"a paused one is", idle, `{"metadata":{` + well + `},"spec":{"paused":true}}`, true},
		{"a suspended one is", idle, `{"metadata":{` + well + `},"spec":{"suspend":true}}`, true},
		{"one that is being deleted is", idle, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",` + well + `}}`, true},

		{"a binding of what is well everywhere is not unhealthy", unhealthy, fmt.Sprintf(bound, `{"health":"Healthy"}`, ""), false},
		{"one of what is unhealthy somewhere is", unhealthy, fmt.Sprintf(bound, `{"health":"Healthy"},{"health":"Unhealthy"}`, ""), true},
		{"one without a status is", unhealthy, `{"spec":{"clusters":[{"name":"eu"}]}}`, true},
		{"one without clusters is", unhealthy, strings.Replace(fmt.Sprintf(bound, "", ""), `{"name":"eu"}`, "", 1), true},
		{"a suspended one is", unhealthy, strings.Replace(fmt.Sprintf(bound, "", ""), `"spec":{`, `"spec":{"suspension":{"dispatching":true},`, 1), true},
		{"one that is being deleted is", unhealthy, strings.Replace(fmt.Sprintf(bound, "", ""), `{"spec"`, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec"`, 1), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of([]byte(c.raw)); got != c.want {
				t.Errorf("%t, want %t", got, c.want)
			}
		})
	}
}
