package lifecycle

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// The steps of an installation.
const (
	stepNamespace        = "Namespace"
	stepEtcdCredential   = "EtcdCredential"
	stepOperator         = "Operator"
	stepCertificates     = "Certificates"
	stepEtcd             = "Etcd"
	stepAPIServer        = "APIServer"
	stepAggregated       = "AggregatedAPIServer"
	stepResourceTypes    = "ResourceTypes"
	stepComponents       = "Components"
	stepKubeconfig       = "Kubeconfig"
	stepPullRegistration = "PullRegistration"
)

// The steps of a removal.
const (
	stepRelease      = "Release"
	stepControlPlane = "RemoveControlPlane"
	stepEtcdKeys     = "RemoveEtcdKeys"
	stepVolumes      = "RemoveVolumes"
	stepSecrets      = "RemoveSecrets"
	stepEmptyRoom    = "RemoveNamespace"
)

// progress is the state of a sequence of steps: the first done of them have succeeded, and state is that of the next.
type progress struct {
	names   []string
	done    int
	state   v1alpha1.StepState
	message string
}

func (p *progress) succeed() { p.done++ }

func (p *progress) stop(state v1alpha1.StepState, message string) {
	p.state, p.message = state, message
}

// current is the step that is under way; empty when all have succeeded.
func (p *progress) current() string {
	if p.done >= len(p.names) {
		return ""
	}
	return p.names[p.done]
}

// steps returns those for the status. Steps whose state did not change keep their times.
func (p *progress) steps(before []v1alpha1.Step, now time.Time) []v1alpha1.Step {
	known := map[string]v1alpha1.Step{}
	for _, s := range before {
		known[s.Name] = s
	}
	at := metav1.NewTime(now).Rfc3339Copy()
	out := make([]v1alpha1.Step, 0, len(p.names))
	for i, name := range p.names {
		s, was := v1alpha1.Step{Name: name, State: v1alpha1.StepPending}, known[name]
		switch {
		case i < p.done:
			s.State = v1alpha1.StepSucceeded
		case i == p.done && p.state != "":
			s.State, s.Message = p.state, p.message
		}
		if s.State != v1alpha1.StepPending {
			if s.StartedAt = was.StartedAt; s.StartedAt == nil || was.State == v1alpha1.StepSucceeded && s.State != v1alpha1.StepSucceeded {
				s.StartedAt = &at
			}
		}
		if s.State == v1alpha1.StepSucceeded {
			if s.FinishedAt = was.FinishedAt; s.FinishedAt == nil {
				s.FinishedAt = &at
			}
		}
		out = append(out, s)
	}
	return out
}

// since is when a step of the status began; now when it has not.
func since(steps []v1alpha1.Step, name string, now time.Time) time.Time {
	for _, s := range steps {
		if s.Name == name && s.StartedAt != nil {
			return s.StartedAt.Time
		}
	}
	return now
}
