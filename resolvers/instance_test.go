package resolvers_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

const wholeInstance = `{instance(name:"europe"){
	name source state stateMessage deletionPolicy karmadaVersion kubernetesVersion
	conditions{type status reason message since}
	components{name state message since}
	steps{name state message startedAt finishedAt}
	statistics{
		clusters{total ready} nodes{total ready} asOf
		cpu{allocatable{cores quantity} allocated{cores quantity}}
		memory{allocatable{bytes quantity} allocated{bytes quantity}}
		workloads{kind total ready} policies{kind total}
	}
	settings{
		failover{enabled failureThresholdSeconds gracefulEvictionTimeoutSeconds}
		descheduler{enabled intervalSeconds unschedulableThresholdSeconds}
		metricsAdapter{enabled}
	}
}}`

func TestAnInstanceIsShownWhole(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	version, seconds := "v1.18.2", int32(60)
	full := &model.Instance{
		Name: "europe", Source: model.InstanceManaged, DeletionPolicy: model.DeletionCascade,
		State: model.InstanceInstalling, StateMessage: "waits for etcd", KarmadaVersion: &version, KubernetesVersion: &version,
		Conditions: []model.Condition{{Type: "MembersUnique", Status: model.FactFalse, Reason: "HeldTwice", Message: "asia holds tokyo too", Since: &at}},
		Components: []model.Component{{Name: "Scheduler", State: model.ComponentNotReady, Message: "lease expired", Since: &at}, {Name: "Webhook", State: model.ComponentUnknown}},
		Steps:      []model.InstanceStep{{Name: "Prepare", State: model.StepSucceeded, StartedAt: &at, FinishedAt: &at}, {Name: "Install", State: model.StepFailed, Message: "no etcd", StartedAt: &at}},
		Statistics: &model.InstanceStatistics{
			Clusters: model.ReadyCount{Total: 2, Ready: 1}, Nodes: model.ReadyCount{Total: 5, Ready: 4},
			CPU:       model.CPUSummary{Allocatable: model.CPUAmount{Cores: 40, Quantity: "40"}, Allocated: model.CPUAmount{Cores: 1.5, Quantity: "1500m"}},
			Memory:    model.MemorySummary{Allocatable: model.MemoryAmount{Bytes: 64 << 30, Quantity: "64Gi"}, Allocated: model.MemoryAmount{Bytes: 1 << 30, Quantity: "1Gi"}},
			Workloads: []model.WorkloadCount{{Kind: "Deployment", Total: 9, Ready: 7}},
			Policies:  []model.PolicyCount{{Kind: "PropagationPolicy", Total: 3}},
			AsOf:      at,
		},
		Settings: model.InstanceSettings{
			Failover:    &model.FailoverSettings{Enabled: true, FailureThresholdSeconds: &seconds},
			Descheduler: &model.DeschedulerSettings{IntervalSeconds: &seconds},
		},
	}
	const empty = `{"instance": {
		"name": "europe", "source": "ATTACHED", "state": "RUNNING", "stateMessage": "", "deletionPolicy": "ORPHAN", "karmadaVersion": null,
		"kubernetesVersion": null, "conditions": [], "components": [], "steps": [], "statistics": null,
		"settings": {"failover": null, "descheduler": null, "metricsAdapter": null}}}`
	const whole = `{"instance": {
		"name": "europe", "source": "MANAGED", "state": "INSTALLING", "stateMessage": "waits for etcd", "deletionPolicy": "CASCADE",
		"karmadaVersion": "v1.18.2", "kubernetesVersion": "v1.18.2",
		"conditions": [{"type": "MembersUnique", "status": "FALSE", "reason": "HeldTwice", "message": "asia holds tokyo too", "since": "2026-01-02T03:04:05Z"}],
		"components": [
			{"name": "Scheduler", "state": "NOT_READY", "message": "lease expired", "since": "2026-01-02T03:04:05Z"},
			{"name": "Webhook", "state": "UNKNOWN", "message": "", "since": null}],
		"steps": [
			{"name": "Prepare", "state": "SUCCEEDED", "message": "", "startedAt": "2026-01-02T03:04:05Z", "finishedAt": "2026-01-02T03:04:05Z"},
			{"name": "Install", "state": "FAILED", "message": "no etcd", "startedAt": "2026-01-02T03:04:05Z", "finishedAt": null}],
		"statistics": {
			"clusters": {"total": 2, "ready": 1}, "nodes": {"total": 5, "ready": 4}, "asOf": "2026-01-02T03:04:05Z",
			"cpu": {"allocatable": {"cores": 40, "quantity": "40"}, "allocated": {"cores": 1.5, "quantity": "1500m"}},
			"memory": {"allocatable": {"bytes": 68719476736, "quantity": "64Gi"}, "allocated": {"bytes": 1073741824, "quantity": "1Gi"}},
			"workloads": [{"kind": "Deployment", "total": 9, "ready": 7}], "policies": [{"kind": "PropagationPolicy", "total": 3}]},
		"settings": {
			"failover": {"enabled": true, "failureThresholdSeconds": 60, "gracefulEvictionTimeoutSeconds": null},
			"descheduler": {"enabled": false, "intervalSeconds": 60, "unschedulableThresholdSeconds": null},
			"metricsAdapter": null}}}`
	for _, c := range []struct {
		name     string
		instance *model.Instance
		want     string
	}{
		{"with all there is to tell", full, whole},
		{"with nothing told yet", &model.Instance{Name: "europe", Source: model.InstanceAttached, DeletionPolicy: model.DeletionOrphan, State: model.InstanceRunning}, empty},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fleetOf{instances: []string{"europe"}, known: map[string]*model.Instance{"europe": c.instance}}
			out := ask(t, f, newStore(t, 0, 0), wholeInstance)
			if len(out.Errors) > 0 {
				t.Fatalf("errors: %v", out.Errors)
			}
			var got, want any
			if err := json.Unmarshal(out.Data, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAnInstanceThatIsBeingMadeLeavesThePageWhole(t *testing.T) {
	f := &fleetOf{instances: []string{"asia", "europe"}, clusters: 1, unsyncedOf: "europe", known: map[string]*model.Instance{
		"europe": {Name: "europe", State: model.InstanceInstalling, Provisioning: true},
	}}
	for _, c := range []struct{ query, want string }{
		{`{workloads(first:200){totalCount}}`, `{"workloads":{"totalCount":3}}`},
		{`{workloads(filter:{instances:["asia","europe"]}){totalCount}}`, `{"workloads":{"totalCount":3}}`},
		{`{workloads(filter:{instances:["europe"]}){totalCount nodes{name}}}`, `{"workloads":{"totalCount":0,"nodes":[]}}`},
		{`{instance(name:"europe"){state workloads{totalCount nodes{name}}}}`, `{"instance":{"state":"INSTALLING","workloads":{"totalCount":0,"nodes":[]}}}`},
	} {
		t.Run(c.query, func(t *testing.T) {
			s := newStore(t, 3, 1)
			out := ask(t, f, s, c.query)
			if len(out.Errors) > 0 || string(out.Data) != c.want {
				t.Errorf("%s with errors %v, want %s and none", out.Data, out.Errors, c.want)
			}
		})
	}
}
