package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/controllers/status/health"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// karmada is what the probes make requests to.
type karmada interface {
	// Fetch returns the body of a path.
	Fetch(ctx context.Context, path string) ([]byte, error)
	// TryPolicy has a policy admitted without keeping it, and returns its labels as they came back.
	TryPolicy(ctx context.Context) (labels map[string]string, err error)
	// Refused returns why Karmada refuses the credential; nil when it does not.
	Refused() error
	// Members are the clusters that are joined, when that is known.
	Members() (members []*clusterv1alpha1.Cluster, known bool)
}

// The paths of the probes.
const (
	readyPath      = "/readyz"
	versionPath    = "/version"
	aggregatedPath = "/apis/cluster.karmada.io/v1alpha1"
	metricsPath    = "/apis/metrics.k8s.io/v1beta1"
)

func memberPath(name string) string {
	return aggregatedPath + "/clusters/" + name + "/proxy" + readyPath
}

func well(reason, message string) health.Saying {
	return health.Saying{State: health.Well, Reason: reason, Message: message}
}

func ill(reason, message string) health.Saying {
	return health.Saying{State: health.Ill, Reason: reason, Message: message}
}

func noEvidence(message string) health.Saying {
	return health.Saying{State: health.Unknown, Reason: v1alpha1.ReasonNoEvidence, Message: message}
}

// code returns the HTTP status of an answer that was not a success; 0 when there was none.
func code(err error) int {
	var answer *connection.StatusError
	if errors.As(err, &answer) {
		return answer.Code
	}
	return 0
}

// askAPIServer asks whether the API server is ready.
func askAPIServer(ctx context.Context, k karmada) health.Saying {
	_, err := k.Fetch(ctx, readyPath)
	switch code(err) {
	case http.StatusForbidden, http.StatusNotFound:
		// Not everybody may read whether it is ready.
		_, err = k.Fetch(ctx, versionPath)
	default:
	}
	if refused := k.Refused(); err == nil && refused != nil {
		reason, message := connection.Trouble(refused)
		return ill(reason, message)
	}
	switch {
	case err == nil:
		return well(v1alpha1.ReasonAnswering, "the Karmada API server answers")
	case code(err) == http.StatusUnauthorized || code(err) == http.StatusForbidden:
		return ill(v1alpha1.ReasonRefused, "Karmada refuses the credential: "+err.Error())
	case code(err) != 0:
		return ill(v1alpha1.ReasonNotAnswering, "the Karmada API server is not ready: "+explain(err))
	default:
		reason, message := connection.Trouble(err)
		return ill(reason, unported(message))
	}
}

// askAggregated asks whether the API of clusters is served.
func askAggregated(ctx context.Context, k karmada) health.Saying {
	if _, err := k.Fetch(ctx, aggregatedPath); err != nil {
		return ill(v1alpha1.ReasonNotAnswering, "the API of clusters is not served: "+explain(err))
	}
	return well(v1alpha1.ReasonAnswering, "the API of clusters is served")
}

// askMetrics asks whether the metrics of members are served, for those who have them.
func askMetrics(ctx context.Context, k karmada) (said health.Saying, there bool) {
	_, err := k.Fetch(ctx, metricsPath)
	switch {
	case err == nil:
		return well(v1alpha1.ReasonAnswering, "the metrics of members are served"), true
	case code(err) == http.StatusNotFound:
		return health.Saying{}, false
	default:
		return ill(v1alpha1.ReasonNotAnswering, "the metrics of members are not served: "+explain(err)), true
	}
}

// askVersion returns the version of Kubernetes; empty when it is not reported.
func askVersion(ctx context.Context, k karmada) string {
	body, err := k.Fetch(ctx, versionPath)
	if err != nil {
		return ""
	}
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := jsonv2.Unmarshal(body, &info); err != nil {
		return ""
	}
	const most = 64
	return info.GitVersion[:min(len(info.GitVersion), most)]
}

// askLeases reads the Leases of a namespace.
func askLeases(ctx context.Context, k karmada, namespace string) (map[string]health.Record, error) {
	body, err := k.Fetch(ctx, "/apis/coordination.k8s.io/v1/namespaces/"+namespace+"/leases?limit=100")
	if err != nil {
		return nil, err
	}
	var list coordinationv1.LeaseList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("reading the Leases of namespace %q: %w", namespace, err)
	}
	records := make(map[string]health.Record, len(list.Items))
	for i := range list.Items {
		records[list.Items[i].Name] = record(&list.Items[i])
	}
	return records, nil
}

// askLease reads one Lease.
func askLease(ctx context.Context, k karmada, namespace, name string) (map[string]health.Record, error) {
	body, err := k.Fetch(ctx, "/apis/coordination.k8s.io/v1/namespaces/"+namespace+"/leases/"+name)
	if code(err) == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var lease coordinationv1.Lease
	if err := json.Unmarshal(body, &lease); err != nil {
		return nil, fmt.Errorf("reading Lease %s/%s: %w", namespace, name, err)
	}
	return map[string]health.Record{name: record(&lease)}, nil
}

func record(lease *coordinationv1.Lease) health.Record {
	const usual = 15
	r := health.Record{Duration: usual * time.Second}
	if lease.Spec.HolderIdentity != nil {
		r.Holder = *lease.Spec.HolderIdentity
	}
	if lease.Spec.RenewTime != nil {
		r.Renewed = lease.Spec.RenewTime.Time
	}
	if lease.Spec.LeaseDurationSeconds != nil {
		r.Duration = time.Duration(*lease.Spec.LeaseDurationSeconds) * time.Second
	}
	return r
}

// askMember asks whether a member answers through Karmada.
func askMember(ctx context.Context, k karmada, name string) health.Saying {
	_, err := k.Fetch(ctx, memberPath(name))
	switch {
	case err == nil:
		return well(v1alpha1.ReasonAnswering, "answers")
	case code(err) == http.StatusUnauthorized || code(err) == http.StatusForbidden:
		return noEvidence("may not be asked: " + explain(err))
	default:
		return ill(v1alpha1.ReasonNotAnswering, explain(err))
	}
}

var (
	// ownPort matches the port of our end, which differs from attempt to attempt.
	ownPort = regexp.MustCompile(`\S+->`)
	// failedCheck matches a failed check in the answer of /readyz.
	failedCheck = regexp.MustCompile(`(?m)^\[-\](\S+)`)
)

func unported(text string) string { return ownPort.ReplaceAllString(text, "") }

// sentence returns another program's message without our own port: the same for the same cause.
func sentence(said string) string { return text.Sentence(unported(said)) }

// explain describes why something did not answer, in the same words for the same cause.
func explain(err error) string {
	var answer *connection.StatusError
	var status *apierrors.StatusError
	switch {
	case errors.As(err, &answer):
		return explainAnswer(answer)
	case errors.As(err, &status):
		return sentence(status.ErrStatus.Message)
	default:
		return sentence(connection.Describe(err))
	}
}

func explainAnswer(answer *connection.StatusError) string {
	if checks := failedCheck.FindAllStringSubmatch(answer.Body, -1); len(checks) > 0 {
		var names []string
		for _, check := range checks {
			names = append(names, check[1])
		}
		return "it says that these fail: " + text.Enumerate(names)
	}
	var status metav1.Status
	if err := json.Unmarshal([]byte(answer.Body), &status); err == nil && status.Message != "" {
		return sentence(status.Message)
	}
	return answer.Error()
}
