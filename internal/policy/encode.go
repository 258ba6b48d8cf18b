package policy

import (
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/overlay"
)

// FormOf is how policies of a kind are written in the graph's inputs. It is the other direction of Decode: what is read there
// under a name is written here under the same.
func FormOf(kind model.PolicyKind) overlay.Form {
	if kind.Propagates() {
		return propagationForm
	}
	return overrideForm
}

// shortcuts of the tables below
type (
	form   = overlay.Form
	field  = overlay.Field
	object = overlay.Object
	list   = overlay.List
	text   = overlay.Text
	enumIs = overlay.Enum
	number = overlay.Number
)

// MetadataForm is how the metadata of an object is written in inputs. Its name and namespace are only told: they never change.
var MetadataForm = form{
	{Name: "name", At: "metadata.name", Is: text{}},
	{Name: "namespace", At: "metadata.namespace", Is: text{}},
	{Name: "labels", At: "metadata.labels", Is: overlay.Entries{Kept: objects.OfKarmada}},
	{Name: "annotations", At: "metadata.annotations", Is: overlay.Entries{
		Kept: objects.OfKarmada, Unseen: func(key string) bool { return key == objects.LastApplied }}},
}

var propagationForm = append(MetadataForm[:len(MetadataForm):len(MetadataForm)], form{
	{Name: "resourceSelectors", At: "spec.resourceSelectors", Is: selectorsList},
	{Name: "association", At: "spec.association", Is: overlay.Flag{}, Default: false},
	{Name: "propagateDeps", At: "spec.propagateDeps", Is: overlay.Flag{}, Default: false},
	{Name: "placement", At: "spec.placement", Is: object{Always: true, Form: placementForm}},
	{Name: "priority", At: "spec.priority", Is: number{}, Default: 0},
	{Name: "preemption", At: "spec.preemption", Is: enumIs{}, Default: "NEVER"},
	{Name: "dependentOverrides", At: "spec.dependentOverrides", Is: overlay.Values{}},
	{Name: "schedulerName", At: "spec.schedulerName", Is: text{}, Default: defaultScheduler},
	{Name: "failover", At: "spec.failover", Is: object{Form: failoverForm}},
	{Name: "conflictResolution", At: "spec.conflictResolution", Is: enumIs{}, Default: "ABORT"},
	// Karmada has no word for IMMEDIATE.
	{Name: "activationPreference", At: "spec.activationPreference", Is: enumIs{Unwritten: "IMMEDIATE"}, Default: "IMMEDIATE"},
	{Name: "suspension", At: "spec.suspension", Is: object{Form: form{
		{Name: "dispatching", Is: overlay.Flag{}, Default: false},
		{Name: "dispatchingOnClusters", At: "dispatchingOnClusters.clusterNames", Is: overlay.Values{}},
	}}},
	{Name: "preserveResourcesOnDeletion", At: "spec.preserveResourcesOnDeletion", Is: overlay.Flag{}, Default: false},
	{Name: "schedulePriority", At: "spec.schedulePriority", Is: object{Form: form{
		{Name: "priorityClassSource", Is: enumIs{}, Default: "KUBE_PRIORITY_CLASS"},
		{Name: "priorityClassName", Is: text{}},
	}}},
}...)

var overrideForm = append(MetadataForm[:len(MetadataForm):len(MetadataForm)], form{
	{Name: "resourceSelectors", At: "spec.resourceSelectors", Is: selectorsList},
	{Name: "overrideRules", At: "spec.overrideRules", Is: list{Form: form{
		{Name: "targetCluster", Is: object{Form: ClusterAffinityForm}},
		{Name: "overriders", Is: object{Always: true, Form: overridersForm}},
	}}},
	// Deprecated, and in the forms so that a policy that still has them can be taken over to rules.
	{Name: "targetCluster", At: "spec.targetCluster", Is: object{Form: ClusterAffinityForm}},
	{Name: "overriders", At: "spec.overriders", Is: object{Always: true, Form: overridersForm}},
}...)

var selectorsList = list{
	Identity: []string{"apiVersion", "kind", "namespace", "name"},
	Form: form{
		{Name: "apiVersion", Is: text{}},
		{Name: "kind", Is: text{}},
		{Name: "namespace", Is: text{}},
		{Name: "name", Is: text{}},
		{Name: "labelSelector", Is: object{Form: LabelSelectorForm}},
	},
}

var requirements = list{
	Identity: []string{"key", "operator"},
	Form: form{
		{Name: "key", Is: text{}},
		{Name: "operator", Is: enumIs{}},
		{Name: "values", Is: overlay.Values{}},
	},
}

// LabelSelectorForm is how a selector of labels is written in inputs.
var LabelSelectorForm = form{
	{Name: "matchLabels", Is: overlay.Entries{}},
	{Name: "matchExpressions", Is: requirements},
}

// ClusterAffinityForm is how a selection of clusters is written in inputs.
var ClusterAffinityForm = form{
	{Name: "labelSelector", Is: object{Form: LabelSelectorForm}},
	{Name: "fieldSelector", Is: object{Form: form{{Name: "matchExpressions", Is: requirements}}}},
	{Name: "clusterNames", Is: overlay.Values{}},
	{Name: "exclude", Is: overlay.Values{}},
}

var overflowForm = append(form{{Name: "affinityName", Is: text{}}}, ClusterAffinityForm...)

var placementForm = form{
	{Name: "clusterAffinity", Is: object{Form: ClusterAffinityForm}},
	{Name: "clusterAffinities", Is: list{
		Identity: []string{"affinityName"},
		Form: append(overflowForm[:len(overflowForm):len(overflowForm)],
			field{Name: "overflowAffinities", Is: list{Identity: []string{"affinityName"}, Form: overflowForm}}),
	}},
	{Name: "clusterTolerations", Is: list{
		Identity: []string{"key", "effect", "value"},
		Form: form{
			{Name: "key", Is: text{}},
			{Name: "operator", Is: enumIs{}, Default: "EQUAL"},
			{Name: "value", Is: text{}},
			{Name: "effect", Is: enumIs{}},
			{Name: "tolerationSeconds", Is: number{}},
		},
	}},
	{Name: "spreadConstraints", Is: list{Identity: []string{"spreadByField", "spreadByLabel"}, Form: form{
		{Name: "spreadByField", Is: enumIs{Lower: true}, None: spreadByCluster},
		{Name: "spreadByLabel", Is: text{}},
		{Name: "maxGroups", Is: number{ZeroIsNone: true}},
		{Name: "minGroups", Is: number{ZeroIsNone: true}, Default: 1},
	}}},
	{Name: "replicaScheduling", Is: object{Form: form{
		{Name: "type", At: "replicaSchedulingType", Is: enumIs{}, Default: "DIVIDED"},
		{Name: "divisionPreference", At: "replicaDivisionPreference", Is: enumIs{}},
		{Name: "weightPreference", Is: object{Form: form{
			{Name: "staticWeights", At: "staticWeightList", Is: list{Identity: []string{"targetCluster"}, Form: form{
				{Name: "targetCluster", Is: object{Always: true, Form: ClusterAffinityForm}},
				{Name: "weight", Is: number{}, Default: 0},
			}}},
			{Name: "dynamicWeight", Is: enumIs{}},
		}}},
	}}},
	{Name: "workloadAffinity", Is: object{Form: form{
		{Name: "affinity", Is: object{Form: groupForm}},
		{Name: "antiAffinity", Is: object{Form: groupForm}},
	}}},
}

// spreadByCluster is what a constraint that does not say is spread by.
func spreadByCluster(constraint map[string]any) any {
	if label, _ := constraint["spreadByLabel"].(string); label != "" {
		return nil
	}
	return "CLUSTER"
}

var groupForm = form{{Name: "groupByLabelKey", Is: text{}}}

var statePreservationField = field{Name: "statePreservation", Is: object{Form: form{
	{Name: "rules", Is: list{Identity: []string{"aliasLabelName"}, Form: form{
		{Name: "aliasLabelName", Is: text{}},
		{Name: "jsonPath", Is: text{}},
	}}},
}}}

var failoverForm = form{
	{Name: "application", Is: object{Form: form{
		{Name: "decisionConditions", Is: object{Always: true, Form: form{{Name: "tolerationSeconds", Is: number{}}}}},
		{Name: "purgeMode", Is: enumIs{}},
		{Name: "gracePeriodSeconds", Is: number{}},
		statePreservationField,
	}}},
	{Name: "cluster", Is: object{Form: form{
		{Name: "purgeMode", Is: enumIs{}},
		statePreservationField,
	}}},
}

var operatorField = field{Name: "operator", Is: enumIs{Lower: true}}

var containersList = list{Identity: []string{"containerName", "operator"}, Form: form{
	{Name: "containerName", Is: text{}}, operatorField, {Name: "value", Is: overlay.Values{}},
}}

var entriesList = list{Identity: []string{"operator"}, Form: form{operatorField, {Name: "value", Is: overlay.Entries{}}}}

var patchesList = list{Identity: []string{"subPath", "operator"}, Form: form{
	{Name: "subPath", Is: text{}}, operatorField, {Name: "value", Is: overlay.JSON{}},
}}

var overridersForm = form{
	{Name: "imageOverrider", Is: list{Identity: []string{"predicate", "component", "operator"}, Form: form{
		{Name: "predicate", Is: object{Form: form{{Name: "path", Is: text{}}}}},
		{Name: "component", Is: enumIs{}},
		operatorField,
		{Name: "value", Is: text{}},
	}}},
	{Name: "commandOverrider", Is: containersList},
	{Name: "argsOverrider", Is: containersList},
	{Name: "labelsOverrider", Is: entriesList},
	{Name: "annotationsOverrider", Is: entriesList},
	{Name: "fieldOverrider", Is: list{Identity: []string{"fieldPath"}, Form: form{
		{Name: "fieldPath", Is: text{}},
		{Name: "json", Is: patchesList},
		{Name: "yaml", Is: patchesList},
	}}},
	{Name: "plaintext", Is: list{Identity: []string{"path", "operator"}, Form: form{
		{Name: "path", Is: text{}}, operatorField, {Name: "value", Is: overlay.JSON{}},
	}}},
}
