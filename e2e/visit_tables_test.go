package e2e

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// visitEntries lead to the objects of the demo that have the most to tell. What they lead to is visited
// as well.
var visitEntries = []string{
	`{instances(filter:{names:["asia","europe"]}){nodes{id}}}`,
	`{instance(name:"asia"){
		hangzhou:cluster(name:"hangzhou"){id}
		cart:workload(kind:DEPLOYMENT namespace:"shop" name:"cart"){id}
		storefront:workload(kind:DEPLOYMENT namespace:"shop" name:"storefront"){id}
		search:workload(kind:DEPLOYMENT namespace:"shop" name:"search"){id}
		sessions:workload(kind:STATEFUL_SET namespace:"shop" name:"sessions"){id}
		agent:workload(kind:DAEMON_SET namespace:"platform" name:"log-agent"){id}
		import:workload(kind:JOB namespace:"shop" name:"catalog-import"){id}
		report:workload(kind:CRON_JOB namespace:"shop" name:"nightly-report"){id}
		checkout:workload(kind:DEPLOYMENT namespace:"shop" name:"checkout"){id pods(first:2){nodes{id}} binding:propagation{binding{id} targets{work{id}}}}
		fraud:workload(kind:DEPLOYMENT namespace:"payments" name:"fraud-check"){pods(first:4){nodes{id}}}
		visit:workload(kind:DEPLOYMENT namespace:"e2e-visit" name:"e2e-visit"){id revisions{nodes{id}}}
		form:workload(kind:DEPLOYMENT namespace:"e2e-visit" name:"e2e-form"){id}
		formOfASet:workload(kind:STATEFUL_SET namespace:"e2e-visit" name:"e2e-form"){id}
		formOfACronJob:workload(kind:CRON_JOB namespace:"e2e-visit" name:"e2e-form"){id}
		leaving:policy(kind:PROPAGATION namespace:"e2e-visit" name:"e2e-visit"){__typename id}
		leavingCluster:policy(kind:CLUSTER_PROPAGATION name:"e2e-visit"){__typename id}
		leavingOverride:policy(kind:OVERRIDE namespace:"e2e-visit" name:"e2e-visit"){__typename id}
		leavingClusterOverride:policy(kind:CLUSTER_OVERRIDE name:"e2e-visit"){__typename id}
		visited:namespace(name:"e2e-visit"){id}
		store:workload(kind:DEPLOYMENT namespace:"shop" name:"storefront"){pods(first:4){nodes{id}}}
		shop:namespace(name:"shop"){id}
	}}`,
	`{instance(name:"asia"){
		service:resource(apiVersion:"v1" kind:"Service" namespace:"shop" name:"storefront"){id}
		autoscaler:resource(apiVersion:"autoscaling.karmada.io/v1alpha1" kind:"FederatedHPA" namespace:"shop" name:"search"){id}
		external:resource(apiVersion:"v1" kind:"Service" namespace:"karmada-system" name:"karmada-aggregated-apiserver"){id}
		hours:resource(apiVersion:"autoscaling.karmada.io/v1alpha1" kind:"CronFederatedHPA" namespace:"shop" name:"search-hours"){id}
		visitService:resource(apiVersion:"networking.karmada.io/v1alpha1" kind:"MultiClusterService" namespace:"e2e-visit" name:"e2e-visit"){id}
		visitQuota:resource(apiVersion:"policy.karmada.io/v1alpha1" kind:"FederatedResourceQuota" namespace:"e2e-visit" name:"e2e-visit"){id}
		visitTaints:resource(apiVersion:"policy.karmada.io/v1alpha1" kind:"ClusterTaintPolicy" name:"e2e-visit"){id}
		visitScaler:resource(apiVersion:"autoscaling.karmada.io/v1alpha1" kind:"FederatedHPA" namespace:"e2e-visit" name:"e2e-visit"){id}
		weekend:resource(apiVersion:"autoscaling.karmada.io/v1alpha1" kind:"CronFederatedHPA" namespace:"shop" name:"recommendations-hours"){id}
		own:cluster(name:"hangzhou"){
			balancer:resource(apiVersion:"v1" kind:"Service" namespace:"ingress" name:"ingress-nginx"){id}
			scaler:resource(apiVersion:"autoscaling/v2" kind:"HorizontalPodAutoscaler" namespace:"ingress" name:"ingress-nginx"){id}
			copy:resource(apiVersion:"v1" kind:"ConfigMap" namespace:"shop" name:"checkout-config"){id}
		}
		tokyo:cluster(name:"tokyo"){id nodeList{nodes{id}}}
		config:resource(apiVersion:"v1" kind:"ConfigMap" namespace:"shop" name:"checkout-config"){id}
		keys:resource(apiVersion:"v1" kind:"Secret" namespace:"shop" name:"checkout-keys"){id}
		session:resource(apiVersion:"demo.kairship.io/v1" kind:"Cache" namespace:"platform" name:"session-cache"){id}
		cache:resource(apiVersion:"demo.kairship.io/v1" kind:"Cache" namespace:"platform" name:"page-cache"){id}
		type:resource(apiVersion:"apiextensions.k8s.io/v1" kind:"CustomResourceDefinition" name:"caches.demo.kairship.io"){id}
	}}`,
	`{instance(name:"asia"){bindings(first:50 filter:{namespaces:["shop","payments","platform"]}){nodes{__typename id}}}}`,
	`{instance(name:"asia"){policies(first:50){nodes{__typename id}}}}`,
	`{operations(first:5){nodes{__typename id}}}`,
	`{instance(name:"asia"){clusters{nodes{pods(first:10 filter:{namespaces:["shop","payments"]}){nodes{__typename id}}}}}}`,
	`{instance(name:"asia"){clusters{nodes{events(first:5){nodes{__typename id}}}}}}`,
	`{instance(name:"asia"){namespaces{nodes{id}} clusters{nodes{namespaces(first:3 filter:{names:["shop","payments","platform"]}){nodes{id}}}}}}`,
	`{instance(name:"asia"){workloads(first:50 filter:{namespaces:["shop","payments","platform"]}){nodes{__typename id}}}}`,
	// What a cluster runs itself.
	`{instance(name:"asia"){cluster(name:"hangzhou"){workloads(first:50 filter:{namespaces:["shop","payments","platform"]}){nodes{__typename id}}}}}`,
}

// visitTroubled is fields that only an instance that is not well has something for.
var visitTroubled = []string{
	"Overview.troubled", "Overview.uncounted", "Instance.description", "Instance.labels",
	"InstanceSettings.failover", "InstanceSettings.descheduler", "InstanceSettings.metricsAdapter", "FailoverSettings.enabled",
	"FailoverSettings.failureThresholdSeconds", "FailoverSettings.gracefulEvictionTimeoutSeconds", "DeschedulerSettings.enabled",
	"DeschedulerSettings.intervalSeconds", "DeschedulerSettings.unschedulableThresholdSeconds", "MetricsAdapterSettings.enabled",
	"InstanceSettings.revisionHistoryLimit",
}

// visitEvents asks what events there are.
const visitEvents = `{instances(first:2 filter:{names:["asia","europe"]}){nodes{
	events(first:200){nodes{regarding{uid}}} clusters(first:4){nodes{events(first:200){nodes{regarding{uid}}}}}}}}`

// visitManaged is fields and types that only a managed instance has something for, which there is only where
// pods can be run as processes.
var visitManaged = map[string]bool{"Instance.karmadaVersion": true, "Instance.steps": true, "InstanceStep": true}

// visitRecently is a range that Prometheus has something of, visitLongAgo one that it has not.
var visitRecently = `range:{from:"` + time.Now().Add(-10*time.Minute).UTC().Format(time.RFC3339) + `"}`

const visitLongAgo = `range:{from:"2020-01-01T00:00:00Z" to:"2020-01-01T01:00:00Z"}`

// visitRequired is the arguments of fields that need some; the first is the one that others are added to.
var visitRequired = map[string][]string{
	"Query.instance":  {`name:"asia"`, `name:"europe"`},
	"Query.operation": {`id:"` + (&model.Operation{Name: visitName}).ID() + `"`},
	"Query.search":    {`text:"storefront"`, `text:"cache"`, `text:"asia"`, `text:"an"`, `text:"e2e-visit"`},
	"Query.previewPropagationPolicy": {
		`input:{instance:"asia" delete:false preemption:true manifest:"{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: shop, name: e2e-preview}, spec: {priority: 1000, preemption: Always, propagateDeps: true, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: storefront}, {apiVersion: apps/v1, kind: Deployment, name: cart}, {apiVersion: apps/v1, kind: Deployment, name: checkout}], placement: {clusterAffinity: {clusterNames: [tokyo]}}}}"}`,
		`input:{instance:"asia" policy:{namespace:"shop" name:"E2E_refused" resourceSelectors:[{apiVersion:"apps/v1" kind:"Deployment"}] placement:{}}}`,
		`input:{instance:"asia" delete:true id:"` + policyID("PropagationPolicy", "shop", "cart") + `"}`,
	},
	"Query.previewOverridePolicy": {
		`input:{instance:"asia" delete:false manifest:"{apiVersion: policy.karmada.io/v1alpha1, kind: OverridePolicy, metadata: {namespace: shop, name: e2e-preview}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: storefront}, {apiVersion: apps/v1, kind: Deployment, name: cart}], overrideRules: [{overriders: {labelsOverrider: [{operator: add, value: {previewed: 'yes'}}]}}]}}"}`,
		`input:{instance:"asia" policy:{namespace:"shop" name:"E2E_refused" overrideRules:[{overriders:{labelsOverrider:[{operator:ADD value:[{key:"previewed" value:"yes"}]}]}}]}}`,
		`input:{instance:"asia" delete:true id:"` + policyID("OverridePolicy", "shop", "storefront-registry") + `"}`,
	},
	"Query.previewManifests": {
		`input:{instance:"asia" manifests:"{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: checkout-config}, data: {previewed: really}}\n---\n{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: NO}}\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: cart, labels: {previewed: 'yes'}}}\n---\n{apiVersion: apps/v1, kind: Deployment, metadata: {namespace: shop, name: checkout, labels: {previewed: 'yes'}}}"}`,
	},
	"Query.previewDeletion": {
		`ids:["` + policyID("PropagationPolicy", "shop", "cart") + `","` + model.Ref{Instance: "asia", GVK: verbKinds["namespaces"], Name: "shop"}.ID() + `","` +
			model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: "shop", Name: "storefront"}.ID() + `"]`,
	},
	"Instance.cluster":   {`name:"hangzhou"`},
	"Instance.namespace": {`name:"shop"`},
	"Instance.workload": {
		`kind:DEPLOYMENT namespace:"shop" name:"cart"`, `kind:STATEFUL_SET namespace:"platform" name:"metrics-store"`,
		`kind:DAEMON_SET namespace:"platform" name:"log-agent"`, `kind:JOB namespace:"payments" name:"settle-batch"`,
		`kind:CRON_JOB namespace:"shop" name:"nightly-report"`,
	},
	"Instance.policy": {
		`kind:PROPAGATION namespace:"shop" name:"cart"`, `kind:CLUSTER_PROPAGATION name:"platform-agents"`,
		`kind:OVERRIDE namespace:"shop" name:"storefront-registry"`, `kind:CLUSTER_OVERRIDE name:"platform-tokyo"`,
	},
	"Instance.resource": {
		`apiVersion:"v1" kind:"Service" namespace:"shop" name:"storefront"`,
		`apiVersion:"autoscaling.karmada.io/v1alpha1" kind:"FederatedHPA" namespace:"shop" name:"search"`,
	},
	"Instance.resources":   {`apiVersion:"v1" kind:"Service"`, `apiVersion:"policy.karmada.io/v1alpha1" kind:"PropagationPolicy"`},
	"Instance.metrics":     {visitRecently, visitLongAgo},
	"Cluster.metrics":      {visitRecently, visitLongAgo},
	"Access.may":           {`verb:PATCH group:"apps" resource:"deployments/scale" namespace:"shop"`, `verb:LIST resource:"nodes"`},
	"Access.namespaces":    {`verb:GET resource:"secrets"`, `verb:DELETE_COLLECTION resource:"pods"`},
	"Cluster.resource":     {`apiVersion:"apps/v1" kind:"Deployment" namespace:"shop" name:"storefront"`},
	"Cluster.resourceList": {`apiVersion:"apps/v1" kind:"Deployment"`, `apiVersion:"apps/v1" kind:"ReplicaSet"`},
}

// visitArguments is values of optional arguments.
var visitArguments = map[string][]string{
	"Query.search(kinds)":      {`["Deployment","Pod"]`},
	"Query.search(instances)":  {`["asia"]`},
	"Access.namespaces(group)": {`"apps"`},
	"Instance.metrics(step)":   {`60`},
	"Cluster.metrics(step)":    {`60`},
}

// visitInputs is values of input fields that are no enums.
var visitInputs = map[string][]string{
	"InstanceFilter.names":               {`["asia","europe"]`},
	"InstanceFilter.nameContains":        {`"asi"`},
	"ClusterFilter.names":                {`["hangzhou","frankfurt"]`},
	"ClusterFilter.nameContains":         {`"an"`},
	"ClusterFilter.regions":              {`["cn-hangzhou","eu-central-1"]`},
	"ClusterFilter.providers":            {`["aws"]`},
	"ClusterFilter.labelSelector":        {`"stage=production"`},
	"WorkloadFilter.instances":           {`["asia"]`},
	"WorkloadFilter.namespaces":          {`["shop"]`},
	"WorkloadFilter.nameContains":        {`"store"`},
	"WorkloadFilter.labelSelector":       {`"app in (storefront,cart)"`},
	"WorkloadFilter.clusters":            {`["hangzhou","frankfurt"]`},
	"WorkloadFilter.policy":              {`"shop/cart"`, `"platform-agents"`},
	"PodFilter.namespaces":               {`["shop"]`},
	"PodFilter.nameContains":             {`"cart"`},
	"PodFilter.labelSelector":            {`"app=cart"`},
	"PodFilter.clusters":                 {`["hangzhou","frankfurt"]`},
	"NamespaceFilter.nameContains":       {`"sho"`},
	"NamespaceFilter.names":              {`["shop"]`},
	"NamespaceFilter.labelSelector":      {`"team=storefront"`},
	"PolicyFilter.namespaces":            {`["shop"]`},
	"PolicyFilter.nameContains":          {`"cart"`},
	"PolicyFilter.labelSelector":         {`"!nothing"`},
	"PolicyFilter.selects":               {`{apiVersion:"apps/v1" kind:"Deployment" namespace:"shop" name:"cart"}`},
	"ResourceBindingFilter.namespaces":   {`["shop"]`},
	"ResourceBindingFilter.kinds":        {`["Deployment"]`},
	"ResourceBindingFilter.nameContains": {`"cart"`},
	"ResourceBindingFilter.clusters":     {`["hangzhou","frankfurt"]`},
	"ResourceFilter.namespaces":          {`["shop"]`},
	"ResourceFilter.nameContains":        {`"store"`},
	"ResourceFilter.labelSelector":       {`"app=storefront"`},
	"EventFilter.reasons":                {`["ScheduleBindingSucceed","SuccessfulCreate"]`},
	"EventFilter.namespaces":             {`["shop"]`},
	"EventFilter.regardingKinds":         {`["Deployment","ReplicaSet"]`},
	"EventFilter.since":                  {`"2020-01-01T00:00:00Z"`},
	"EventFilter.clusters":               {`["hangzhou"]`},
	"AuditFilter.principals":             {`["kairship:host:system:serviceaccount:kairship-admins:admin"]`},
	"AuditFilter.instances":              {`["asia"]`},
	"AuditFilter.namespaces":             {`["shop"]`},
	"AuditFilter.actions":                {`["applyManifests"]`},
	"AuditFilter.kinds":                  {`["ConfigMap","pods"]`},
	"AuditFilter.nameContains":           {`"e2e-visit"`},
	"AuditFilter.since":                  {`"2020-01-01T00:00:00Z"`},
	"AuditFilter.until":                  {`"2100-01-01T00:00:00Z"`},

	"AccessBindingFilter.instances":       {`["asia"]`},
	"AccessBindingFilter.subjectContains": {`"e2e-visit"`},
	"AccessBindingFilter.roles":           {`["Viewer"]`},
	"OperationFilter.instances":           {`["asia"]`},
	"OperationFilter.mine":                {`false`},
}

// visitRefused is what a field takes by its type and refuses by its description.
var visitRefused = map[string]bool{
	"Instance.workloads WorkloadFilter.instances":   true,
	"Cluster.workloads WorkloadFilter.instances":    true,
	"Cluster.workloads WorkloadFilter.clusters":     true,
	"Cluster.workloads WorkloadFilter.policy":       true,
	"Namespace.workloads WorkloadFilter.instances":  true,
	"Namespace.workloads WorkloadFilter.namespaces": true,
	"Cluster.pods PodFilter.clusters":               true,
	"Cluster.events EventFilter.clusters":           true,
}

// visitExceptions is the fields that the demo fleet has nothing to tell of, and why. None of them is in
// docs/features.md.
var visitExceptions = map[string]string{
	"Access.namespaces":                "who may do everything may do it in all namespaces; e2e.TestPeopleAreToldWhatTheyMayDo",
	"ViewerRole.instance":              "an administrator asks, whose role is everywhere",
	"ViewerRole.namespaces":            "an administrator asks, whose role is everywhere",
	"Revision.cluster":                 "revisions are kept of templates, which live in the control plane",
	"AutoscalerMetric.current":         "the members serve no metrics, so that autoscalers never see a number",
	"PreviewDependent.alsoIn":          "nothing here is needed by two objects that go to different clusters; resolvers.TestAPreviewTellsWhatGoesAlong",
	"OverridePreviewCluster.problem":   "the override can be applied; propagation's tests of overriders",
	"ManifestsPreview.findings":        "an administrator asks, who sees all; e2e.TestManifestsArePreviewedAndNothingIsWritten",
	"DeletionPreview.findings":         "an administrator asks, who sees all; e2e.TestDeletionsArePreviewed",
	"DeletionPreviewItem.refusals":     "nothing here is protected; e2e.TestRefusedDeletionsArePreviewed",
	"DeletionRefusal.code":             "see DeletionPreviewItem.refusals",
	"DeletionRefusal.message":          "see DeletionPreviewItem.refusals",
	"TimelineConnection.withheld":      "an administrator asks, from whom nothing is withheld",
	"AutoscalerScalingRules.tolerance": "a feature of Kubernetes that is off here",
	"Console.reason":                   "consoles are on here, and there is none where they are not; e2e.TestAConsoleActsAsThePersonForAsLongAsItIsOpen",
	"ContainerTermination.signal":      "pods are not processes here, so that no signal ends one",
}

func policyID(kind, namespace, name string) string {
	return model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: kind}, Namespace: namespace, Name: name}.ID()
}

// Every object has a story, which may be asked for from a moment on.
func init() {
	for _, kind := range []string{"Autoscaler", "ClusterNode", "ClusterOverridePolicy", "ClusterPropagationPolicy", "CronJob", "DaemonSet", "Deployment", "Job", "KubernetesEvent",
		"KubernetesResource", "Namespace", "OverridePolicy", "Pod", "PropagationPolicy", "ResourceBinding", "Revision", "Service", "StatefulSet", "Work"} {
		visitArguments[kind+".timeline(since)"] = []string{`"2020-01-01T00:00:00Z"`}
	}
}
