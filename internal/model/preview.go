package model

import "context"

// PreviewFinding is something that whoever reads a preview has to know.
type PreviewFinding struct {
	Code    PreviewCode
	Message string
}

// PreviewCode is the kind of a finding of a preview.
type PreviewCode string

// The kinds of finding of a preview.
const (
	PreviewScope        PreviewCode = "LIMITED_TO_WHAT_YOU_SEE"
	PreviewPreemption   PreviewCode = "PREEMPTION_GATE"
	PreviewLazy         PreviewCode = "LAZY_ACTIVATION"
	PreviewScheduler    PreviewCode = "OTHER_SCHEDULER"
	PreviewSuspended    PreviewCode = "SCHEDULING_SUSPENDED"
	PreviewDispatching  PreviewCode = "DISPATCHING_SUSPENDED"
	PreviewDependents   PreviewCode = "DEPENDENTS_FOLLOW"
	PreviewDependsOn    PreviewCode = "WAITS_FOR_OVERRIDES"
	PreviewTie          PreviewCode = "UNDETERMINED"
	PreviewInterpreter  PreviewCode = "REPLICAS_UNKNOWN"
	PreviewEstimate     PreviewCode = "ROOM_ESTIMATED"
	PreviewUnscheduled  PreviewCode = "NOT_SCHEDULED"
	PreviewAffinity     PreviewCode = "WORKLOAD_AFFINITY"
	PreviewIncomplete   PreviewCode = "INCOMPLETE"
	PreviewStale        PreviewCode = "STALE"
	PreviewVersion      PreviewCode = "OTHER_VERSION"
	PreviewNamespaceNew PreviewCode = "NAMESPACE_NEW"
)

// PreviewObject names an object in a preview.
type PreviewObject struct{ Ref Ref }

// APIVersion is group and version.
func (o *PreviewObject) APIVersion() string { return o.Ref.APIVersion() }

// Kind is the Kubernetes kind.
func (o *PreviewObject) Kind() string { return o.Ref.GVK.Kind }

// Namespace is nil for cluster-scoped objects.
func (o *PreviewObject) Namespace() *string { return optional(o.Ref.Namespace) }

// Name is the name.
func (o *PreviewObject) Name() string { return o.Ref.Name }

// PreviewObjectOf names an object; nil for none.
func PreviewObjectOf(ref *Ref) *PreviewObject {
	if ref == nil {
		return nil
	}
	return &PreviewObject{*ref}
}

// PreviewCluster is a cluster that an object goes to.
type PreviewCluster struct {
	ClusterName string
	// Replicas is nil for kinds that have none.
	Replicas *int32
}

// ClaimChange is what a change of a policy does to one object.
type ClaimChange string

// What a change of a policy does to one object.
const (
	ClaimGained    ClaimChange = "GAINED"
	ClaimLost      ClaimChange = "LOST"
	ClaimMoved     ClaimChange = "MOVED"
	ClaimUnchanged ClaimChange = "UNCHANGED"
)

// ClaimRule is Karmada's rule by which a policy claims an object, or does not.
type ClaimRule string

// The rules of Karmada by which policies claim objects.
const (
	RuleOnlyMatch   ClaimRule = "ONLY_MATCH"
	RuleNamespaced  ClaimRule = "NAMESPACED_FIRST"
	RulePriority    ClaimRule = "PRIORITY"
	RuleSelector    ClaimRule = "SELECTOR_PRECISION"
	RuleName        ClaimRule = "NAME_ORDER"
	RulePreemption  ClaimRule = "PREEMPTION"
	RuleFirstClaim  ClaimRule = "FIRST_CLAIM_STAYS"
	RuleNotSelected ClaimRule = "NOT_SELECTED"
	RuleUnclaimed   ClaimRule = "NO_OTHER_POLICY"
)

// ProposedPolicy is a policy as it would be.
type ProposedPolicy struct {
	// Ref is the policy.
	Ref Ref
	// Exists says that it has to be there.
	Exists bool
	// Field is the field of the input that says how it would be.
	Field string
	// Over makes it, as JSON, of the policy that is there, which is nil when there is none; nil for a deletion.
	Over func(before []byte) ([]byte, error)
	// Try says why the write would be refused, by a dry run of it; before is the policy that is there, nil for none.
	Try func(ctx context.Context, before *PolicyBody) ([]UserError, error)
}

// PolicyPreview is a change of a propagation policy that is previewed.
type PolicyPreview struct {
	Instance string
	// Before and After are the policy as it is and as it would be; nil when there is none.
	Before, After *PolicyBody
	Preemption    bool
	Findings      []PreviewFinding
	Proposed      *ProposedPolicy
}

// Refusals says why the write would be refused, by a dry run of it; empty when it would not.
func (p *PolicyPreview) Refusals(ctx context.Context) ([]UserError, error) {
	return p.Proposed.Try(ctx, p.Before)
}

// Ref names the policy.
func (p *PolicyPreview) Ref() Ref { return eitherRef(p.Before, p.After) }

// PreviewedKarmada is the version of Karmada whose rules previews are computed by.
const PreviewedKarmada = "v1.18"

// KarmadaVersion is the version of Karmada whose rules it is computed by.
func (*PolicyPreview) KarmadaVersion() string { return PreviewedKarmada }

// Policy names the policy.
func (p *PolicyPreview) Policy() *PreviewObject { return &PreviewObject{p.Ref()} }

func eitherRef(bodies ...*PolicyBody) Ref {
	for _, b := range bodies {
		if b != nil {
			return b.Ref
		}
	}
	return Ref{}
}

// PolicyPreviewRow is one object that a change of a propagation policy concerns.
type PolicyPreviewRow struct {
	Object PreviewObject
	Change ClaimChange
	// By is the other policy: the one that it is taken from, goes to, or stays with; nil when there is none.
	By     *PreviewObject
	Rule   ClaimRule
	Reason string
	// Before and After are by name; never nil.
	Before, After []PreviewCluster
	Findings      []PreviewFinding

	// Binding is what Karmada has of the object; nil when there is none.
	Binding *ResourceBinding
	// Carries is what would go along with the object, whether it is there or not.
	Carries []Dependency
}

// PreviewDependent is what goes along with an object.
type PreviewDependent struct {
	Object PreviewObject
	// Before and After are where it is, and would be, because it goes along; by name, never nil.
	Before, After []PreviewCluster
	// AlsoIn is where it is for other reasons, by name; never nil.
	AlsoIn []string
}

// PolicyPreviewRowConnection is a page of rows.
type PolicyPreviewRowConnection = Connection[*PolicyPreviewRow]

// PolicyPreviewRowEdge is a row of a page.
type PolicyPreviewRowEdge = Edge[*PolicyPreviewRow]

// OverridePreview is a change of an override policy that is previewed.
type OverridePreview struct {
	Instance      string
	Before, After *PolicyBody
	Findings      []PreviewFinding
	Proposed      *ProposedPolicy
}

// Refusals says why the write would be refused, by a dry run of it; empty when it would not.
func (p *OverridePreview) Refusals(ctx context.Context) ([]UserError, error) {
	return p.Proposed.Try(ctx, p.Before)
}

// Ref names the policy.
func (p *OverridePreview) Ref() Ref { return eitherRef(p.Before, p.After) }

// Policy names the policy.
func (p *OverridePreview) Policy() *PreviewObject { return &PreviewObject{p.Ref()} }

// OverridePreviewRow is one object that a change of an override policy concerns.
type OverridePreviewRow struct {
	Object   PreviewObject
	Clusters []OverridePreviewCluster
}

// OverridePreviewCluster is what changes of an object in one cluster.
type OverridePreviewCluster struct {
	ClusterName string
	Changes     []FieldChange
	// Policies is the override policies that apply there afterwards, in their order.
	Policies []PreviewObject
	// Problem is why one of them does not fit the object; nil when they all do.
	Problem *string
}

// OverridePreviewRowConnection is a page of rows.
type OverridePreviewRowConnection = Connection[*OverridePreviewRow]

// OverridePreviewRowEdge is a row of a page.
type OverridePreviewRowEdge = Edge[*OverridePreviewRow]

// DocumentChange is what applying a document would do.
type DocumentChange string

// What applying a document would do.
const (
	DocumentCreated    DocumentChange = "CREATED"
	DocumentConfigured DocumentChange = "CONFIGURED"
	DocumentUnchanged  DocumentChange = "UNCHANGED"
	DocumentRefused    DocumentChange = "REFUSED"
)

// TriedDocument is a document with the API server's answer to a dry run.
type TriedDocument struct {
	DocumentOutcome

	// Ref is of the object; of no use where the document could not be read.
	Ref Ref
	// Before and After are the object as JSON: as it is, nil when there is none or it may not be read, and as it would be, nil
	// when it was refused. Values of Secrets are not masked.
	Before, After []byte
	// Changes is masked; never nil for a document that was not refused.
	Changes []FieldChange
	// StoodIn says that it was tried under another name, because its namespace does not exist yet.
	StoodIn bool
}

// DocumentPreview is the preview of one document.
type DocumentPreview struct {
	Index      int
	APIVersion *string
	Kind       *string
	Namespace  *string
	Name       *string
	Change     DocumentChange
	// Changes is never nil; values of Secrets are masked.
	Changes []FieldChange
	// Error is nil unless Change is REFUSED.
	Error *UserError
	// ClaimedBy is the policy that would claim it; nil for none.
	ClaimedBy *PreviewObject
	Rule      *ClaimRule
	// RequiredBy is the objects among the documents that take it along; never nil.
	RequiredBy []PreviewObject
	// After is where it would go; never nil.
	After    []PreviewCluster
	Findings []PreviewFinding
}

// ManifestsPreview is the preview of manifests.
type ManifestsPreview struct {
	Documents []DocumentPreview
	Findings  []PreviewFinding
}

// DeletionPreview is what deleting some objects would do.
type DeletionPreview struct {
	Items    []DeletionPreviewItem
	Findings []PreviewFinding
}

// DeletionEffect is what becomes of something when an object is deleted.
type DeletionEffect struct {
	// Object is nil where Count sums up objects.
	Object *PreviewObject
	// Kind is the kind of what is summed up, and of the object.
	Kind string
	// ClusterName is nil for what is in the control plane.
	ClusterName *string
	// Count is how many there are; at least 1.
	Count  int
	Reason string
}

// DeletionRefusal is why a deletion would be refused.
type DeletionRefusal struct {
	Code    string
	Message string
}

// DeletionPreviewItem is what deleting one object would do.
type DeletionPreviewItem struct {
	ID          string
	Kind        string
	Namespace   *string
	Name        string
	Goes, Stays []DeletionEffect
	Refusals    []DeletionRefusal
	Findings    []PreviewFinding
}
