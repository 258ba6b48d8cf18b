package main

import (
	"fmt"
	"strconv"
	"time"
)

// What belongs to a workload beside its copies. So that the pages of a workload and of a cluster have something to show
// without the store being full of pods, only the workloads of the steady namespace have it.

const workObject = `{"kind":"Work","apiVersion":"work.karmada.io/v1alpha1","metadata":{"uid":"$uid","name":"$name","namespace":"karmada-es-$member","labels":{` +
	`"resourcebinding.karmada.io/permanent-id":"$bindingID"},"annotations":{"resourcebinding.karmada.io/name":"$binding","resourcebinding.karmada.io/namespace":"$namespace",` +
	`"shadow.clusterpedia.io/cluster-name":"$cluster"},"finalizers":["karmada.io/execution-controller"],"generation":1,"resourceVersion":"$version","creationTimestamp":"$created"},` +
	`"spec":{"workload":{"manifests":[$manifest]}},"status":{"conditions":[{"type":"Applied","status":"True","reason":"AppliedSuccessful","message":"Manifest has been successfully applied",` +
	`"lastTransitionTime":"$created"}],"manifestStatuses":[{"health":"Healthy","identifier":{"kind":"$kind","name":"$app","namespace":"$namespace","version":"v1","group":"$group","ordinal":0,"resource":"$resource"},"status":$reported}]}}`

const replicaSetObject = `{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","labels":{"app":"$app"},"annotations":{` +
	`"deployment.kubernetes.io/revision":"1","shadow.clusterpedia.io/cluster-name":"$cluster"},"generation":1,"resourceVersion":"$version","creationTimestamp":"$created",` +
	`"ownerReferences":[$owner]},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"$app"}},"template":{"metadata":{"labels":{"app":"$app"}},"spec":{"containers":[{"name":"main",` +
	`"image":"registry.example.com/$app:1.4.0"}]}}},"status":{"replicas":2,"readyReplicas":2,"availableReplicas":2,"fullyLabeledReplicas":2,"observedGeneration":1}}`

const podObject = `{"kind":"Pod","apiVersion":"v1","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","labels":{"app":"$app"},"annotations":{` +
	`"shadow.clusterpedia.io/cluster-name":"$cluster"},"resourceVersion":"$version","creationTimestamp":"$created","ownerReferences":[$owner]},"spec":{"nodeName":"node-1","containers":[{"name":"main",` +
	`"image":"registry.example.com/$app:1.4.0","resources":{"requests":{"cpu":"100m","memory":"128Mi"}}}],"restartPolicy":"Always"},"status":{"phase":"Running","podIP":"10.0.0.1","startTime":"$created",` +
	`"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"$created"}],"containerStatuses":[{"name":"main","ready":true,"restartCount":0,"started":true,"image":"registry.example.com/$app:1.4.0",` +
	`"imageID":"","state":{"running":{"startedAt":"$created"}}}]}}`

const eventObject = `{"kind":"Event","apiVersion":"v1","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","annotations":{"shadow.clusterpedia.io/cluster-name":"$cluster"},` +
	`"resourceVersion":"$version","creationTimestamp":"$created"},"involvedObject":{"kind":"$kind","namespace":"$namespace","name":"$app","uid":"$about","apiVersion":"$apiVersion"},` +
	`"reason":"ScalingReplicaSet","message":"Scaled up to 2","source":{"component":"deployment-controller"},"firstTimestamp":"$created","lastTimestamp":"$created","count":1,"type":"Normal"}`

const policyObject = `{"kind":"PropagationPolicy","apiVersion":"policy.karmada.io/v1alpha1","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","labels":{` +
	`"propagationpolicy.karmada.io/permanent-id":"$policyID"},"annotations":{"shadow.clusterpedia.io/cluster-name":"$cluster"},"generation":1,"resourceVersion":"$version","creationTimestamp":"$created"},` +
	`"spec":{"resourceSelectors":[{"apiVersion":"apps/v1","kind":"Deployment","labelSelector":{"matchLabels":{"tier":"backend"}}}],"placement":{"clusterAffinity":{},` +
	`"replicaScheduling":{"replicaSchedulingType":"Duplicated"}},"priority":0,"preemption":"Never","conflictResolution":"Abort","schedulerName":"default-scheduler"}}`

// policiesEach is how many policies each namespace has.
const policiesEach = 10

// policyIDOf is the permanent id of a policy.
func policyIDOf(team, rule int) string {
	return fmt.Sprintf("00000000-0000-4000-8000-%08d%04d", team, rule)
}

// namespaceOf is the namespace of a team; that of the last one is the steady one.
func namespaceOf(team int) string {
	if team == labNamespaces {
		return steadyNamespace
	}
	return fmt.Sprintf("team-%02d", team)
}

// policy makes the policy that comes with a workload's number; the first numbers have one each, until all policies exist.
func (g *generator) policy(i int, emit func(row) error) error {
	team, rule := i/policiesEach, i%policiesEach
	if team > labNamespaces {
		return nil
	}
	host, namespace, name := "kairship."+g.instance, namespaceOf(team), "policy-"+strconv.Itoa(rule)
	uid, version := fmt.Sprintf("10000000-0000-4000-8000-%08d%04d", team, rule), strconv.Itoa(50_000+i)
	created := g.start.Add(-100 * 24 * time.Hour).Truncate(time.Second)
	return emit(row{"policy.karmada.io", "v1alpha1", "propagationpolicies", "PropagationPolicy", host, namespace, name, "", uid, version,
		[]byte(words("$uid", uid, "$name", name, "$namespace", namespace, "$policyID", policyIDOf(team, rule), "$cluster", host, "$version", version,
			"$created", created.UTC().Format(time.RFC3339)).Replace(policyObject)), created})
}

// copied is a workload's copy in a member.
type copied struct {
	row

	member             string
	app, reported      string
	binding, bindingID string
}

// belongings makes what belongs to a copy: its Work in the control plane, and in the member its ReplicaSet, its pods and an
// event about it.
func (g *generator) belongings(c *copied, uuid func() string, emit func(row) error) error {
	stamp := c.created.UTC().Format(time.RFC3339)
	apiVersion := c.group + "/" + c.version
	owner := func(apiVersion, kind, name, uid string) string {
		return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q,"controller":true,"blockOwnerDeletion":true}`, apiVersion, kind, name, uid)
	}
	add := func(group, version, resource, kind, cluster, namespace, name, ownerUID, ownerReference, object string) (string, error) {
		uid := uuid()
		raw := words("$uid", uid, "$name", name, "$namespace", c.namespace, "$member", c.member, "$cluster", cluster, "$version", c.resourceVersion, "$created", stamp,
			"$app", c.app, "$owner", ownerReference, "$binding", c.binding, "$bindingID", c.bindingID, "$manifest", string(c.object), "$kind", c.kind, "$group", c.group,
			"$resource", c.resource, "$reported", c.reported, "$about", c.uid, "$apiVersion", apiVersion).Replace(object)
		return uid, emit(row{group, version, resource, kind, cluster, namespace, name, ownerUID, uid, c.resourceVersion, []byte(raw), c.created})
	}
	if _, err := add("work.karmada.io", "v1alpha1", "works", "Work", "kairship."+g.instance, "karmada-es-"+c.member, c.name+"-5d8f7c", "", "", workObject); err != nil {
		return err
	}
	if c.kind == "CronJob" {
		return nil
	}
	parent, reference := c.uid, owner(apiVersion, c.kind, c.name, c.uid)
	if c.kind == "Deployment" {
		name := c.name + "-5d8f7c"
		uid, err := add("apps", "v1", "replicasets", "ReplicaSet", c.cluster, c.namespace, name, parent, reference, replicaSetObject)
		if err != nil {
			return err
		}
		parent, reference = uid, owner("apps/v1", "ReplicaSet", name, uid)
	}
	for _, suffix := range []string{"-2xk4p", "-9wq7z"} {
		if _, err := add("", "v1", "pods", "Pod", c.cluster, c.namespace, c.name+suffix, parent, reference, podObject); err != nil {
			return err
		}
	}
	_, err := add("", "v1", "events", "Event", c.cluster, c.namespace, c.name+".17a1", "", "", eventObject)
	return err
}
