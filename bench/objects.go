package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The shape of the lab's fleet: a workload is in labTargets of its clusters. The questions refer to these numbers.
const (
	labClusters   = 10
	labTargets    = 10
	labNamespaces = 100
	// steadyNamespace holds the first steadyWorkloads, so that a page of it is as full at every size.
	steadyNamespace = "steady"
	steadyWorkloads = 200
	// wellKnownPart is the value of one label that every twentieth workload has, wellKnownName a part of
	// the name of every thousandth.
	partLabel     = "app.kubernetes.io/part-of"
	wellKnownPart = "payments"
	wellKnownName = "checkout-api"
	// By default one workload in fifty is unhealthy in a cluster; one in a hundred fits no cluster.
	unhealthyEvery, unplacedEvery = 50, 100
)

var (
	partNames = []string{"payments", "catalog", "identity", "search", "billing", "shipping", "returns", "loyalty", "pricing", "stock",
		"reports", "content", "support", "mail", "media", "maps", "fraud", "ledger", "orders", "checkout"}
	firstWords = []string{"checkout", "cart", "card", "price", "stock", "order", "invoice", "session", "token", "image",
		"report", "search", "index", "audit", "quota", "mail", "queue", "route", "cache", "config",
		"ledger", "refund", "parcel", "label", "badge", "review", "rating", "coupon", "wallet", "profile",
		"device", "sensor", "stream", "batch", "export", "import", "backup", "gateway", "proxy", "metric"}
	secondWords = []string{"api", "web", "worker", "store", "writer", "reader", "sync", "feed", "guard", "sweeper",
		"router", "broker", "loader", "builder", "checker", "planner", "keeper", "sender", "parser", "mapper",
		"watcher", "runner", "bridge", "agent", "shard"}
)

// row is a row of Clusterpedia's table.
type row struct {
	group, version, resource, kind string
	cluster, namespace, name       string
	owner, uid, resourceVersion    string
	object                         []byte
	created                        time.Time
}

// kindOf is what the lab needs to know of a kind.
type kindOf struct {
	group, version, resource, kind string
	// spec and status are those of a template; memberStatus is that of its copy in a member.
	spec, status, reported string
}

const podTemplate = `{"metadata":{"labels":{"app":"$app","tier":"$tier"}},"spec":{"containers":[{"name":"main",` +
	`"image":"registry.example.com/$part/$app:1.$minor.0","env":[{"name":"REGION","value":"eu"},{"name":"LOG_LEVEL","value":"info"},` +
	`{"name":"UPSTREAM","value":"http://gateway.$namespace.svc:8080"}],"ports":[{"containerPort":8080,"protocol":"TCP"}],` +
	`"resources":{"limits":{"memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},"imagePullPolicy":"IfNotPresent",` +
	`"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"restartPolicy":"$restart",` +
	`"dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}`

var labKinds = []kindOf{
	{"apps", "v1", "deployments", "Deployment",
		`{"replicas":2,"selector":{"matchLabels":{"app":"$app"}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}},` +
			`"revisionHistoryLimit":10,"progressDeadlineSeconds":600,"template":` + podTemplate + `}`,
		`{"replicas":$all,"readyReplicas":$all,"updatedReplicas":$all,"availableReplicas":$all,"observedGeneration":1}`,
		`{"replicas":2,"generation":1,"readyReplicas":$ready,"updatedReplicas":2,"availableReplicas":$ready,"observedGeneration":1,"resourceTemplateGeneration":1}`},
	{"apps", "v1", "statefulsets", "StatefulSet",
		`{"replicas":2,"serviceName":"$app","selector":{"matchLabels":{"app":"$app"}},"podManagementPolicy":"OrderedReady","updateStrategy":{"type":"RollingUpdate"},"template":` + podTemplate + `}`,
		`{"replicas":$all,"readyReplicas":$all,"updatedReplicas":$all,"availableReplicas":$all,"observedGeneration":1}`,
		`{"replicas":2,"generation":1,"readyReplicas":$ready,"updatedReplicas":2,"availableReplicas":$ready,"observedGeneration":1,"resourceTemplateGeneration":1}`},
	{"apps", "v1", "daemonsets", "DaemonSet",
		`{"selector":{"matchLabels":{"app":"$app"}},"updateStrategy":{"type":"RollingUpdate"},"revisionHistoryLimit":10,"template":` + podTemplate + `}`,
		`{"currentNumberScheduled":$all,"desiredNumberScheduled":$all,"numberReady":$all,"numberAvailable":$all,"updatedNumberScheduled":$all,"numberMisscheduled":0,"observedGeneration":1}`,
		`{"generation":1,"currentNumberScheduled":2,"desiredNumberScheduled":2,"numberReady":$ready,"numberAvailable":$ready,"updatedNumberScheduled":2,"numberMisscheduled":0,"observedGeneration":1,"resourceTemplateGeneration":1}`},
	{"batch", "v1", "jobs", "Job",
		`{"completions":2,"parallelism":2,"backoffLimit":6,"template":` + podTemplate + `}`,
		`{"active":$all}`, `{"active":$ready,"failed":$lost}`},
	{"batch", "v1", "cronjobs", "CronJob",
		`{"schedule":"*/5 * * * *","concurrencyPolicy":"Allow","jobTemplate":{"metadata":{},"spec":{"template":` + podTemplate + `}},"successfulJobsHistoryLimit":3,"failedJobsHistoryLimit":1}`,
		`{"lastScheduleTime":"$now","lastSuccessfulTime":"$now"}`, `{"lastScheduleTime":"$now","lastSuccessfulTime":"$now"}`},
}

const template = `{"kind":"$kind","apiVersion":"$apiVersion","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","labels":{$labels},"annotations":{` +
	`"team.example.com/contact":"$namespace@example.com","propagationpolicy.karmada.io/name":"$policy","propagationpolicy.karmada.io/namespace":"$namespace",` +
	`"shadow.clusterpedia.io/cluster-name":"$cluster"},"generation":1,"resourceVersion":"$version","creationTimestamp":"$created"},"spec":$spec,"status":$status}`

const copyInMember = `{"kind":"$kind","apiVersion":"$apiVersion","metadata":{"uid":"$uid","name":"$name","namespace":"$namespace","labels":{$labels,` +
	`"karmada.io/managed":"true","work.karmada.io/permanent-id":"$work","resourcebinding.karmada.io/permanent-id":"$bindingID"},"annotations":{` +
	`"team.example.com/contact":"$namespace@example.com","propagationpolicy.karmada.io/name":"$policy","propagationpolicy.karmada.io/namespace":"$namespace",` +
	`"resourcebinding.karmada.io/name":"$binding","resourcebinding.karmada.io/namespace":"$namespace","resourcetemplate.karmada.io/generation":"1",` +
	`"resourcetemplate.karmada.io/uid":"$templateUID","work.karmada.io/name":"$name-5d8f7c","work.karmada.io/namespace":"karmada-es-$member",` +
	`"shadow.clusterpedia.io/cluster-name":"$cluster"},"generation":1,"resourceVersion":"$version","creationTimestamp":"$created"},"spec":$spec,"status":$reported}`

const bindingObject = `{"kind":"ResourceBinding","apiVersion":"work.karmada.io/v1alpha2","metadata":{"uid":"$bindingUID","name":"$binding","namespace":"$namespace","labels":{` +
	`"resourcebinding.karmada.io/permanent-id":"$bindingID","propagationpolicy.karmada.io/permanent-id":"$policyID"},"annotations":{"propagationpolicy.karmada.io/name":"$policy",` +
	`"propagationpolicy.karmada.io/namespace":"$namespace","policy.karmada.io/applied-placement":"{\"clusterAffinity\":{},\"clusterTolerations\":[]}","shadow.clusterpedia.io/cluster-name":"$cluster"},` +
	`"finalizers":["karmada.io/binding-controller"],"generation":3,"resourceVersion":"$version","creationTimestamp":"$created","ownerReferences":[{"apiVersion":"$apiVersion","kind":"$kind","name":"$name",` +
	`"uid":"$uid","controller":true,"blockOwnerDeletion":true}]},"spec":{"clusters":[$clusters],"replicas":2,"resource":{"uid":"$uid","kind":"$kind","name":"$name","namespace":"$namespace",` +
	`"apiVersion":"$apiVersion","resourceVersion":"$version"},"placement":{"clusterAffinity":{},"replicaScheduling":{"replicaSchedulingType":"Duplicated"}},"schedulerName":"default-scheduler",` +
	`"conflictResolution":"Abort","replicaRequirements":{"resourceRequest":{"cpu":"100m","memory":"128Mi"}}},"status":{$bindingStatus}}`

const wellScheduled = `"conditions":[{"type":"Scheduled","reason":"Success","status":"True","message":"Binding has been scheduled successfully.","lastTransitionTime":"$created"},` +
	`{"type":"FullyApplied","reason":"FullyAppliedSuccess","status":"True","message":"All works have been successfully applied","lastTransitionTime":"$created"}],` +
	`"lastScheduledTime":"$created","schedulerObservedGeneration":3,"aggregatedStatus":[$items]`

const notScheduled = `"conditions":[{"type":"Scheduled","reason":"NoClusterFit","status":"False","message":"0/10 clusters are available: 10 cluster(s) did not match the placement cluster affinity constraint.","lastTransitionTime":"$created"}],` +
	`"schedulerObservedGeneration":3`

// generator makes the rows of one instance; the same number always makes the same ones.
type generator struct {
	instance string
	// members are the names of its clusters.
	members []string
	start   time.Time
	// unhealthyEvery says that one workload in so many is unhealthy in a cluster.
	unhealthyEvery int
}

func newGenerator(instance string, clusters int, o *options) *generator {
	g := &generator{instance: instance, start: time.Now(), unhealthyEvery: max(o.unhealthyEvery, 1)}
	for i := range clusters {
		g.members = append(g.members, memberName(i))
	}
	return g
}

// workload makes the rows of a workload by its number: the template, its binding, its copy in every cluster it was placed
// in, and what belongs to those; and one of the policies, while there are more.
func (g *generator) workload(i int, emit func(row) error) error {
	random := rand.New(rand.NewPCG(uint64(i), 1))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	kind := labKinds[0]
	if n := random.IntN(20); n >= 16 {
		kind = labKinds[1+(n-16)]
	}
	uuid := func() string {
		return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", random.Uint32(), random.Uint32()>>16, random.Uint32()>>20, random.Uint32()>>20, random.Uint64()>>16)
	}
	placed, unhealthy := random.IntN(unplacedEvery) != 0, random.IntN(g.unhealthyEvery) == 0
	team, rule := random.IntN(labNamespaces), random.IntN(policiesEach)
	if i < steadyWorkloads {
		team = labNamespaces
	}
	namespace, policy, policyID := namespaceOf(team), fmt.Sprintf("policy-%d", rule), policyIDOf(team, rule)
	app := pick(firstWords) + "-" + pick(secondWords)
	name := app + "-" + strconv.Itoa(i)
	part := pick(partNames)
	created := g.start.Add(-time.Duration(random.IntN(90*24*3600)) * time.Second).Truncate(time.Second)
	stamp := created.UTC().Format(time.RFC3339)
	labels := fmt.Sprintf(`"app":%q,"tier":%q,"team":%q,"app.kubernetes.io/name":%q,%q:%q,"app.kubernetes.io/version":"1.%d.0","propagationpolicy.karmada.io/permanent-id":%q`,
		app, pick([]string{"frontend", "backend", "batch"}), namespace, app, partLabel, part, random.IntN(12), policyID)
	uid, bindingUID, bindingID, version := uuid(), uuid(), uuid(), strconv.Itoa(100000+i)
	apiVersion := kind.group + "/" + kind.version
	binding := name + "-" + strings.ToLower(kind.kind)
	host := "kairship." + g.instance
	restart := "Always"
	if kind.group == "batch" {
		restart = "OnFailure"
	}
	inner := words("$app", app, "$tier", "backend", "$part", part, "$minor", "4", "$namespace", namespace, "$restart", restart,
		"$all", strconv.Itoa(2*labClusters), "$now", g.start.UTC().Format(time.RFC3339))
	spec := inner.Replace(kind.spec)
	well := words("$ready", "2", "$lost", "0", "$now", g.start.UTC().Format(time.RFC3339)).Replace(kind.reported)
	ill := words("$ready", "1", "$lost", "1", "$now", g.start.UTC().Format(time.RFC3339)).Replace(kind.reported)

	status := notScheduled
	var clusters, items []string
	members := g.placedIn(i)
	if placed {
		status = wellScheduled
		for m, member := range members {
			reported, health := well, "Healthy"
			if unhealthy && m == 3 {
				reported, health = ill, "Unhealthy"
			}
			clusters = append(clusters, fmt.Sprintf(`{"name":%q,"replicas":2}`, member))
			items = append(items, fmt.Sprintf(`{"applied":true,"clusterName":%q,"health":%q,"status":%s}`, member, health, reported))
		}
	}
	status = words("$created", stamp, "$items", strings.Join(items, ",")).Replace(status)
	tokens := func(uid, cluster, member, reported string) *strings.Replacer {
		return words("$kind", kind.kind, "$apiVersion", apiVersion, "$uid", uid, "$name", name, "$namespace", namespace, "$labels", labels,
			"$policyID", policyID, "$policy", policy, "$cluster", cluster, "$version", version, "$created", stamp, "$spec", spec, "$status", inner.Replace(kind.status),
			"$reported", reported, "$bindingID", bindingID, "$bindingUID", bindingUID, "$bindingStatus", status, "$binding", binding, "$clusters", strings.Join(clusters, ","),
			"$templateUID", uid, "$work", bindingUID, "$member", member)
	}
	own := tokens(uid, host, "", "")
	rows := []row{
		{kind.group, kind.version, kind.resource, kind.kind, host, namespace, name, "", uid, version, []byte(own.Replace(template)), created},
		{"work.karmada.io", "v1alpha2", "resourcebindings", "ResourceBinding", host, namespace, binding, uid, bindingUID, version, []byte(own.Replace(bindingObject)), created},
	}
	var copies []*copied
	if placed {
		for m, member := range members {
			reported := well
			if unhealthy && m == 3 {
				reported = ill
			}
			uid, cluster := uuid(), host+"."+member
			c := &copied{row{kind.group, kind.version, kind.resource, kind.kind, cluster, namespace, name, "", uid, version,
				[]byte(tokens(uid, cluster, member, reported).Replace(copyInMember)), created}, member, app, reported, binding, bindingID}
			rows, copies = append(rows, c.row), append(copies, c)
		}
	}
	for _, r := range rows {
		if err := emit(r); err != nil {
			return err
		}
	}
	if i < steadyWorkloads {
		for _, c := range copies {
			if err := g.belongings(c, uuid, emit); err != nil {
				return err
			}
		}
	}
	return g.policy(i, emit)
}

// placedIn is the clusters of a workload: always as many, of however many there are.
func (g *generator) placedIn(i int) []string {
	out := make([]string, 0, labTargets)
	for m := range labTargets {
		out = append(out, g.members[(i*labTargets+m)%len(g.members)])
	}
	return out
}

// words replaces words by values. Where one is a prefix of another, the longer one wins.
func words(pairs ...string) *strings.Replacer {
	sorted := slices.Collect(slices.Chunk(pairs, 2))
	slices.SortStableFunc(sorted, func(a, b []string) int { return len(b[0]) - len(a[0]) })
	return strings.NewReplacer(slices.Concat(sorted...)...)
}
