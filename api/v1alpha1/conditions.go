package v1alpha1

// The conditions of an Instance. Each has one owner among the controllers.
const (
	// ConditionReady is True when the instance can be read and written through Kairship. A member that
	// is not followed does not change it.
	ConditionReady = "Ready"
	// ConditionReadPathSynced is True when the read store follows the control plane and every member.
	ConditionReadPathSynced = "ReadPathSynced"
	// ConditionAccessApplied is True when the people who may use the instance have their permissions
	// inside it.
	ConditionAccessApplied = "AccessApplied"
)

// The reasons of ConditionReadPathSynced.
const (
	ReasonSynced                   = "Synced"
	ReasonSyncing                  = "Syncing"
	ReasonMembersNotSynced         = "MembersNotSynced"
	ReasonControlPlaneNotSynced    = "ControlPlaneNotSynced"
	ReasonRebuilding               = "Rebuilding"
	ReasonRemoving                 = "Removing"
	ReasonKubeconfigSecretNotFound = "KubeconfigSecretNotFound"
	ReasonKubeconfigInvalid        = "KubeconfigInvalid"
	ReasonUnreachable              = "Unreachable"
	ReasonRefused                  = "Refused"
	ReasonWriteFailed              = "WriteFailed"
)

// ReasonApplied is the reason of ConditionAccessApplied when it is True. The others are those about the
// kubeconfig, the connection and writes above.
const ReasonApplied = "Applied"

// The reasons of ConditionReady. When another condition is what is wrong, its reason is the reason.
const (
	ReasonReady    = "Ready"
	ReasonPending  = "Pending"
	ReasonDeleting = "Deleting"
)

// Labels and annotations that Kairship puts on what it makes.
const (
	// LabelInstance names the instance that an object was made for.
	LabelInstance = "kairship.io/instance"
	// LabelCluster names the member that an object was made for.
	LabelCluster = "kairship.io/cluster"
	// LabelHidden marks virtual clusters: nobody is meant to see them but through Kairship.
	LabelHidden = "kairship.io/hidden"
	// LabelManagedBy is the field's own label for who keeps an object.
	LabelManagedBy = "app.kubernetes.io/managed-by"
	// ManagedByKairship is its value on everything that Kairship made.
	ManagedByKairship = "kairship"
	// AnnotationSourceUID is the identity of what a virtual cluster was built from.
	AnnotationSourceUID = AnnotationPrefix + "source-uid"
	// AnnotationPrefix begins every annotation of Kairship.
	AnnotationPrefix = "kairship.io/"
)
