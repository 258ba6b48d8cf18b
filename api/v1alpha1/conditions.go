package v1alpha1

// The conditions of an Instance. Each has one owner among the controllers, which is named.
const (
	// ConditionReady is True when the instance can be read and written through Kairship and every
	// component of its control plane does its work. A single member that does not answer does not
	// change it. (status)
	ConditionReady = "Ready"
	// ConditionInstalled is True when a managed instance has been installed as its spec says. (lifecycle)
	ConditionInstalled = "Installed"
	// ConditionSettingsApplied is True when spec.settings are in force. (lifecycle)
	ConditionSettingsApplied = "SettingsApplied"
	// ConditionDeletable is False when something stands in the way of a deletion. (lifecycle)
	ConditionDeletable = "Deletable"
	// ConditionAPIServerReachable is True when the Karmada API server answers. (status)
	ConditionAPIServerReachable = "APIServerReachable"
	// ConditionAggregatedAPIAvailable is True when Karmada serves the API of its clusters. (status)
	ConditionAggregatedAPIAvailable = "AggregatedAPIAvailable"
	// ConditionSchedulerReady is True when a scheduler works. (status)
	ConditionSchedulerReady = "SchedulerReady"
	// ConditionControllersReady is True when Karmada's and Kubernetes' controllers work. (status)
	ConditionControllersReady = "ControllersReady"
	// ConditionWebhookReady is True when the admission webhook of policies answers. (status)
	ConditionWebhookReady = "WebhookReady"
	// ConditionMembersReachable is True when every member answers through Karmada. (status)
	ConditionMembersReachable = "MembersReachable"
	// ConditionMembersUnique is False when another instance holds one of the same clusters. (status)
	ConditionMembersUnique = "MembersUnique"
	// ConditionReadPathSynced is True when the read store follows the control plane and every member.
	// (virtualcluster)
	ConditionReadPathSynced = "ReadPathSynced"
	// ConditionRegistered is True when global management knows the instance. (registry)
	ConditionRegistered = "Registered"
	// ConditionAccessApplied is True when the people who may use the instance have their permissions
	// inside it. (access)
	ConditionAccessApplied = "AccessApplied"
	// ConditionPoliciesGuarded is True when admission policies inside the instance bound what policies of
	// others than Admins carry into members. While it is not, only Admins may write policies. (access)
	ConditionPoliciesGuarded = "PoliciesGuarded"
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

// The reasons of ConditionPoliciesGuarded, besides ReasonApplied and those about the connection and writes
// above.
const (
	// ReasonNotServed: the API server knows no ValidatingAdmissionPolicies.
	ReasonNotServed = "NotServed"
	// ReasonNotInForce: the API server keeps them and does not act on them.
	ReasonNotInForce = "NotInForce"
)

// The reasons of ConditionReady. When another condition is what is wrong, its reason is the reason.
const (
	ReasonReady    = "Ready"
	ReasonPending  = "Pending"
	ReasonDeleting = "Deleting"
)

// The reasons of ConditionInstalled and ConditionDeletable.
const (
	ReasonInstalling    = "Installing"
	ReasonInstalled     = "Installed"
	ReasonInstallFailed = "InstallFailed"
	ReasonSpecRefused   = "SpecRefused"
	ReasonMembersJoined = "MembersJoined"
	ReasonDeletable     = "Deletable"
	// ReasonForced: a person insists on the deletion, whatever stands in its way.
	ReasonForced = "Forced"
)

// ReasonPartlyApplied is the reason of ConditionSettingsApplied when some of the settings have no effect.
// The others are ReasonApplied, ReasonPending, and those about the connection above.
const ReasonPartlyApplied = "PartlyApplied"

// The reasons of the conditions about components and members.
const (
	// ReasonAnswering: it was asked, and answered.
	ReasonAnswering = "Answering"
	// ReasonNotAnswering: it was asked, and did not answer.
	ReasonNotAnswering = "NotAnswering"
	// ReasonLeaseHeld and ReasonLeaseExpired tell of components that are known by the Lease they renew.
	ReasonLeaseHeld    = "LeaseHeld"
	ReasonLeaseExpired = "LeaseExpired"
	// ReasonNoEvidence: nothing in reach tells.
	ReasonNoEvidence = "NoEvidence"
	// ReasonUnique and ReasonHeldTwice are those of ConditionMembersUnique.
	ReasonUnique    = "Unique"
	ReasonHeldTwice = "HeldTwice"
)

// The reasons of ConditionRegistered, besides those that global management gives and those about writes
// above.
const (
	ReasonRegistered = "Registered"
	// ReasonNotRegistered: global management says so, and gives no reason.
	ReasonNotRegistered = "NotRegistered"
	// ReasonKindNotServed: the host cluster does not serve the kind that global management is told by.
	ReasonKindNotServed = "KindNotServed"
	// ReasonNamespaceRequired: the kind is namespaced, and no namespace was configured.
	ReasonNamespaceRequired = "NamespaceRequired"
	// ReasonNotOurs: there is an object of that name that somebody else made.
	ReasonNotOurs = "NotOurs"
)

// ConditionApplied is the condition of an AccessBinding: True when it is in force everywhere in its scope.
const ConditionApplied = "Applied"

// The reasons of ConditionApplied, besides ReasonApplied and those about the kubeconfig, the connection and
// writes above.
const (
	// ReasonRevoking: it is to be taken away, and is in force somewhere still.
	ReasonRevoking           = "Revoking"
	ReasonInstanceNotFound   = "InstanceNotFound"
	ReasonRoleNotFound       = "RoleNotFound"
	ReasonRoleRefused        = "RoleRefused"
	ReasonSubjectRefused     = "SubjectRefused"
	ReasonNamespacesNotFound = "NamespacesNotFound"
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
	// AnnotationForceDelete lets a managed instance be deleted although clusters are joined; its value is
	// the name of the instance.
	AnnotationForceDelete = AnnotationPrefix + "force-delete"
	// AnnotationOperation is the UID of the Operation that made an object: another one of the same name is somebody else's.
	AnnotationOperation = AnnotationPrefix + "operation"
	// LabelRole marks ClusterRoles of the host cluster that AccessBindings can name.
	LabelRole = "kairship.io/role"
	// LabelGlobalManagement is on every AccessBinding that the webhook of global management made; its value is the source.
	LabelGlobalManagement = "kairship.io/global-management"
	// AnnotationPrefix begins every annotation of Kairship.
	AnnotationPrefix = "kairship.io/"
)
