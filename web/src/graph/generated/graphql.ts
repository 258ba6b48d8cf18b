/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** What Kubernetes calls a verb. */
export type AccessVerb =
  /** Make one. Also to run a command in a pod, and to forward its ports. */
  | 'CREATE'
  /** Remove one. */
  | 'DELETE'
  /** Remove all. */
  | 'DELETE_COLLECTION'
  /** Read one. */
  | 'GET'
  /** Read all. */
  | 'LIST'
  /** Change a part of one. What `applyManifests` and `scaleWorkload` do to an object that exists. */
  | 'PATCH'
  /** Replace one. */
  | 'UPDATE'
  /** Follow. */
  | 'WATCH';

/** When a change of a policy takes effect. */
export type ActivationPreference =
  /** At once, for everything it claims. */
  | 'IMMEDIATE'
  /** For each object when its template changes next. */
  | 'LAZY';

/** How a workload moves when it fails itself. */
export type ApplicationFailoverInput = {
  /** When it moves. */
  decisionConditions?: FailoverDecisionConditionsInput | null | undefined;
  /** For GRACEFULLY: after how many seconds the old one is removed although the new one is not healthy. At least 1. */
  gracePeriodSeconds?: number | null | undefined;
  /** What becomes of the old one; GRACEFULLY by default, which needs `gracePeriodSeconds`. */
  purgeMode?: PurgeMode | null | undefined;
  /** What the new one learns of the old one's state; null when nothing. */
  statePreservation?: StatePreservationInput | null | undefined;
};

/** What to apply, and how. */
export type ApplyManifestsInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Take fields over that other managers own. Without it such a field is a CONFLICT that names the owner. */
  force?: boolean | null | undefined;
  /** Name of the instance. */
  instance: string;
  /** Multi-document YAML, or JSON: at most 500 documents. */
  manifests: string;
  /** What to do after a document failed, in the order in which they are applied. */
  onError?: OnError | null | undefined;
};

/** What became of an applied document. */
export type ApplyOutcome =
  /** The object was there and changed. */
  | 'CONFIGURED'
  /** The object is new. */
  | 'CREATED'
  /** The document was refused; see `error`. */
  | 'FAILED'
  /** Not tried, because an earlier document failed. */
  | 'SKIPPED'
  /** The object was there and is as before. */
  | 'UNCHANGED';

/** Which audit events. Lists match any of their entries and have at most 100; fields are combined with AND. */
export type AuditFilter = {
  /** Only these actions. */
  actions?: Array<string> | null | undefined;
  /** Only what was done to these instances and their members. */
  instances?: Array<string> | null | undefined;
  /** Only these kinds: as Kubernetes writes them (`Deployment`) for mutations, as URLs have them (`deployments`) for the proxy. */
  kinds?: Array<string> | null | undefined;
  /** Only objects whose names contain this. */
  nameContains?: string | null | undefined;
  /** Only what was done in these namespaces. */
  namespaces?: Array<string> | null | undefined;
  /** Only what ended like this. */
  outcomes?: Array<AuditOutcome> | null | undefined;
  /** Only what these did; names with their origin, word for word. */
  principals?: Array<string> | null | undefined;
  /** Only what began at this moment or later. */
  since?: string | null | undefined;
  /** Only what began at this moment or before. */
  until?: string | null | undefined;
};

/** How a change ended. */
export type AuditOutcome =
  /** Somebody cancelled the operation. What it had made is undone, or the message says what stays. */
  | 'CANCELLED'
  /** It was allowed and did not work. What was done by then may stay done. */
  | 'FAILED'
  /** It was not allowed: no role, no right in Karmada, or too much at once. */
  | 'REFUSED'
  /** It is open: a connection, for instance an exec. Another event with the same request id tells how it ended. */
  | 'STARTED'
  /** It was done. */
  | 'SUCCEEDED';

/** How a change came in. */
export type AuditVia =
  /** A mutation. */
  | 'GRAPHQL'
  /** An operation ended. That it was asked for is another event with the same request id. */
  | 'OPERATION'
  /** A request through the proxy: kubectl, another client, or the UI's terminal. */
  | 'PROXY'
  /** Somebody signed in by a browser, or could not. Of those who could not, only so many are kept; the log has all. */
  | 'SIGN_IN'
  /** An event of global management. */
  | 'WEBHOOK';

/** Which operation to cancel. */
export type CancelOperationInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of an operation. */
  id: string | number;
  /** uid of the operation that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** What happened to an object, or to the stream. */
export type ChangeType =
  /** An object appeared. */
  | 'ADDED'
  /** An object is gone, left the filter, or is not yours to see any more. `node` is its last state where it is known. */
  | 'DELETED'
  /** An object changed. */
  | 'MODIFIED'
  /** The stream begins again: SNAPSHOTs and SYNCED follow, and what is not sent again is gone. `id` and `node` are null. */
  | 'RESYNC'
  /** An object that exists as the stream begins (or begins again). */
  | 'SNAPSHOT'
  /** All SNAPSHOTs were sent. `id` and `node` are null. */
  | 'SYNCED';

/** What a change of a policy does to one object. */
export type ClaimChange =
  /** The policy claims it afterwards, and did not before. */
  | 'GAINED'
  /** The policy claims it no more. */
  | 'LOST'
  /** The policy keeps it, and other clusters or replicas are assigned. */
  | 'MOVED'
  /** Nothing happens to it. */
  | 'UNCHANGED';

/** Clusters: those for which everything said here holds at once. */
export type ClusterAffinityInput = {
  /** Names of the clusters; empty means any. */
  clusterNames?: Array<string> | null | undefined;
  /** Names of clusters that are left out whatever else is said. */
  exclude?: Array<string> | null | undefined;
  /** Provider, region and zones of the clusters; null means any. */
  fieldSelector?: FieldSelectorInput | null | undefined;
  /** Labels of the clusters; null means any. */
  labelSelector?: LabelSelectorInput | null | undefined;
};

/** A named group of clusters. Told from others by its name. */
export type ClusterAffinityTermInput = {
  /** Name of the group, unique in the policy. */
  affinityName: string;
  /** Names of the clusters; empty means any. */
  clusterNames?: Array<string> | null | undefined;
  /** Names of clusters that are left out whatever else is said. */
  exclude?: Array<string> | null | undefined;
  /** Provider, region and zones of the clusters; null means any. */
  fieldSelector?: FieldSelectorInput | null | undefined;
  /** Labels of the clusters; null means any. */
  labelSelector?: LabelSelectorInput | null | undefined;
  /** Groups that are added one after the other while there is not room for all replicas. */
  overflowAffinities?: Array<OverflowClusterAffinityInput> | null | undefined;
};

/** How a workload moves when its cluster fails. */
export type ClusterFailoverInput = {
  /** What becomes of the old one: DIRECTLY or GRACEFULLY, which is the default. */
  purgeMode?: PurgeMode | null | undefined;
  /** What the new one learns of the old one's state; null when nothing. */
  statePreservation?: StatePreservationInput | null | undefined;
};

/** What a member cluster is doing. */
export type ClusterState =
  /** Joined, has not reported yet. */
  | 'JOINING'
  /** Reporting that it is not healthy. */
  | 'NOT_READY'
  /** Cannot be reached. */
  | 'OFFLINE'
  /** Healthy and reporting. */
  | 'READY'
  /** Being removed. */
  | 'REMOVING'
  /** Karmada does not know. */
  | 'UNKNOWN';

/** How Karmada and a member talk. */
export type ClusterSyncMode =
  /** An agent in the member calls Karmada. */
  | 'PULL'
  /** Karmada calls the member. */
  | 'PUSH';

/** A change of a container's command or arguments. Told from others by container and operator. */
export type CommandArgsOverriderInput = {
  /** Name of the container. */
  containerName: string;
  /** ADD puts the values at the end; REMOVE takes away those that are equal. */
  operator: OverriderOperator;
  /** The values. */
  value?: Array<string> | null | undefined;
};

/** How a component of a control plane does. */
export type ComponentState =
  /** It does not do its work. */
  | 'NOT_READY'
  /** It does its work. */
  | 'READY'
  /** Nothing in reach tells, for instance while the API server does not answer. */
  | 'UNKNOWN';

/** What Karmada does where a member already holds an object of the same name that is not its own. */
export type ConflictResolution =
  /** It leaves the object alone and does not apply its own. */
  | 'ABORT'
  /** It takes the object over. */
  | 'OVERWRITE';

/** What a container is there for. */
export type ContainerRole =
  /** Added to a pod that runs, to look into it. */
  | 'EPHEMERAL'
  /** Runs to its end before the main ones start. */
  | 'INIT'
  /** Does the pod's work. */
  | 'MAIN'
  /** Started before the main ones and runs beside them: an init container that is restarted always. */
  | 'SIDECAR';

/** The policy, in exactly one way: as a manifest, or by the typed input of its kind. */
export type CreatePolicyInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** A ClusterOverridePolicy, with `name` and without `namespace`. */
  clusterOverridePolicy?: OverridePolicyInput | null | undefined;
  /** A ClusterPropagationPolicy, with `name` and without `namespace`. */
  clusterPropagationPolicy?: PropagationPolicyInput | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Name of the instance. */
  instance: string;
  /** The policy, as YAML or JSON. */
  manifest?: string | null | undefined;
  /** An OverridePolicy, with `name` and `namespace`. */
  overridePolicy?: OverridePolicyInput | null | undefined;
  /** A PropagationPolicy, with `name` and `namespace`. */
  propagationPolicy?: PropagationPolicyInput | null | undefined;
};

/** What weights are computed from. */
export type DynamicWeight =
  /** How many replicas the cluster has room for. */
  | 'AVAILABLE_REPLICAS';

/** Which events. Lists match any of their entries; fields are combined with AND. */
export type EventFilter = {
  /** Events of these members instead of the control plane's own; for `Instance.events` alone. */
  clusters?: Array<string> | null | undefined;
  /** Only these namespaces. */
  namespaces?: Array<string> | null | undefined;
  /** Only these reasons, word for word. */
  reasons?: Array<string> | null | undefined;
  /** Only events about these kinds, for instance `Pod`. */
  regardingKinds?: Array<string> | null | undefined;
  /** Only events last seen at this moment or later. */
  since?: string | null | undefined;
  /** Only these types. */
  types?: Array<EventType> | null | undefined;
};

/** Whether an event is worth a look. */
export type EventType =
  /** All is as it should be. */
  | 'NORMAL'
  /** Its source did not say, or said something else. */
  | 'UNKNOWN'
  /** Something went wrong, or may. */
  | 'WARNING';

/** Three-valued truth. What is not known is said as UNKNOWN, never as TRUE. */
export type FactValue =
  /** It does not hold, and the source was seen to say so. */
  | 'FALSE'
  /** It holds, and the source was seen to say so. */
  | 'TRUE'
  /** The source has not said, cannot be reached, or speaks of an older generation. */
  | 'UNKNOWN';

/** How objects move away from where they fail. */
export type FailoverBehaviorInput = {
  /** When the workload fails; null when it does not move. */
  application?: ApplicationFailoverInput | null | undefined;
  /** When the cluster fails; null when the setting of Karmada's controllers counts. */
  cluster?: ClusterFailoverInput | null | undefined;
};

/** When a workload has failed enough to be moved. */
export type FailoverDecisionConditionsInput = {
  /** How long it may be unhealthy before it moves, in seconds; 300 by default. */
  tolerationSeconds?: number | null | undefined;
};

/** A change within a field that holds JSON or YAML as text. Told from others by the field. */
export type FieldOverriderInput = {
  /** JSON pointer of the field, for instance `/data/config.yaml`. */
  fieldPath: string;
  /** Changes of a field that holds JSON. Not beside `yaml`. */
  json?: Array<FieldPatchInput> | null | undefined;
  /** Changes of a field that holds YAML. Not beside `json`. */
  yaml?: Array<FieldPatchInput> | null | undefined;
};

/** A change within the document that a field holds. Told from others by path and operator. */
export type FieldPatchInput = {
  /** What is done. */
  operator: OverriderOperator;
  /** JSON pointer within the document. */
  subPath: string;
  /** The new value as JSON text: `"blue"` with its quotes, `3`, `{"a":1}`. Null when there is none. */
  value?: string | null | undefined;
};

/** What fields of a cluster must be like: everything at once. */
export type FieldSelectorInput = {
  /** The conditions; the keys are `provider`, `region` and `zone`, the operators IN and NOT_IN. */
  matchExpressions?: Array<SelectorRequirementInput> | null | undefined;
};

/** Why an object is not where, or not as, it should be: in the order of its way into the clusters. */
export type FindingCode =
  /** Clusters are left out because its policy's affinity does not match them. */
  | 'AFFINITY_NOT_MATCHED'
  /** Clusters are left out because they do not serve its kind. */
  | 'API_NOT_ENABLED'
  /** The member's API server refused it. */
  | 'APPLY_FAILED'
  /** A policy claims it, but its binding is not there or not up to date yet. */
  | 'BINDING_PENDING'
  /** Several policies select it: one claims it, and the others have no effect on it. INFO, unless another one would claim it now. */
  | 'CLAIMED_BY_ANOTHER_POLICY'
  /** A cluster is not ready. */
  | 'CLUSTER_NOT_READY'
  /** A cluster cannot be reached. */
  | 'CLUSTER_OFFLINE'
  /** A container crashes again and again. */
  | 'CRASH_LOOP'
  /** It is being deleted. */
  | 'DELETING'
  /** Sending it to clusters is suspended. */
  | 'DISPATCHING_SUSPENDED'
  /** It is being moved away from a cluster. */
  | 'EVICTION_IN_PROGRESS'
  /** An image cannot be pulled. */
  | 'IMAGE_PULL_FAILED'
  /** A Job failed. */
  | 'JOB_FAILED'
  /** The clusters do not have enough room. */
  | 'NOT_ENOUGH_ROOM'
  /** It has not arrived in a cluster yet. */
  | 'NOT_YET_APPLIED'
  /** No cluster fits, for reasons that the scheduler alone knows. */
  | 'NO_CLUSTER_FITS'
  /** No policy selects it: it is only a template. */
  | 'NO_POLICY'
  /** A container was ended for using more memory than it may. */
  | 'OUT_OF_MEMORY'
  /** It does not work there, and what fails is what an override policy changed. */
  | 'OVERRIDE_BROKE_IT'
  /** Its pods do not run, for another reason. */
  | 'POD_FAILED'
  /** The member finds no node for its pods. */
  | 'POD_UNSCHEDULABLE'
  /** No policy claims it any more: it stays where it was, and its changes go nowhere. */
  | 'POLICY_REMOVED'
  /** A federated quota does not allow it. */
  | 'QUOTA_EXCEEDED'
  /** Not all replicas were assigned to clusters. */
  | 'REPLICAS_NOT_ASSIGNED'
  /** The member holds an object of the same name that Karmada did not put there. */
  | 'RESOURCE_CONFLICT'
  /** A rollout is under way. */
  | 'ROLLOUT_IN_PROGRESS'
  /** The scheduler has not dealt with its last change yet. */
  | 'SCHEDULER_BEHIND'
  /** The scheduler failed. */
  | 'SCHEDULER_ERROR'
  /** Scheduling is suspended. */
  | 'SCHEDULING_SUSPENDED'
  /** The clusters that are left do not satisfy its policy's spread constraints. */
  | 'SPREAD_NOT_SATISFIED'
  /** The read store does not follow its source: what is shown may be old. */
  | 'STORE_STALE'
  /** Clusters are left out because they have a taint that its policy does not tolerate. */
  | 'TAINT_NOT_TOLERATED'
  /** It is not healthy, and nothing tells why. */
  | 'UNHEALTHY'
  /** It waits for something that it depends on, or that takes it along. */
  | 'WAITING_FOR_DEPENDENCY';

/** Whether the read store follows its source. */
export type FreshnessState =
  /** The sync runs and its source is healthy: rows trail the source by well under a second. */
  | 'LIVE'
  /** Nothing has been synced yet. */
  | 'NEVER'
  /** The sync runs but its source cannot be reached, or a kind is being listed again: rows may be old. */
  | 'STALE'
  /** The sync has stopped: rows stay as they were. */
  | 'STOPPED';

/** Part of an image, `[registry/]repository[:tag]`. */
export type ImageComponent =
  /** The registry, for instance `registry.k8s.io`. */
  | 'REGISTRY'
  /** The repository, for instance `library/nginx`. */
  | 'REPOSITORY'
  /** The tag, or the digest. */
  | 'TAG';

/** A change of images. Told from others by where it is made, the part and the operator. */
export type ImageOverriderInput = {
  /** Which part of the image. */
  component: ImageComponent;
  /** What is done to it. */
  operator: OverriderOperator;
  /** The one image that is changed; null means all images of the pod template. */
  predicate?: ImagePredicateInput | null | undefined;
  /** The new text; null for REMOVE. */
  value?: string | null | undefined;
};

/** Where an image stands. */
export type ImagePredicateInput = {
  /** JSON pointer, for instance `/spec/template/spec/containers/0/image`. */
  path: string;
};

/** Which instances. */
export type InstanceFilter = {
  /** Only names or display names that contain this, in any case. */
  nameContains?: string | null | undefined;
  /** Only these names. */
  names?: Array<string> | null | undefined;
  /** Only these states. */
  states?: Array<InstanceState> | null | undefined;
};

/** Who runs the control plane of an instance. */
export type InstanceSource =
  /** Somebody else runs it: it was there before and was attached by its kubeconfig. Kairship removes nothing there but what it made itself. */
  | 'ATTACHED'
  /** Kairship installs it, through the Karmada operator, and removes it. */
  | 'MANAGED';

/** What an instance is doing. */
export type InstanceState =
  /** Being removed. */
  | 'DELETING'
  /** It is being installed, or its installation has failed; `steps` tell. */
  | 'INSTALLING'
  /** Its API server answers. Single components may fail; `conditions` tell. */
  | 'RUNNING'
  /** Its API server does not answer, or its credentials are refused. */
  | 'UNAVAILABLE'
  /** Kairship has not been able to find out yet. */
  | 'UNKNOWN';

/** For which control plane a kubeconfig is, and for how long. */
export type IssueKubeconfigInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** The member that its current context leads to. Left out: the control plane itself. */
  cluster?: string | null | undefined;
  /** How long it is good, in seconds; at least 600. Eight hours when left out; the server may allow less. */
  expirationSeconds?: number | null | undefined;
  /** Name of the instance. */
  instance: string;
  /** The namespace of its current context. */
  namespace?: string | null | undefined;
};

/** One label or annotation. */
export type KeyValueInput = {
  /** The key. */
  key: string;
  /** The value. */
  value: string;
};

/** A change of labels or annotations. Told from others by the operator. */
export type LabelAnnotationOverriderInput = {
  /** What is done to the keys of `value`. REPLACE changes only those that are there. */
  operator: OverriderOperator;
  /** The labels or annotations, by key. */
  value?: Array<KeyValueInput> | null | undefined;
};

/** What labels must be like: everything said here at once. An empty selector matches everything. */
export type LabelSelectorInput = {
  /** What else must hold. */
  matchExpressions?: Array<SelectorRequirementInput> | null | undefined;
  /** Labels that must have exactly this value, by key. */
  matchLabels?: Array<KeyValueInput> | null | undefined;
};

/** What is measured of clusters. */
export type MetricName =
  /** CPU that the nodes offer to pods. */
  | 'CPU_ALLOCATABLE'
  /** CPU that scheduled pods have asked for. */
  | 'CPU_ALLOCATED'
  /** Memory that the nodes offer to pods. */
  | 'MEMORY_ALLOCATABLE'
  /** Memory that scheduled pods have asked for. */
  | 'MEMORY_ALLOCATED'
  /** Nodes. */
  | 'NODES'
  /** Nodes that are ready. */
  | 'NODES_READY'
  /** Pods that the nodes have room for. */
  | 'PODS_ALLOCATABLE'
  /** Pods that are scheduled. */
  | 'PODS_ALLOCATED';

/** The unit of a metric. */
export type MetricUnit =
  /** Bytes. */
  | 'BYTES'
  /** Cores of CPU. */
  | 'CORES'
  /** A number of things. */
  | 'COUNT';

/** A span of time that metrics are asked for. */
export type MetricsRange = {
  /** Where it begins: before `to`, and at most 31 days before it. */
  from: string;
  /** Where it ends: at most a minute ahead of the server's clock. Null for now. */
  to?: string | null | undefined;
};

/** Whether a node works. */
export type NodeState =
  /** Its kubelet says it is not ready. */
  | 'NOT_READY'
  /** Its kubelet says it is ready for pods. */
  | 'READY'
  /** Its kubelet has not been heard of for some time, or never. */
  | 'UNKNOWN';

/**
 * What to do after a document failed. Documents are applied in the order in which they need each other, whatever theirs is in the
 * input: namespaces, definitions of kinds, override policies, propagation policies, what limits and configures workloads, roles,
 * services, workloads, everything else; of one kind as they are given.
 */
export type OnError =
  /** Go on with the rest. */
  | 'CONTINUE'
  /** Skip the rest, in the order in which they are applied. */
  | 'STOP';

/** What an operation does. */
export type OperationKind =
  /** Attaches a control plane that somebody else runs: `attachInstance`. */
  | 'ATTACH_INSTANCE'
  /** Installs a control plane: `createInstance`. */
  | 'CREATE_INSTANCE'
  /** Removes an instance: `deleteInstance`. */
  | 'DELETE_INSTANCE'
  /** Joins a member cluster: `joinCluster`. */
  | 'JOIN_CLUSTER'
  /** Takes a resource of a member into the federation: `promoteResource`. */
  | 'PROMOTE_RESOURCE'
  /** Removes a member cluster: `unjoinCluster`. */
  | 'UNJOIN_CLUSTER';

/** How far an operation is. */
export type OperationState =
  /** Somebody cancelled it; what it made was undone, or `message` says what stays. */
  | 'CANCELLED'
  /** It ended without success; `message` says why, and what stays of what it made, if anything does. */
  | 'FAILED'
  /** Nobody works on it yet. */
  | 'PENDING'
  /** It is under way. */
  | 'RUNNING'
  /** It is done. */
  | 'SUCCEEDED';

/** Which way a list is ordered. */
export type OrderDirection =
  /** From the least to the greatest: A to Z, the oldest first. */
  | 'ASC'
  /** From the greatest to the least: Z to A, the newest first. */
  | 'DESC';

/** A group of clusters that is used when those before it have no room. Told from others by its name. */
export type OverflowClusterAffinityInput = {
  /** Name of the group, unique in the policy. */
  affinityName: string;
  /** Names of the clusters; empty means any. */
  clusterNames?: Array<string> | null | undefined;
  /** Names of clusters that are left out whatever else is said. */
  exclude?: Array<string> | null | undefined;
  /** Provider, region and zones of the clusters; null means any. */
  fieldSelector?: FieldSelectorInput | null | undefined;
  /** Labels of the clusters; null means any. */
  labelSelector?: LabelSelectorInput | null | undefined;
};

/**
 * An OverridePolicy or a ClusterOverridePolicy, by the names under which it is read: what was read can be edited and sent back.
 *
 * In a change, a field that is left out stays as it is, null takes it away, and a list is given whole: each of its items is laid
 * over the item of the policy that it was made of. What this input has no field for stays.
 */
export type OverridePolicyInput = {
  /** Annotations. Those of `karmada.io` stay, whatever is said. */
  annotations?: Array<KeyValueInput> | null | undefined;
  /** Labels. Those of `karmada.io` stay, whatever is said. */
  labels?: Array<KeyValueInput> | null | undefined;
  /** Name; needed for a new policy, and cannot be changed. */
  name?: string | null | undefined;
  /** Namespace; needed for a new OverridePolicy, none for a ClusterOverridePolicy, and cannot be changed. */
  namespace?: string | null | undefined;
  /** What it changes where, in this order. */
  overrideRules?: Array<OverrideRuleInput> | null | undefined;
  /**
   * What it changes. Null is what takes it away when `overrideRules` are to be used instead.
   * @deprecated Deprecated in Karmada v1.0, which refuses it beside `overrideRules`.
   */
  overriders?: OverridersInput | null | undefined;
  /** What it applies to: an object that one of these matches. Empty: everything, of its namespace if it has one. */
  resourceSelectors?: Array<ResourceSelectorInput> | null | undefined;
  /**
   * The clusters that `overriders` is for; null means all. Null is what takes it away when `overrideRules` are to be used instead.
   * @deprecated Deprecated in Karmada v1.0, which refuses it beside `overrideRules`.
   */
  targetCluster?: ClusterAffinityInput | null | undefined;
};

/** What is changed in some clusters. */
export type OverrideRuleInput = {
  /** What is changed. */
  overriders: OverridersInput;
  /** The clusters; null means all. */
  targetCluster?: ClusterAffinityInput | null | undefined;
};

/** What a change does. */
export type OverriderOperator =
  /** It adds the value, or sets it where there is one already. */
  | 'ADD'
  /** It takes away. */
  | 'REMOVE'
  /** It sets the value where there is one. */
  | 'REPLACE';

/**
 * Changes of an object. Karmada applies them in this order: images, commands, arguments, labels, annotations,
 * fields, plaintext.
 */
export type OverridersInput = {
  /** Changes of annotations. */
  annotationsOverrider?: Array<LabelAnnotationOverriderInput> | null | undefined;
  /** Changes of containers' arguments. */
  argsOverrider?: Array<CommandArgsOverriderInput> | null | undefined;
  /** Changes of containers' commands. */
  commandOverrider?: Array<CommandArgsOverriderInput> | null | undefined;
  /** Changes within a field that holds JSON or YAML as text, for instance a key of a ConfigMap. */
  fieldOverrider?: Array<FieldOverriderInput> | null | undefined;
  /** Changes of images, or of their parts. */
  imageOverrider?: Array<ImageOverriderInput> | null | undefined;
  /** Changes of labels. */
  labelsOverrider?: Array<LabelAnnotationOverriderInput> | null | undefined;
  /** Changes of any field, by path. */
  plaintext?: Array<PlaintextOverriderInput> | null | undefined;
};

/** What to change, and how. */
export type PatchResourceInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Take fields over that other managers own, for patches of type APPLY. Without it such a field is a CONFLICT that names the owner. */
  force?: boolean | null | undefined;
  /** Id of an object of a control plane. */
  id: string | number;
  /** The patch: JSON, or YAML unless it is of type JSON; at most 1 MiB. */
  patch: string;
  /** `resourceVersion` of the object as it was read: a newer one is a CONFLICT that says what is different. Any version when left out. */
  resourceVersion?: string | null | undefined;
  /** How the patch is meant. */
  type?: PatchType;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** How a patch is meant. */
export type PatchType =
  /** Server-side apply: fields that were applied before and are left out are removed. */
  | 'APPLY'
  /** JSON patch (RFC 6902): a list of operations. */
  | 'JSON'
  /** JSON merge patch (RFC 7396): null removes a field, a list is replaced. */
  | 'MERGE'
  /** Kubernetes' strategic merge patch: items of lists are merged by their keys. Built-in kinds only. */
  | 'STRATEGIC';

/** Which clusters, and how many replicas in each. */
export type PlacementInput = {
  /** Groups of clusters, tried in this order: the first one that satisfies everything else is taken. Not beside `clusterAffinity`. */
  clusterAffinities?: Array<ClusterAffinityTermInput> | null | undefined;
  /** Which clusters. Null, and no `clusterAffinities`: any. */
  clusterAffinity?: ClusterAffinityInput | null | undefined;
  /** Taints of clusters that do not keep the object away. */
  clusterTolerations?: Array<TolerationInput> | null | undefined;
  /** How replicas come to the clusters; null means each gets all of them. */
  replicaScheduling?: ReplicaSchedulingInput | null | undefined;
  /** Over how many clusters, regions … it is spread. By field, there has to be one by CLUSTER. */
  spreadConstraints?: Array<SpreadConstraintInput> | null | undefined;
  /** With or away from which other workloads. */
  workloadAffinity?: WorkloadAffinityInput | null | undefined;
};

/** Why a cluster is among the targets. */
export type PlacementReason =
  /** It is being moved away from there. */
  | 'EVICTING'
  /** Another object that depends on this one was scheduled there. */
  | 'REQUIRED_BY'
  /** The scheduler chose it. */
  | 'SCHEDULED';

/** A change of one field by its path. Told from others by path and operator. */
export type PlaintextOverriderInput = {
  /** What is done to it. */
  operator: OverriderOperator;
  /** JSON pointer of the field, for instance `/spec/replicas`. */
  path: string;
  /** The new value as JSON text: `"blue"` with its quotes, `3`, `{"a":1}`. Null when there is none. */
  value?: string | null | undefined;
};

/** Which logs to follow. */
export type PodLogsInput = {
  /** Further pods of the instance, at most 99. */
  also?: Array<PodOfMemberInput> | null | undefined;
  /** The member that the pod is in. */
  cluster: string;
  /** Which container; null for that of a pod with only one. */
  container?: string | null | undefined;
  /** Go on with what is logged from now on. */
  follow?: boolean | null | undefined;
  /** The instance. */
  instance: string;
  /** Namespace of the pod. */
  namespace: string;
  /** Name of the pod. */
  pod: string;
  /** The log of the container before its last restart; not with `follow`. */
  previous?: boolean | null | undefined;
  /** Leave out older lines. */
  since?: string | null | undefined;
  /** How many lines of the past of each pod: 0 to 10,000. */
  tailLines?: number | null | undefined;
};

/** A pod in a member. */
export type PodOfMemberInput = {
  /** The member. */
  cluster: string;
  /** Namespace of the pod. */
  namespace: string;
  /** Name of the pod. */
  pod: string;
};

/** How far a pod is in its life. */
export type PodPhase =
  /** All containers ended, at least one of them badly. */
  | 'FAILED'
  /** Accepted, but not all its containers have started: it waits for a node, an image or a volume. */
  | 'PENDING'
  /** On a node, and at least one container runs or is being restarted. It may still not work: see `ready` and `reason`. */
  | 'RUNNING'
  /** All containers ended well and stay so. */
  | 'SUCCEEDED'
  /** Its node does not answer, or it has not been said yet. */
  | 'UNKNOWN';

/** A kind of policy. */
export type PolicyKind =
  /** ClusterOverridePolicy: how objects of any namespace differ. */
  | 'CLUSTER_OVERRIDE'
  /** ClusterPropagationPolicy: where objects of any namespace go. */
  | 'CLUSTER_PROPAGATION'
  /** OverridePolicy: how objects of one namespace differ. */
  | 'OVERRIDE'
  /** PropagationPolicy: where objects of one namespace go. */
  | 'PROPAGATION';

/** What of propagation is held back. */
export type PolicySuspensionInput = {
  /** Whether nothing is sent to any cluster. Not beside `dispatchingOnClusters`. */
  dispatching?: boolean | null | undefined;
  /** Clusters that nothing is sent to. */
  dispatchingOnClusters?: Array<string> | null | undefined;
};

/** Whether a policy takes over what another one has claimed. */
export type PreemptionBehavior =
  /** It takes objects from propagation policies of lower priority; a PropagationPolicy also from any ClusterPropagationPolicy. */
  | 'ALWAYS'
  /** It takes what nobody has claimed. */
  | 'NEVER';

/** The kinds of finding of a preview. */
export type PreviewCode =
  /** What the objects depend on goes where they go. */
  | 'DEPENDENTS_FOLLOW'
  /** Sending objects to clusters is suspended. */
  | 'DISPATCHING_SUSPENDED'
  /** Not all could be looked at. */
  | 'INCOMPLETE'
  /** The policy is lazy: what it claims moves when the object itself changes. */
  | 'LAZY_ACTIVATION'
  /** Objects or policies that your roles do not show may be concerned, too. */
  | 'LIMITED_TO_WHAT_YOU_SEE'
  /** The namespace does not exist yet: it was tried in another one. */
  | 'NAMESPACE_NEW'
  /** It cannot be scheduled, or the scheduler leaves it alone. */
  | 'NOT_SCHEDULED'
  /** Another scheduler than Karmada's own places it. */
  | 'OTHER_SCHEDULER'
  /** The instance runs another version of Karmada than the one whose rules these are. */
  | 'OTHER_VERSION'
  /** The result depends on a feature gate of Karmada's that its API does not tell. */
  | 'PREEMPTION_GATE'
  /** The replicas of this kind are told by interpreters of the instance. */
  | 'REPLICAS_UNKNOWN'
  /** Replicas are divided by the room that clusters last reported. */
  | 'ROOM_ESTIMATED'
  /** Scheduling is suspended. */
  | 'SCHEDULING_SUSPENDED'
  /** What is known of the instance is not up to date. */
  | 'STALE'
  /** Karmada decides by what is not known yet, such as the UID of an object to be made. */
  | 'UNDETERMINED'
  /** The policy waits for override policies that do not exist. */
  | 'WAITS_FOR_OVERRIDES'
  /** Affinity between workloads is left out. */
  | 'WORKLOAD_AFFINITY';

/** Which change of a propagation policy is previewed: exactly one of `manifest`, `policy` and `delete`. */
export type PreviewPropagationPolicyInput = {
  /** Whether the policy is deleted. */
  delete?: boolean | null | undefined;
  /** Global id of the policy that is there; needed for a deletion. */
  id?: string | number | null | undefined;
  /** Name of the instance. */
  instance: string;
  /** The policy as it would be, whole, as YAML or JSON: one PropagationPolicy or ClusterPropagationPolicy. It is an edit when there is one of its name. */
  manifest?: string | null | undefined;
  /**
   * The policy as it would be, by its typed input: a PropagationPolicy with `namespace`, a ClusterPropagationPolicy without; with `id`,
   * that policy. When there is one of its name it is an edit, and what differs is changed as `updatePolicy` does.
   */
  policy?: PropagationPolicyInput | null | undefined;
  /**
   * Whether the instance runs with Karmada's feature gate PropagationPolicyPreemption, which its API does not tell. It matters
   * for policies whose preemption is Always; a finding says so.
   */
  preemption?: boolean | null | undefined;
};

/** What a priority class is. */
export type PriorityClassSource =
  /** A priority class of Karmada's own. Karmada does not do it yet. */
  | 'FEDERATED_PRIORITY_CLASS'
  /** A PriorityClass of Kubernetes in the control plane. */
  | 'KUBE_PRIORITY_CLASS'
  /** The one that the pod template names. Karmada does not do it yet. */
  | 'POD_PRIORITY_CLASS';

/**
 * A PropagationPolicy or a ClusterPropagationPolicy, by the names under which it is read: what was read can be edited and sent back.
 *
 * In a change, a field that is left out stays as it is, null takes it away, and a list is given whole: each of its items is laid
 * over the item of the policy that it was made of. What this input has no field for stays. In a new policy, what is left out is
 * Karmada's default.
 */
export type PropagationPolicyInput = {
  /** When a change of this policy takes effect. IMMEDIATE by default. */
  activationPreference?: ActivationPreference | null | undefined;
  /** Annotations. Those of `karmada.io` stay, whatever is said. */
  annotations?: Array<KeyValueInput> | null | undefined;
  /**
   * Whether what the selected objects need is propagated with them. The older spelling of `propagateDeps`.
   * @deprecated Karmada reads `propagateDeps` instead.
   */
  association?: boolean | null | undefined;
  /** What happens when a member already has an object of that name that Karmada did not make. ABORT by default. */
  conflictResolution?: ConflictResolution | null | undefined;
  /** Names of override policies that must exist before this policy takes effect. */
  dependentOverrides?: Array<string> | null | undefined;
  /** How objects move away from where they fail. */
  failover?: FailoverBehaviorInput | null | undefined;
  /** Labels. Those of `karmada.io` stay, whatever is said. */
  labels?: Array<KeyValueInput> | null | undefined;
  /** Name; needed for a new policy, and cannot be changed. */
  name?: string | null | undefined;
  /** Namespace; needed for a new PropagationPolicy, none for a ClusterPropagationPolicy, and cannot be changed. */
  namespace?: string | null | undefined;
  /** Where to. */
  placement?: PlacementInput | null | undefined;
  /** Whether it takes objects over that a policy of lower priority has claimed. NEVER by default; ALWAYS asks for a name in every selector. */
  preemption?: PreemptionBehavior | null | undefined;
  /** Whether the members keep their objects when the template is deleted. False by default. */
  preserveResourcesOnDeletion?: boolean | null | undefined;
  /** Which policy wins when several select the same object: the higher. 0 by default. */
  priority?: number | null | undefined;
  /** Whether what the selected objects need (ConfigMaps, Secrets …) is propagated with them. Has to be true for `failover.application`. */
  propagateDeps?: boolean | null | undefined;
  /** What it selects: an object that one of these matches. At least one. */
  resourceSelectors?: Array<ResourceSelectorInput> | null | undefined;
  /** In which order waiting objects are scheduled. */
  schedulePriority?: SchedulePriorityInput | null | undefined;
  /** The scheduler that chooses the clusters; `default-scheduler` by default. Karmada lets nobody change it later. */
  schedulerName?: string | null | undefined;
  /** What is held back. */
  suspension?: PolicySuspensionInput | null | undefined;
};

/** What becomes of what is left behind in a cluster. */
export type PurgeMode =
  /** It is removed at once. */
  | 'DIRECTLY'
  /** It is removed when the new one is healthy, or when the time is over. */
  | 'GRACEFULLY'
  /** Older spelling of GRACEFULLY. */
  | 'GRACIOUSLY'
  /** Older spelling of DIRECTLY. */
  | 'IMMEDIATELY'
  /** It stays until somebody removes it. */
  | 'NEVER';

/** How replicas are divided. */
export type ReplicaDivisionPreference =
  /** Into as few clusters as have room. */
  | 'AGGREGATED'
  /** By weight. */
  | 'WEIGHTED';

/** How replicas come to the clusters. */
export type ReplicaSchedulingInput = {
  /** How they are divided; by weight by default. */
  divisionPreference?: ReplicaDivisionPreference | null | undefined;
  /** Whether each cluster gets all replicas or a part of them; DIVIDED by default. */
  type?: ReplicaSchedulingType | null | undefined;
  /** The weights, when they are divided by weight; null means that all clusters weigh the same. */
  weightPreference?: WeightPreferenceInput | null | undefined;
};

/** Whether each cluster gets all replicas. */
export type ReplicaSchedulingType =
  /** Each gets a part of them. */
  | 'DIVIDED'
  /** Each gets all of them. */
  | 'DUPLICATED';

/** Which Job to run again. */
export type RerunJobInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a Job. */
  id: string | number;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** What to reschedule. */
export type RescheduleWorkloadInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a workload. */
  id: string | number;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** What Karmada says of an object's health in a member. */
export type ResourceHealth =
  /** It is healthy, or of a kind that Karmada does not check. */
  | 'HEALTHY'
  /** It is not healthy. */
  | 'UNHEALTHY'
  /** Karmada has not judged it. */
  | 'UNKNOWN';

/** Objects of one kind, by name, by label, or all of them. Told from others by all that is said here. */
export type ResourceSelectorInput = {
  /** Group and version, for instance `apps/v1`. Compared as text: another version of the same kind is not selected. */
  apiVersion: string;
  /** Kubernetes kind. */
  kind: string;
  /** Only objects with these labels; null means any. */
  labelSelector?: LabelSelectorInput | null | undefined;
  /** Only the object of this name; `labelSelector` is then ignored. Null: any name. */
  name?: string | null | undefined;
  /** Only objects of this namespace. Null: the policy's own namespace, or, of a cluster-wide policy, any. */
  namespace?: string | null | undefined;
};

/** What to resume. */
export type ResumeWorkloadInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a Deployment, Job or CronJob. */
  id: string | number;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** Whose kubeconfigs are taken back. */
export type RevokeKubeconfigsInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** The name with its origin, `kairship:oidc:…`; left out: the viewer's own. Others' only owners may take back. */
  principal?: string | null | undefined;
};

/** What to scale, and to how many. */
export type ScaleWorkloadInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a Deployment or StatefulSet. */
  id: string | number;
  /** Replicas: 0 to 100,000. */
  replicas: number;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** In which order waiting objects are scheduled. It needs Karmada's feature gate PriorityBasedScheduling. */
export type SchedulePriorityInput = {
  /** Name of the priority class. */
  priorityClassName: string;
  /** What `priorityClassName` names; Karmada does KUBE_PRIORITY_CLASS only. That is the default. */
  priorityClassSource?: PriorityClassSource | null | undefined;
};

/** How a label or a field is compared. */
export type SelectorOperator =
  /** It is not there. */
  | 'DOES_NOT_EXIST'
  /** It is there. */
  | 'EXISTS'
  /** It is a greater number than the one value. For fields only; Karmada's webhook refuses it. */
  | 'GT'
  /** It is one of the values. */
  | 'IN'
  /** It is a lesser number than the one value. For fields only; Karmada's webhook refuses it. */
  | 'LT'
  /** It is none of the values, or is not there. */
  | 'NOT_IN';

/** One condition on a label or a field. */
export type SelectorRequirementInput = {
  /** The label, or the field. */
  key: string;
  /** How it is compared with `values`. */
  operator: SelectorOperator;
  /** What it is compared with; none for EXISTS and DOES_NOT_EXIST. */
  values?: Array<string> | null | undefined;
};

/** Which cluster, and how. */
export type SetClusterSchedulableInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a member cluster. */
  id: string | number;
  /** Whether new workloads may be scheduled there. True removes the taint that false sets, and no other. */
  schedulable: boolean;
  /** uid of the Cluster object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** How bad a finding is. */
export type Severity =
  /** It is not where, or not as, it should be, and will not become so by itself. */
  | 'ERROR'
  /** Nothing is wrong: it is on its way. */
  | 'INFO'
  /** Somebody asked for it to be so, it may become well by itself, or it cannot be known. */
  | 'WARNING';

/** Over how many groups of clusters something is spread. Told from others by what it is spread by. */
export type SpreadConstraintInput = {
  /** At most so many groups; null or 0 for no limit. */
  maxGroups?: number | null | undefined;
  /** At least so many groups, or it is not scheduled at all; 1 by default. */
  minGroups?: number | null | undefined;
  /** What makes clusters a group. CLUSTER when nothing is said; not beside `spreadByLabel`. */
  spreadByField?: SpreadField | null | undefined;
  /** Label whose value makes clusters a group; not beside `spreadByField`. Karmada's scheduler does not do it yet. */
  spreadByLabel?: string | null | undefined;
};

/** A field by which clusters are grouped. Karmada's scheduler asks for CLUSTER or REGION among them. */
export type SpreadField =
  /** Each cluster is a group. */
  | 'CLUSTER'
  /** By provider. */
  | 'PROVIDER'
  /** By region. */
  | 'REGION'
  /** By zone. */
  | 'ZONE';

/** What of a workload's state goes with it when it moves. */
export type StatePreservationInput = {
  /** What is kept, and under which label the new one finds it. */
  rules?: Array<StatePreservationRuleInput> | null | undefined;
};

/** One thing that is kept. Told from others by its label. */
export type StatePreservationRuleInput = {
  /** Label of the new one that holds the value. */
  aliasLabelName: string;
  /** JSONPath in the status of the old one, for instance `{.availableReplicas}`. */
  jsonPath: string;
};

/** The weight of some clusters. Told from others by the clusters. */
export type StaticWeightInput = {
  /** The clusters. */
  targetCluster: ClusterAffinityInput;
  /** The weight of each of them, at least 1. */
  weight: number;
};

/** How far a step is. */
export type StepState =
  /** It failed. It is tried again. */
  | 'FAILED'
  /** It has not begun. */
  | 'PENDING'
  /** It is under way. */
  | 'RUNNING'
  /** It is done. */
  | 'SUCCEEDED';

/** What a taint does to workloads that do not tolerate it. */
export type TaintEffect =
  /** Those that run here are evicted. */
  | 'NO_EXECUTE'
  /** New ones are not scheduled here. */
  | 'NO_SCHEDULE'
  /** New ones are scheduled here only as a last resort. */
  | 'PREFER_NO_SCHEDULE';

/** A taint to set. */
export type TaintInput = {
  /** What it does. */
  effect: TaintEffect;
  /** Its key. */
  key: string;
  /** Its value; empty for none. */
  value?: string;
};

/** Taints to remove. */
export type TaintKeyInput = {
  /** The effect; every one when left out. */
  effect?: TaintEffect | null | undefined;
  /** Their key. */
  key: string;
};

/** Lets an object go to clusters with a taint, or stay there. Told from others by key, effect and value. */
export type TolerationInput = {
  /** What the taint does; null means any effect. */
  effect?: TaintEffect | null | undefined;
  /** Key of the taint; null means any key, with the operator EXISTS. */
  key?: string | null | undefined;
  /** How the taint is compared; EQUAL by default. */
  operator?: TolerationOperator | null | undefined;
  /** For how long a NO_EXECUTE taint is tolerated, in seconds; null means for ever. */
  tolerationSeconds?: number | null | undefined;
  /** Value of the taint; null for EXISTS. */
  value?: string | null | undefined;
};

/** How a toleration is compared with a taint. */
export type TolerationOperator =
  /** The taint has the key and the value. */
  | 'EQUAL'
  /** The taint has the key, with any value. */
  | 'EXISTS';

/** Which cluster, and how. */
export type UnjoinClusterInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Say what is placed there, and change nothing. */
  dryRun?: boolean | null | undefined;
  /** Remove also a cluster that does not answer: what runs there, and Karmada's accounts, stay in it. */
  force?: boolean | null | undefined;
  /** Id of a member cluster. */
  id: string | number;
  /** uid of the Cluster object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** What to change. */
export type UpdateClusterInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a member cluster. */
  id: string | number;
  /** Labels to set. */
  labels?: Array<KeyValueInput> | null | undefined;
  /** Keys of labels to remove; those that it has not are no error. */
  removeLabels?: Array<string> | null | undefined;
  /** Taints to remove; those that it has not are no error. */
  removeTaints?: Array<TaintKeyInput> | null | undefined;
  /** Taints to set; they replace those of the same key and effect. NO_EXECUTE evicts what does not tolerate it. */
  taints?: Array<TaintInput> | null | undefined;
  /** uid of the Cluster object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** What to change, and to what: in exactly one way, a manifest or the typed input of the policy's kind. */
export type UpdatePolicyInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** What a ClusterOverridePolicy is to be: what differs from the policy is changed, and nothing else. */
  clusterOverridePolicy?: OverridePolicyInput | null | undefined;
  /** What a ClusterPropagationPolicy is to be: what differs from the policy is changed, and nothing else. */
  clusterPropagationPolicy?: PropagationPolicyInput | null | undefined;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a policy. */
  id: string | number;
  /** The policy as it is to be, as YAML or JSON: its spec, labels and annotations are taken. */
  manifest?: string | null | undefined;
  /** What an OverridePolicy is to be: what differs from the policy is changed, and nothing else. */
  overridePolicy?: OverridePolicyInput | null | undefined;
  /** What a PropagationPolicy is to be: what differs from the policy is changed, and nothing else. */
  propagationPolicy?: PropagationPolicyInput | null | undefined;
  /** `resourceVersion` of the policy as it was read: a newer one is a CONFLICT that says what is different. */
  resourceVersion: string;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** Of what to change the image, and to which. */
export type UpdateWorkloadImageInput = {
  /** Given back as it is. Sent again with it by the same person within ten minutes, the mutation is not done again: the answer is that of the first time. */
  clientMutationId?: string | null | undefined;
  /** Name of the container; init containers count. */
  container: string;
  /** Ask the API server only, change nothing. */
  dryRun?: boolean | null | undefined;
  /** Id of a Deployment, StatefulSet, DaemonSet or CronJob. */
  id: string | number;
  /** The image, for instance `registry.example/shop/cart:1.2`: 1 to 1,024 characters without white space. */
  image: string;
  /** uid of the object that is meant, so that a namesake made since is refused with CONFLICT. */
  uid?: string | null | undefined;
};

/** The weights by which replicas are divided. */
export type WeightPreferenceInput = {
  /** What the weights are computed from; null when they are given. */
  dynamicWeight?: DynamicWeight | null | undefined;
  /** Weights that are given. Ignored when `dynamicWeight` is set. */
  staticWeights?: Array<StaticWeightInput> | null | undefined;
};

/** With, and away from, which other workloads of its namespace a workload is placed. */
export type WorkloadAffinityInput = {
  /** Only in clusters where workloads of its group are; null when it does not matter. */
  affinity?: WorkloadAffinityTermInput | null | undefined;
  /** Only in clusters where no other workload of its group is; null when it does not matter. */
  antiAffinity?: WorkloadAffinityTermInput | null | undefined;
};

/** What makes workloads a group. */
export type WorkloadAffinityTermInput = {
  /** Label whose value makes workloads of one namespace a group. */
  groupByLabelKey: string;
};

/** Which workloads. Lists match any of their entries; fields are combined with AND. */
export type WorkloadFilter = {
  /** Only workloads that Karmada placed in one of these clusters, by name, as a choice of the scheduler or as a dependency; of templates only. */
  clusters?: Array<string> | null | undefined;
  /** Only these instances; for the root field `workloads` alone. */
  instances?: Array<string> | null | undefined;
  /** Only these kinds. */
  kinds?: Array<WorkloadKind> | null | undefined;
  /** Only workloads with these labels, as a Kubernetes selector, for instance `tier in (web,api),!canary`. */
  labelSelector?: string | null | undefined;
  /** Only names that contain this; lower case, at most 253 characters. */
  nameContains?: string | null | undefined;
  /** Only these namespaces. */
  namespaces?: Array<string> | null | undefined;
  /** Only workloads that this policy claims: its global id, or `NAMESPACE/NAME` of a PropagationPolicy, or `NAME` of a ClusterPropagationPolicy; of templates only. */
  policy?: string | number | null | undefined;
  /**
   * Only workloads in these states. What a state is takes more than the read store can be asked: rows that
   * may match are read and judged one by one, so that `totalCount` is null, and a page may take a moment
   * where few of many match.
   */
  states?: Array<WorkloadState> | null | undefined;
};

/** The kinds of workload. */
export type WorkloadKind =
  /** batch/v1 CronJob. */
  | 'CRON_JOB'
  /** apps/v1 DaemonSet. */
  | 'DAEMON_SET'
  /** apps/v1 Deployment. */
  | 'DEPLOYMENT'
  /** batch/v1 Job. */
  | 'JOB'
  /** apps/v1 StatefulSet. */
  | 'STATEFUL_SET';

/** In which order workloads are listed. Both are served by an index; CREATED_AT by one of the index pack, and slowly without it. */
export type WorkloadOrder = {
  /** Which way. */
  direction?: OrderDirection;
  /** By what. */
  field: WorkloadOrderField;
};

/** What workloads can be ordered by. */
export type WorkloadOrderField =
  /** By the moment of creation. */
  | 'CREATED_AT'
  /** By instance, namespace, name and kind. */
  | 'NAME';

/** What a workload is doing, over all the clusters it should run in. */
export type WorkloadState =
  /** A Job that succeeded in every cluster it was sent to. */
  | 'COMPLETED'
  /** In place, but unhealthy or not applied somewhere. */
  | 'DEGRADED'
  /** Being deleted. */
  | 'DELETING'
  /** A Job that failed in a cluster it was sent to. */
  | 'FAILED'
  /** In no cluster: no policy claims it, or no cluster fits. */
  | 'NOT_PROPAGATED'
  /** Its rollout is paused or it is suspended. */
  | 'PAUSED'
  /** On its way: being scheduled, applied or rolled out, and not overdue. */
  | 'PROGRESSING'
  /** Scheduled, applied and healthy everywhere it should be. */
  | 'RUNNING'
  /** Asked to run nothing: zero replicas. */
  | 'STOPPED'
  /** What is known does not tell: a cluster is out of reach, or no status has come yet. */
  | 'UNKNOWN';

export type FleetQueryVariables = Exact<{ [key: string]: never; }>;


export type FleetQuery = { instances: { nodes: Array<{ id: string, name: string, displayName: string | null, state: InstanceState, stateMessage: string, access: { auditedNamespaces: Array<string> | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, statistics: { workloads: Array<{ kind: string, total: number }> } | null, clusters: { nodes: Array<{ id: string, name: string, state: ClusterState, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }> } | null };

export type FleetLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type FleetLiveSubscription = { instances: { type: ChangeType, id: string | null, at: string, node: { id: string, name: string, displayName: string | null, state: InstanceState, stateMessage: string, access: { auditedNamespaces: Array<string> | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, statistics: { workloads: Array<{ kind: string, total: number }> } | null, clusters: { nodes: Array<{ id: string, name: string, state: ClusterState, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null } | null } };

export type FleetInstanceFragment = { id: string, name: string, displayName: string | null, state: InstanceState, stateMessage: string, access: { auditedNamespaces: Array<string> | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, statistics: { workloads: Array<{ kind: string, total: number }> } | null, clusters: { nodes: Array<{ id: string, name: string, state: ClusterState, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

export type PermissionQueryVariables = Exact<{
  instance: string;
  verb: AccessVerb;
  group: string;
  resource: string;
  namespace?: string | null | undefined;
}>;


export type PermissionQuery = { instance: { id: string, access: { may: boolean } } | null };

export type ApplyManifestsMutationVariables = Exact<{
  input: ApplyManifestsInput;
}>;


export type ApplyManifestsMutation = { applyManifests: { documents: Array<{ index: number, apiVersion: string | null, kind: string | null, namespace: string | null, name: string | null, outcome: ApplyOutcome, error: { code: string, message: string, field: Array<string> | null } | null }>, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type AppliedDocumentFragment = { index: number, apiVersion: string | null, kind: string | null, namespace: string | null, name: string | null, outcome: ApplyOutcome, error: { code: string, message: string, field: Array<string> | null } | null };

export type AuditEventsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: AuditFilter | null | undefined;
}>;


export type AuditEventsQuery = { auditEvents: { nodes: Array<{ id: string, at: string, principal: string, groups: Array<string>, remoteAddress: string, userAgent: string, via: AuditVia, action: string, instanceName: string | null, clusterName: string | null, apiVersion: string | null, kind: string | null, resource: string | null, subresource: string | null, namespace: string | null, name: string | null, dryRun: boolean, outcome: AuditOutcome, code: string | null, message: string, requestId: string, durationSeconds: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AuditRowFragment = { id: string, at: string, principal: string, groups: Array<string>, remoteAddress: string, userAgent: string, via: AuditVia, action: string, instanceName: string | null, clusterName: string | null, apiVersion: string | null, kind: string | null, resource: string | null, subresource: string | null, namespace: string | null, name: string | null, dryRun: boolean, outcome: AuditOutcome, code: string | null, message: string, requestId: string, durationSeconds: number };

export type ClustersQueryVariables = Exact<{
  filter?: InstanceFilter | null | undefined;
}>;


export type ClustersQuery = { instances: { nodes: Array<{ displayName: string | null, description: string | null, createdAt: string, id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, clusters: { totalCount: number | null, nodes: Array<{ id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, resources: { allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null, console: { available: boolean, reason: string | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null }> } | null };

export type InstancesLiveSubscriptionVariables = Exact<{
  names?: Array<string> | string | null | undefined;
}>;


export type InstancesLiveSubscription = { instances: { type: ChangeType, id: string | null, at: string, node: { displayName: string | null, description: string | null, createdAt: string, id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, console: { available: boolean, reason: string | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null } | null } };

export type ClustersLiveSubscriptionVariables = Exact<{
  instance: string;
}>;


export type ClustersLiveSubscription = { clusters: { type: ChangeType, id: string | null, at: string, node: { id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, resources: { allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null } | null } };

export type InstanceRowFragment = { displayName: string | null, description: string | null, createdAt: string, id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, console: { available: boolean, reason: string | null }, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null };

export type InstanceMetricsQueryVariables = Exact<{
  instance: string;
  range: MetricsRange;
}>;


export type InstanceMetricsQuery = { instance: { id: string, metrics: { available: boolean, message: string | null, step: number, series: Array<{ metric: MetricName, unit: MetricUnit, points: Array<{ at: string, value: number | null }> }> } | null } | null };

export type ClusterMetricsQueryVariables = Exact<{
  instance: string;
  cluster: string;
  range: MetricsRange;
}>;


export type ClusterMetricsQuery = { instance: { id: string, cluster: { id: string, metrics: { available: boolean, message: string | null, step: number, series: Array<{ metric: MetricName, unit: MetricUnit, points: Array<{ at: string, value: number | null }> }> } | null } | null } | null };

export type MetricsFieldsFragment = { available: boolean, message: string | null, step: number, series: Array<{ metric: MetricName, unit: MetricUnit, points: Array<{ at: string, value: number | null }> }> };

export type ClusterQueryVariables = Exact<{
  instance: string;
  cluster: string;
}>;


export type ClusterQuery = { instance: { id: string, name: string, access: { may: boolean }, cluster: { uid: string, apiEndpoint: string | null, id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, labels: Array<{ key: string, value: string }>, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, resources: { allocating: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null } | null } | null };

export type ClusterLiveSubscriptionVariables = Exact<{
  instance: string;
}>;


export type ClusterLiveSubscription = { clusters: { type: ChangeType, id: string | null, at: string, node: { uid: string, apiEndpoint: string | null, id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, labels: Array<{ key: string, value: string }>, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, resources: { allocating: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null } | null } };

export type ClusterDetailFragment = { uid: string, apiEndpoint: string | null, id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, labels: Array<{ key: string, value: string }>, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, resources: { allocating: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null };

export type ClusterNodesQueryVariables = Exact<{
  instance: string;
  cluster: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ClusterNodesQuery = { instance: { id: string, cluster: { id: string, nodeList: { totalCount: number | null, nodes: Array<{ id: string, name: string, state: NodeState, stateMessage: string, schedulable: boolean, roles: Array<string>, kubeletVersion: string | null, osImage: string | null, architecture: string | null, containerRuntime: string | null, createdAt: string, taints: Array<{ key: string, value: string, effect: TaintEffect }>, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type NodeRowFragment = { id: string, name: string, state: NodeState, stateMessage: string, schedulable: boolean, roles: Array<string>, kubeletVersion: string | null, osImage: string | null, architecture: string | null, containerRuntime: string | null, createdAt: string, taints: Array<{ key: string, value: string, effect: TaintEffect }>, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string }> };

export type ClusterBindingsQueryVariables = Exact<{
  instance: string;
  cluster: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ClusterBindingsQuery = { instance: { id: string, cluster: { id: string, bindings: { totalCount: number | null, nodes: Array<{ id: string, kind: string, namespace: string | null, name: string, template:
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
           | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, clusters: Array<{ clusterName: string, replicas: number | null }>, members: Array<{ clusterName: string, applied: boolean, health: ResourceHealth, message: string }>, evictions: Array<{ clusterName: string, reason: string, message: string, since: string | null }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type ClusterPlacedQueryVariables = Exact<{
  instance: string;
  cluster: string;
}>;


export type ClusterPlacedQuery = { instance: { id: string, cluster: { id: string, bindings: { totalCount: number | null } | null, evictions: { totalCount: number | null, nodes: Array<{ id: string, kind: string, namespace: string | null, name: string, template:
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
            | { id: string, kind: string, namespace: string, name: string }
           | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, clusters: Array<{ clusterName: string, replicas: number | null }>, members: Array<{ clusterName: string, applied: boolean, health: ResourceHealth, message: string }>, evictions: Array<{ clusterName: string, reason: string, message: string, since: string | null }> }> } | null } | null } | null };

export type PlacedBindingFragment = { id: string, kind: string, namespace: string | null, name: string, template:
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
    | { id: string, kind: string, namespace: string, name: string }
   | null, policy:
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
    | { id: string, kind: string, namespace: string | null, name: string }
   | null, clusters: Array<{ clusterName: string, replicas: number | null }>, members: Array<{ clusterName: string, applied: boolean, health: ResourceHealth, message: string }>, evictions: Array<{ clusterName: string, reason: string, message: string, since: string | null }> };

export type ClusterWorkloadsQueryVariables = Exact<{
  instance: string;
  cluster: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ClusterWorkloadsQuery = { instance: { id: string, cluster: { id: string, workloads: { totalCount: number | null, nodes: Array<
          | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, createdAt: string, replicas: number | null, images: Array<string>, status: { ready: number | null } | null, template:
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
             | null }
          | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, createdAt: string, replicas: number | null, images: Array<string>, status: { ready: number | null } | null, template:
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
             | null }
          | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, createdAt: string, replicas: number | null, images: Array<string>, status: { ready: number | null } | null, template:
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
             | null }
          | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, createdAt: string, replicas: number | null, images: Array<string>, status: { ready: number | null } | null, template:
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
             | null }
          | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, createdAt: string, replicas: number | null, images: Array<string>, status: { ready: number | null } | null, template:
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
              | { id: string, kind: string, namespace: string, name: string }
             | null }
        >, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type ClusterEventsQueryVariables = Exact<{
  instance: string;
  cluster: string;
  first: number;
  after?: string | null | undefined;
  filter?: EventFilter | null | undefined;
}>;


export type ClusterEventsQuery = { instance: { id: string, cluster: { id: string, events: { nodes: Array<{ id: string, type: EventType, reason: string, message: string, count: number, lastSeen: string, source: string, namespace: string, regarding: { kind: string, namespace: string | null, name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null } | null };

export type ClusterEventsLiveSubscriptionVariables = Exact<{
  instance: string;
  filter?: EventFilter | null | undefined;
}>;


export type ClusterEventsLiveSubscription = { events: { type: ChangeType, id: string | null, at: string, node: { id: string, type: EventType, reason: string, message: string, count: number, lastSeen: string, source: string, namespace: string, regarding: { kind: string, namespace: string | null, name: string } } | null } };

export type ClusterEventFragment = { id: string, type: EventType, reason: string, message: string, count: number, lastSeen: string, source: string, namespace: string, regarding: { kind: string, namespace: string | null, name: string } };

export type ClusterEnablementsQueryVariables = Exact<{
  instance: string;
  cluster: string;
}>;


export type ClusterEnablementsQuery = { instance: { id: string, cluster: { id: string, apiEnablements: Array<{ groupVersion: string, kinds: Array<string> }> } | null } | null };

export type UpdateClusterMutationVariables = Exact<{
  input: UpdateClusterInput;
}>;


export type UpdateClusterMutation = { updateCluster: { cluster: { uid: string, apiEndpoint: string | null, id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, labels: Array<{ key: string, value: string }>, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, resources: { allocating: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null } | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type SetClusterSchedulableMutationVariables = Exact<{
  input: SetClusterSchedulableInput;
}>;


export type SetClusterSchedulableMutation = { setClusterSchedulable: { cluster: { uid: string, apiEndpoint: string | null, id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, labels: Array<{ key: string, value: string }>, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, resources: { allocating: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null } | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type UnjoinClusterMutationVariables = Exact<{
  input: UnjoinClusterInput;
}>;


export type UnjoinClusterMutation = { unjoinCluster: { operation: { id: string } | null, placed: { total: number, others: number, more: boolean, kinds: Array<{ kind: string, count: number }>, objects: Array<{ kind: string, namespace: string | null, name: string }> } | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type OperationLiveSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type OperationLiveSubscription = { operation: { id: string, uid: string, kind: OperationKind, state: OperationState, message: string, instanceName: string, clusterName: string | null, actor: string, createdAt: string, finishedAt: string | null, cancellable: boolean, cancelRequested: boolean, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, endedAt: string | null }> } };

export type CancelOperationMutationVariables = Exact<{
  input: CancelOperationInput;
}>;


export type CancelOperationMutation = { cancelOperation: { operation: { id: string, uid: string, kind: OperationKind, state: OperationState, message: string, instanceName: string, clusterName: string | null, actor: string, createdAt: string, finishedAt: string | null, cancellable: boolean, cancelRequested: boolean, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, endedAt: string | null }> } | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type OperationFieldsFragment = { id: string, uid: string, kind: OperationKind, state: OperationState, message: string, instanceName: string, clusterName: string | null, actor: string, createdAt: string, finishedAt: string | null, cancellable: boolean, cancelRequested: boolean, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, endedAt: string | null }> };

export type IssueKubeconfigMutationVariables = Exact<{
  input: IssueKubeconfigInput;
}>;


export type IssueKubeconfigMutation = { issueKubeconfig: { kubeconfig: string | null, expiresAt: string | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type RevokeKubeconfigsMutationVariables = Exact<{
  input: RevokeKubeconfigsInput;
}>;


export type RevokeKubeconfigsMutation = { revokeKubeconfigs: { issuedUntil: string | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type OverviewLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type OverviewLiveSubscription = { overview: { type: ChangeType, id: string | null, at: string, node: { asOf: string | null, instances: Array<{ state: InstanceState, total: number }>, clusters: { total: number, ready: number }, clusterStates: Array<{ state: ClusterState, total: number }>, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }>, uncounted: Array<{ id: string, name: string }> } | null } };

export type OverviewFieldsFragment = { asOf: string | null, instances: Array<{ state: InstanceState, total: number }>, clusters: { total: number, ready: number }, clusterStates: Array<{ state: ClusterState, total: number }>, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }>, uncounted: Array<{ id: string, name: string }> };

export type OverviewInstancesLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type OverviewInstancesLiveSubscription = { instances: { type: ChangeType, id: string | null, at: string, node: { id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, clusters: { totalCount: number | null, nodes: Array<{ id: string, name: string, state: ClusterState, stateMessage: string, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null } | null } };

export type OverviewInstanceFragment = { id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null, clusters: { totalCount: number | null, nodes: Array<{ id: string, name: string, state: ClusterState, stateMessage: string, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null };

export type AttentionLiveSubscriptionVariables = Exact<{
  instance: string;
  filter: WorkloadFilter;
}>;


export type AttentionLiveSubscription = { workloads: { type: ChangeType, id: string | null, at: string, node:
      | { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null }
     | null } };

type AttentionRow_CronJob_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null };

type AttentionRow_DaemonSet_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null };

type AttentionRow_Deployment_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null };

type AttentionRow_Job_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null };

type AttentionRow_StatefulSet_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, generation: number, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null } } | null };

export type AttentionRowFragment =
  | AttentionRow_CronJob_Fragment
  | AttentionRow_DaemonSet_Fragment
  | AttentionRow_Deployment_Fragment
  | AttentionRow_Job_Fragment
  | AttentionRow_StatefulSet_Fragment
;

export type DiagnosesQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type DiagnosesQuery = { nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, clusterName: string | null, remedy: string }> | null } | null }
    | { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, clusterName: string | null, remedy: string }> | null } | null }
    | { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, clusterName: string | null, remedy: string }> | null } | null }
    | { id: string }
    | { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, clusterName: string | null, remedy: string }> | null } | null }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, clusterName: string | null, remedy: string }> | null } | null }
    | { id: string }
   | null> };

export type WarningsLiveSubscriptionVariables = Exact<{
  instance: string;
  filter?: EventFilter | null | undefined;
}>;


export type WarningsLiveSubscription = { events: { type: ChangeType, id: string | null, at: string, node: { id: string, reason: string, message: string, count: number, lastSeen: string, source: string, instance: { id: string, name: string } | null, regarding: { kind: string, namespace: string | null, name: string } } | null } };

export type WarningRowFragment = { id: string, reason: string, message: string, count: number, lastSeen: string, source: string, instance: { id: string, name: string } | null, regarding: { kind: string, namespace: string | null, name: string } };

export type RecentChangesQueryVariables = Exact<{
  first: number;
  filter?: AuditFilter | null | undefined;
}>;


export type RecentChangesQuery = { auditEvents: { nodes: Array<{ id: string, at: string, principal: string, groups: Array<string>, remoteAddress: string, userAgent: string, via: AuditVia, action: string, instanceName: string | null, clusterName: string | null, apiVersion: string | null, kind: string | null, resource: string | null, subresource: string | null, namespace: string | null, name: string | null, dryRun: boolean, outcome: AuditOutcome, code: string | null, message: string, requestId: string, durationSeconds: number }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { name: string, groups: Array<string>, owner: boolean, introspection: boolean, roles: Array<{ name: string, instance: string | null, namespaces: Array<string> }> }, server: { version: string } };

export type TreeLiveSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type TreeLiveSubscription = { workload: { type: ChangeType, id: string | null, at: string, node:
      | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
     | null } };

type WorkloadTree_CronJob_Fragment = { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadTree_DaemonSet_Fragment = { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadTree_Deployment_Fragment = { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadTree_Job_Fragment = { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadTree_StatefulSet_Fragment = { id: string, kind: string, namespace: string, name: string, state: WorkloadState, stateReason: string, propagation: { scheduled: { value: FactValue, reason: string, message: string, since: string | null }, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, binding: { id: string, kind: string, namespace: string | null, name: string, suspended: boolean, createdAt: string } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

export type WorkloadTreeFragment =
  | WorkloadTree_CronJob_Fragment
  | WorkloadTree_DaemonSet_Fragment
  | WorkloadTree_Deployment_Fragment
  | WorkloadTree_Job_Fragment
  | WorkloadTree_StatefulSet_Fragment
;

export type TreeTargetFragment = { clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState } | null, eviction: { reason: string, message: string, producer: string, since: string | null } | null, requiredBy: Array<{ namespace: string | null, name: string }>, work: { id: string, namespace: string, name: string, suspended: boolean, createdAt: string, applied: { value: FactValue, reason: string, message: string, since: string | null } } | null, member: { id: string, apiVersion: string, kind: string, namespace: string | null, name: string, createdAt: string } | null, overrides: Array<{ policyKind: PolicyKind, policyNamespace: string | null, policyName: string, note: string, changes: Array<{ path: string, from: string | null, to: string | null }> }> | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null };

export type MemberManifestQueryVariables = Exact<{
  id: string | number;
}>;


export type MemberManifestQuery = { node:
    | { id: string }
    | { manifest: string | null, id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
   | null };

export type MendClustersQueryVariables = Exact<{
  instance: string;
}>;


export type MendClustersQuery = { instance: { id: string, clusters: { nodes: Array<{ id: string, uid: string, name: string, state: ClusterState, region: string | null, labels: Array<{ key: string, value: string }>, taints: Array<{ key: string, value: string, effect: TaintEffect }> }> } | null } | null };

export type MendClusterFragment = { id: string, uid: string, name: string, state: ClusterState, region: string | null, labels: Array<{ key: string, value: string }>, taints: Array<{ key: string, value: string, effect: TaintEffect }> };

export type MendPolicyQueryVariables = Exact<{
  id: string | number;
}>;


export type MendPolicyQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { uid: string | null, kind: string, namespace: string | null, name: string, resourceVersion: string | null, id: string, placement: { clusterTolerations: Array<{ key: string | null, operator: TolerationOperator, value: string | null, effect: TaintEffect | null, tolerationSeconds: number | null }> } | null }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { uid: string | null, kind: string, namespace: string | null, name: string, resourceVersion: string | null, id: string, placement: { clusterTolerations: Array<{ key: string | null, operator: TolerationOperator, value: string | null, effect: TaintEffect | null, tolerationSeconds: number | null }> } | null }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null };

export type MendTolerationFragment = { key: string | null, operator: TolerationOperator, value: string | null, effect: TaintEffect | null, tolerationSeconds: number | null };

export type MendImpactQueryVariables = Exact<{
  input: PreviewPropagationPolicyInput;
}>;


export type MendImpactQuery = { previewPropagationPolicy: { rows: { totalCount: number | null, nodes: Array<{ change: ClaimChange, reason: string, object: { kind: string, namespace: string | null, name: string }, before: Array<{ clusterName: string, replicas: number | null }>, after: Array<{ clusterName: string, replicas: number | null }>, findings: Array<{ code: PreviewCode, message: string }> }> } | null, findings: Array<{ code: PreviewCode, message: string }>, refusals: Array<{ code: string, message: string, field: Array<string> | null }> | null } | null };

export type MendUpdateClusterMutationVariables = Exact<{
  input: UpdateClusterInput;
}>;


export type MendUpdateClusterMutation = { updateCluster: { cluster: { id: string, uid: string, name: string, state: ClusterState, region: string | null, labels: Array<{ key: string, value: string }>, taints: Array<{ key: string, value: string, effect: TaintEffect }> } | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type MendUpdatePolicyMutationVariables = Exact<{
  input: UpdatePolicyInput;
}>;


export type MendUpdatePolicyMutation = { updatePolicy: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type MendCreatePolicyMutationVariables = Exact<{
  input: CreatePolicyInput;
}>;


export type MendCreatePolicyMutation = { createPolicy: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type MendBindingMutationVariables = Exact<{
  input: PatchResourceInput;
}>;


export type MendBindingMutation = { patchResource: { resource:
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type MendImageMutationVariables = Exact<{
  input: UpdateWorkloadImageInput;
}>;


export type MendImageMutation = { updateWorkloadImage: { workload:
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type RescheduleWorkloadMutationVariables = Exact<{
  input: RescheduleWorkloadInput;
}>;


export type RescheduleWorkloadMutation = { rescheduleWorkload: { workload:
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type RerunJobMutationVariables = Exact<{
  input: RerunJobInput;
}>;


export type RerunJobMutation = { rerunJob: { workload:
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type ResumeWorkloadMutationVariables = Exact<{
  input: ResumeWorkloadInput;
}>;


export type ResumeWorkloadMutation = { resumeWorkload: { workload:
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
      | { id: string }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type WorkloadQueryVariables = Exact<{
  instance: string;
  kind: WorkloadKind;
  namespace: string;
  name: string;
  group: string;
  resource: string;
}>;


export type WorkloadQuery = { instance: { id: string, name: string, access: { may: boolean, mayReadLogs: boolean, mayRunCommands: boolean }, workload:
      | { schedule: string, timeZone: string | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { paused: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { parallelism: number | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, completions: number | null, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { serviceName: string, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
     | null } | null };

type WorkloadDiagnosis_CronJob_Fragment = { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null } | null };

type WorkloadDiagnosis_DaemonSet_Fragment = { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null } | null };

type WorkloadDiagnosis_Deployment_Fragment = { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null } | null };

type WorkloadDiagnosis_Job_Fragment = { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null } | null };

type WorkloadDiagnosis_StatefulSet_Fragment = { id: string, propagation: { diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null } | null };

export type WorkloadDiagnosisFragment =
  | WorkloadDiagnosis_CronJob_Fragment
  | WorkloadDiagnosis_DaemonSet_Fragment
  | WorkloadDiagnosis_Deployment_Fragment
  | WorkloadDiagnosis_Job_Fragment
  | WorkloadDiagnosis_StatefulSet_Fragment
;

export type WorkloadManifestQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkloadManifestQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { manifest: string | null, id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { manifest: string | null, id: string }
    | { id: string }
   | null };

export type ScaleWorkloadMutationVariables = Exact<{
  input: ScaleWorkloadInput;
}>;


export type ScaleWorkloadMutation = { scaleWorkload: { workload:
      | { schedule: string, timeZone: string | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { paused: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { parallelism: number | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, completions: number | null, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { serviceName: string, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
     | null, userErrors: Array<{ code: string, message: string, field: Array<string> | null }> } | null };

export type WorkloadLiveSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type WorkloadLiveSubscription = { workload: { type: ChangeType, id: string | null, at: string, node:
      | { schedule: string, timeZone: string | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { paused: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { parallelism: number | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, completions: number | null, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
      | { serviceName: string, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, diagnosis: Array<{ code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> }> | null, policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null } | null, instance: { id: string, name: string } | null }
     | null } };

export type ManifestLiveSubscriptionVariables = Exact<{
  instance: string;
  apiVersion: string;
  kind: string;
  ids?: Array<string | number> | string | number | null | undefined;
}>;


export type ManifestLiveSubscription = { resources: { type: ChangeType, id: string | null, at: string, node: { id: string, manifest: string | null } | null } };

export type WorkloadsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: WorkloadFilter | null | undefined;
  orderBy?: WorkloadOrder | null | undefined;
}>;


export type WorkloadsQuery = { workloads: { totalCount: number | null, nodes: Array<
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { completions: number | null, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
    >, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, endCursor: string | null } } | null };

export type WorkloadsLiveSubscriptionVariables = Exact<{
  instance: string;
  filter?: WorkloadFilter | null | undefined;
  ids?: Array<string | number> | string | number | null | undefined;
}>;


export type WorkloadsLiveSubscription = { workloads: { type: ChangeType, id: string | null, at: string, node:
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { completions: number | null, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
      | { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
            | { id: string, kind: string, namespace: string | null, name: string }
           | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null }
     | null } };

export type PodsLiveSubscriptionVariables = Exact<{
  of: string | number;
}>;


export type PodsLiveSubscription = { pods: { type: ChangeType, id: string | null, at: string, limited: boolean, node: { id: string, namespace: string, name: string, createdAt: string, phase: PodPhase, ready: boolean, readyContainers: number, containerCount: number, reason: string, message: string, restarts: number, lastRestartAt: string | null, nodeName: string | null, cluster: { id: string, name: string } | null, containers: Array<{ name: string, role: ContainerRole, restarts: number }> } | null, missing: Array<{ clusterName: string, error: { code: string, message: string } }> } };

export type PodRowFragment = { id: string, namespace: string, name: string, createdAt: string, phase: PodPhase, ready: boolean, readyContainers: number, containerCount: number, reason: string, message: string, restarts: number, lastRestartAt: string | null, nodeName: string | null, cluster: { id: string, name: string } | null, containers: Array<{ name: string, role: ContainerRole, restarts: number }> };

export type PodLogsSubscriptionVariables = Exact<{
  input: PodLogsInput;
}>;


export type PodLogsSubscription = { podLogs: { dropped: number, lines: Array<{ at: string, cluster: string, pod: string, text: string, cut: number }>, ended: Array<{ cluster: string, pod: string, error: { code: string, message: string } | null }> } };

export type FactFieldsFragment = { value: FactValue, reason: string, message: string, since: string | null };

export type FreshnessFieldsFragment = { state: FreshnessState, message: string, syncedAt: string | null };

export type TargetFieldsFragment = { clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null };

type PolicyName_ClusterOverridePolicy_Fragment = { id: string, kind: string, namespace: string | null, name: string };

type PolicyName_ClusterPropagationPolicy_Fragment = { id: string, kind: string, namespace: string | null, name: string };

type PolicyName_OverridePolicy_Fragment = { id: string, kind: string, namespace: string | null, name: string };

type PolicyName_PropagationPolicy_Fragment = { id: string, kind: string, namespace: string | null, name: string };

export type PolicyNameFragment =
  | PolicyName_ClusterOverridePolicy_Fragment
  | PolicyName_ClusterPropagationPolicy_Fragment
  | PolicyName_OverridePolicy_Fragment
  | PolicyName_PropagationPolicy_Fragment
;

type WorkloadRow_CronJob_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadRow_DaemonSet_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadRow_Deployment_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadRow_Job_Fragment = { completions: number | null, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

type WorkloadRow_StatefulSet_Fragment = { id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, instance: { id: string, name: string } | null, propagation: { policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }> } | null };

export type WorkloadRowFragment =
  | WorkloadRow_CronJob_Fragment
  | WorkloadRow_DaemonSet_Fragment
  | WorkloadRow_Deployment_Fragment
  | WorkloadRow_Job_Fragment
  | WorkloadRow_StatefulSet_Fragment
;

type WorkloadDetail_CronJob_Fragment = { schedule: string, timeZone: string | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null } | null, instance: { id: string, name: string } | null };

type WorkloadDetail_DaemonSet_Fragment = { apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null } | null, instance: { id: string, name: string } | null };

type WorkloadDetail_Deployment_Fragment = { paused: boolean, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null } | null, instance: { id: string, name: string } | null };

type WorkloadDetail_Job_Fragment = { parallelism: number | null, suspended: boolean, apiVersion: string, generation: number, images: Array<string>, completions: number | null, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null } | null, instance: { id: string, name: string } | null };

type WorkloadDetail_StatefulSet_Fragment = { serviceName: string, apiVersion: string, generation: number, images: Array<string>, id: string, uid: string, kind: string, namespace: string, name: string, replicas: number | null, createdAt: string, state: WorkloadState, stateReason: string, labels: Array<{ key: string, value: string }>, annotations: Array<{ key: string, value: string }>, propagation: { scheduled: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, applied: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, healthy: { observedGeneration: number | null, value: FactValue, reason: string, message: string, since: string | null }, binding: { id: string, kind: string, namespace: string | null, name: string, createdAt: string, suspended: boolean, schedulerObservedGeneration: number | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }> } | null, targets: Array<{ clusterName: string, desiredReplicas: number | null, reason: PlacementReason, cluster: { id: string, name: string, state: ClusterState, stateMessage: string, region: string | null, syncMode: ClusterSyncMode } | null, scheduled: { value: FactValue, reason: string, message: string, since: string | null }, applied: { value: FactValue, reason: string, message: string, since: string | null }, healthy: { value: FactValue, reason: string, message: string, since: string | null }, status: { replicas: number | null, ready: number | null, updated: number | null, available: number | null, active: number | null, succeeded: number | null, failed: number | null } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null }>, policy:
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
      | { id: string, kind: string, namespace: string | null, name: string }
     | null } | null, instance: { id: string, name: string } | null };

export type WorkloadDetailFragment =
  | WorkloadDetail_CronJob_Fragment
  | WorkloadDetail_DaemonSet_Fragment
  | WorkloadDetail_Deployment_Fragment
  | WorkloadDetail_Job_Fragment
  | WorkloadDetail_StatefulSet_Fragment
;

export type InstanceStatusFragment = { id: string, name: string, source: InstanceSource, state: InstanceState, stateMessage: string, karmadaVersion: string | null, kubernetesVersion: string | null, conditions: Array<{ type: string, status: FactValue, reason: string, message: string, since: string | null }>, components: Array<{ name: string, state: ComponentState, message: string, since: string | null }>, steps: Array<{ name: string, state: StepState, message: string, startedAt: string | null, finishedAt: string | null }>, statistics: { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> } | null };

export type StatisticsFragment = { asOf: string, clusters: { total: number, ready: number }, nodes: { total: number, ready: number }, cpu: { allocatable: { cores: number }, allocated: { cores: number } }, memory: { allocatable: { bytes: number }, allocated: { bytes: number } }, workloads: Array<{ kind: string, total: number, ready: number }>, policies: Array<{ kind: string, total: number }> };

export type ClusterRowFragment = { id: string, name: string, region: string | null, zones: Array<string>, provider: string | null, syncMode: ClusterSyncMode, state: ClusterState, stateMessage: string, schedulable: boolean, kubernetesVersion: string | null, createdAt: string, taints: Array<{ key: string, value: string, effect: TaintEffect }>, nodes: { total: number, ready: number } | null, resources: { allocatable: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } }, allocated: { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } } } | null, freshness: { state: FreshnessState, message: string, syncedAt: string | null } | null };

export type AmountsFragment = { pods: number, cpu: { cores: number, quantity: string }, memory: { bytes: number, quantity: string } };

export type FindingFieldsFragment = { code: FindingCode, severity: Severity, message: string, remedy: string, clusterName: string | null, evidence: Array<{ object: string, field: string, value: string }> };

export const FreshnessFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<FreshnessFieldsFragment, unknown>;
export const FleetInstanceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FleetInstance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"auditedNamespaces"},"name":{"kind":"Name","value":"namespaces"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"LIST"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"kairship.io","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"auditevents","block":false}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<FleetInstanceFragment, unknown>;
export const AppliedDocumentFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AppliedDocument"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentOutcome"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]} as unknown as DocumentNode<AppliedDocumentFragment, unknown>;
export const AuditRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"principal"}},{"kind":"Field","name":{"kind":"Name","value":"groups"}},{"kind":"Field","name":{"kind":"Name","value":"remoteAddress"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"via"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"subresource"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"dryRun"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]} as unknown as DocumentNode<AuditRowFragment, unknown>;
export const StatisticsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}}]} as unknown as DocumentNode<StatisticsFragment, unknown>;
export const InstanceStatusFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}}]} as unknown as DocumentNode<InstanceStatusFragment, unknown>;
export const InstanceRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceStatus"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"console"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<InstanceRowFragment, unknown>;
export const MetricsFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetricsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Metrics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"series"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metric"}},{"kind":"Field","name":{"kind":"Name","value":"unit"}},{"kind":"Field","name":{"kind":"Name","value":"points"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<MetricsFieldsFragment, unknown>;
export const AmountsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}}]} as unknown as DocumentNode<AmountsFragment, unknown>;
export const ClusterRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<ClusterRowFragment, unknown>;
export const ClusterDetailFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"apiEndpoint"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<ClusterDetailFragment, unknown>;
export const NodeRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NodeRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClusterNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"kubeletVersion"}},{"kind":"Field","name":{"kind":"Name","value":"osImage"}},{"kind":"Field","name":{"kind":"Name","value":"architecture"}},{"kind":"Field","name":{"kind":"Name","value":"containerRuntime"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}}]} as unknown as DocumentNode<NodeRowFragment, unknown>;
export const PolicyNameFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<PolicyNameFragment, unknown>;
export const PlacedBindingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlacedBinding"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceBinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}}]}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"applied"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"evictions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<PlacedBindingFragment, unknown>;
export const ClusterEventFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"regarding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ClusterEventFragment, unknown>;
export const OperationFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OperationFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"actor"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"cancellable"}},{"kind":"Field","name":{"kind":"Name","value":"cancelRequested"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}}]}}]}}]} as unknown as DocumentNode<OperationFieldsFragment, unknown>;
export const OverviewFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OverviewFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Overview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusterStates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}},{"kind":"Field","name":{"kind":"Name","value":"uncounted"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<OverviewFieldsFragment, unknown>;
export const OverviewInstanceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OverviewInstance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceStatus"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<OverviewInstanceFragment, unknown>;
export const FactFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]} as unknown as DocumentNode<FactFieldsFragment, unknown>;
export const AttentionRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttentionRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]} as unknown as DocumentNode<AttentionRowFragment, unknown>;
export const WarningRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WarningRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"regarding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<WarningRowFragment, unknown>;
export const TargetFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}}]} as unknown as DocumentNode<TargetFieldsFragment, unknown>;
export const TreeTargetFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TreeTarget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eviction"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"producer"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"requiredBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"work"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"overrides"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policyKind"}},{"kind":"Field","name":{"kind":"Name","value":"policyNamespace"}},{"kind":"Field","name":{"kind":"Name","value":"policyName"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<TreeTargetFragment, unknown>;
export const WorkloadTreeFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadTree"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TreeTarget"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TreeTarget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eviction"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"producer"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"requiredBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"work"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"overrides"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policyKind"}},{"kind":"Field","name":{"kind":"Name","value":"policyNamespace"}},{"kind":"Field","name":{"kind":"Name","value":"policyName"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}}]}}]}}]} as unknown as DocumentNode<WorkloadTreeFragment, unknown>;
export const MendClusterFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MendCluster"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}}]}}]} as unknown as DocumentNode<MendClusterFragment, unknown>;
export const MendTolerationFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MendToleration"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Toleration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"operator"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}},{"kind":"Field","name":{"kind":"Name","value":"tolerationSeconds"}}]}}]} as unknown as DocumentNode<MendTolerationFragment, unknown>;
export const FindingFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Finding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"remedy"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"object"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]} as unknown as DocumentNode<FindingFieldsFragment, unknown>;
export const WorkloadDiagnosisFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDiagnosis"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"diagnosis"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FindingFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Finding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"remedy"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"object"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]} as unknown as DocumentNode<WorkloadDiagnosisFragment, unknown>;
export const PodRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PodRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pod"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"readyContainers"}},{"kind":"Field","name":{"kind":"Name","value":"containerCount"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"lastRestartAt"}},{"kind":"Field","name":{"kind":"Name","value":"nodeName"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"containers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}}]}}]}}]} as unknown as DocumentNode<PodRowFragment, unknown>;
export const WorkloadRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<WorkloadRowFragment, unknown>;
export const WorkloadDetailFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"annotations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"schedulerObservedGeneration"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Deployment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paused"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StatefulSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceName"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"parallelism"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CronJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}}]} as unknown as DocumentNode<WorkloadDetailFragment, unknown>;
export const FleetDocument = {"__meta__":{"hash":"sha256:5c46ddca42da1c0a7d63844e74184da11b0861df784da7cbefe2f23ab5f0656b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Fleet"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FleetInstance"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FleetInstance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"auditedNamespaces"},"name":{"kind":"Name","value":"namespaces"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"LIST"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"kairship.io","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"auditevents","block":false}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetQuery, FleetQueryVariables>;
export const FleetLiveDocument = {"__meta__":{"hash":"sha256:9fa2244c40fd767fef6dae0aafae8b34129e9a7e436d267c12b8bfcf3855f2a0"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"FleetLive"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FleetInstance"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FleetInstance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"auditedNamespaces"},"name":{"kind":"Name","value":"namespaces"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"LIST"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"kairship.io","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"auditevents","block":false}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FleetLiveSubscription, FleetLiveSubscriptionVariables>;
export const PermissionDocument = {"__meta__":{"hash":"sha256:f36115bbe453ae4d8dc51a63099a0031458c055cf3ab204f42c0000add504176"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Permission"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"verb"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AccessVerb"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"group"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resource"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"Variable","name":{"kind":"Name","value":"verb"}}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"Variable","name":{"kind":"Name","value":"group"}}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resource"}}},{"kind":"Argument","name":{"kind":"Name","value":"namespace"},"value":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}}}]}]}}]}}]}}]} as unknown as DocumentNode<PermissionQuery, PermissionQueryVariables>;
export const ApplyManifestsDocument = {"__meta__":{"hash":"sha256:fe7aca0928c2f00eba7bc19d5006c1ce1082bd3d745851c2b9f7d34eeb9155e5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ApplyManifests"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ApplyManifestsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"applyManifests"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"documents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AppliedDocument"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AppliedDocument"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"DocumentOutcome"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]} as unknown as DocumentNode<ApplyManifestsMutation, ApplyManifestsMutationVariables>;
export const AuditEventsDocument = {"__meta__":{"hash":"sha256:acd450b3071cfe98aa87f1792cb7bc982a47abc4516262f1876aa305f3357b89"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AuditEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"principal"}},{"kind":"Field","name":{"kind":"Name","value":"groups"}},{"kind":"Field","name":{"kind":"Name","value":"remoteAddress"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"via"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"subresource"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"dryRun"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]} as unknown as DocumentNode<AuditEventsQuery, AuditEventsQueryVariables>;
export const ClustersDocument = {"__meta__":{"hash":"sha256:9e436d7d2a1a81b774c93a545f5c480facb394d76a3ef895d6015ead7348177c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Clusters"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceRow"}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceStatus"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"console"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<ClustersQuery, ClustersQueryVariables>;
export const InstancesLiveDocument = {"__meta__":{"hash":"sha256:4c4cda859ccad791683cf08785af18cf83360c3c9020fb8b928ca8621454ad5a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"InstancesLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"names"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"names"},"value":{"kind":"Variable","name":{"kind":"Name","value":"names"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceStatus"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"console"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<InstancesLiveSubscription, InstancesLiveSubscriptionVariables>;
export const ClustersLiveDocument = {"__meta__":{"hash":"sha256:5bb575677943b935fed3c277821f9cb2d738d81c09f61857f454a3be991b8c45"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ClustersLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}}]} as unknown as DocumentNode<ClustersLiveSubscription, ClustersLiveSubscriptionVariables>;
export const InstanceMetricsDocument = {"__meta__":{"hash":"sha256:513b63ed4952bb88492a959e0092101c5db2d8686013e451b0e412138f840a37"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"InstanceMetrics"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"range"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MetricsRange"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"metrics"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"range"},"value":{"kind":"Variable","name":{"kind":"Name","value":"range"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MetricsFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetricsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Metrics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"series"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metric"}},{"kind":"Field","name":{"kind":"Name","value":"unit"}},{"kind":"Field","name":{"kind":"Name","value":"points"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<InstanceMetricsQuery, InstanceMetricsQueryVariables>;
export const ClusterMetricsDocument = {"__meta__":{"hash":"sha256:66882dbe75d7f8c72fdd2d592ba6e812f572cb5262bfd9ae2a02aef5f7067a06"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterMetrics"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"range"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MetricsRange"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"metrics"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"range"},"value":{"kind":"Variable","name":{"kind":"Name","value":"range"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MetricsFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MetricsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Metrics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"step"}},{"kind":"Field","name":{"kind":"Name","value":"series"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metric"}},{"kind":"Field","name":{"kind":"Name","value":"unit"}},{"kind":"Field","name":{"kind":"Name","value":"points"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<ClusterMetricsQuery, ClusterMetricsQueryVariables>;
export const ClusterDocument = {"__meta__":{"hash":"sha256:35154da0b933a92cbd0276d5e45dd003fedc94cbb15a4c66673ca29e0ae7a984"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Cluster"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"PATCH"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"cluster.karmada.io","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"clusters","block":false}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterDetail"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"apiEndpoint"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}}]}}]} as unknown as DocumentNode<ClusterQuery, ClusterQueryVariables>;
export const ClusterLiveDocument = {"__meta__":{"hash":"sha256:ba4449e805283b0a4866b3572d07388c8b6b5e9a67663b315af993781119cade"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ClusterLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterDetail"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"apiEndpoint"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}}]}}]} as unknown as DocumentNode<ClusterLiveSubscription, ClusterLiveSubscriptionVariables>;
export const ClusterNodesDocument = {"__meta__":{"hash":"sha256:b6b12326cabeb3bf5001c8a8470a3a928322344cf187c0070a5d448033427278"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterNodes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"nodeList"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NodeRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NodeRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClusterNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"kubeletVersion"}},{"kind":"Field","name":{"kind":"Name","value":"osImage"}},{"kind":"Field","name":{"kind":"Name","value":"architecture"}},{"kind":"Field","name":{"kind":"Name","value":"containerRuntime"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]} as unknown as DocumentNode<ClusterNodesQuery, ClusterNodesQueryVariables>;
export const ClusterBindingsDocument = {"__meta__":{"hash":"sha256:676e5c2caf7a08209ff818aef6e6561071e3234904c2a62e79bc419d5da9c606"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterBindings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"bindings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlacedBinding"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlacedBinding"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceBinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}}]}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"applied"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"evictions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}}]} as unknown as DocumentNode<ClusterBindingsQuery, ClusterBindingsQueryVariables>;
export const ClusterPlacedDocument = {"__meta__":{"hash":"sha256:3f4d8b4922a71a2c77aeaecf1ed98d0cb7f265894072ca4c5aad2fd84eddfd72"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterPlaced"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"bindings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"evictions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlacedBinding"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlacedBinding"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceBinding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}}]}},{"kind":"Field","name":{"kind":"Name","value":"members"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"applied"}},{"kind":"Field","name":{"kind":"Name","value":"health"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"evictions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}}]} as unknown as DocumentNode<ClusterPlacedQuery, ClusterPlacedQueryVariables>;
export const ClusterWorkloadsDocument = {"__meta__":{"hash":"sha256:efdcf406916af4be92130fec818488366e55b018f095b292d6128fc7bf88b759"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterWorkloads"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"template"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ClusterWorkloadsQuery, ClusterWorkloadsQueryVariables>;
export const ClusterEventsDocument = {"__meta__":{"hash":"sha256:3af755e24eb41a462afedca5328d2b306e995c49d3fa7545a4f0c2ed7728c38d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterEvent"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"regarding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ClusterEventsQuery, ClusterEventsQueryVariables>;
export const ClusterEventsLiveDocument = {"__meta__":{"hash":"sha256:f6fc88293021425119079a3f90ca67c99fe8d88de76c15b66c5102090c3e57af"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ClusterEventsLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterEvent"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterEvent"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"regarding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<ClusterEventsLiveSubscription, ClusterEventsLiveSubscriptionVariables>;
export const ClusterEnablementsDocument = {"__meta__":{"hash":"sha256:ef0ba76e4e6025a85bf553cc41fb29fdccbe4904f6d18f351c23ab431bc8a3ee"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ClusterEnablements"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"cluster"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"apiEnablements"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ClusterEnablementsQuery, ClusterEnablementsQueryVariables>;
export const UpdateClusterDocument = {"__meta__":{"hash":"sha256:0792bfd3c0568407dbfd11e63691178311f8aa3a7f238a3ffdc796b68cb1b1b2"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateCluster"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateClusterInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterDetail"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"apiEndpoint"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}}]}}]} as unknown as DocumentNode<UpdateClusterMutation, UpdateClusterMutationVariables>;
export const SetClusterSchedulableDocument = {"__meta__":{"hash":"sha256:96614926403229fffde8a238cbfbceec926372adab7e983be3bf3a62d7d4cde8"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetClusterSchedulable"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetClusterSchedulableInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setClusterSchedulable"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterDetail"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Amounts"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ResourceAmounts"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}},{"kind":"Field","name":{"kind":"Name","value":"quantity"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pods"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"zones"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"schedulable"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ClusterDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ClusterRow"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"apiEndpoint"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"resources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Amounts"}}]}}]}}]}}]} as unknown as DocumentNode<SetClusterSchedulableMutation, SetClusterSchedulableMutationVariables>;
export const UnjoinClusterDocument = {"__meta__":{"hash":"sha256:d238ab339383615c77001378a696c457bb0cdf917b42c6991874733421ac575b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UnjoinCluster"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UnjoinClusterInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"unjoinCluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"placed"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"others"}},{"kind":"Field","name":{"kind":"Name","value":"more"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"count"}}]}},{"kind":"Field","name":{"kind":"Name","value":"objects"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<UnjoinClusterMutation, UnjoinClusterMutationVariables>;
export const OperationLiveDocument = {"__meta__":{"hash":"sha256:cdb20f8d069fbaa06dad406d52a26e3babeefcbcd0abfd59ce7fd60a232858dd"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OperationLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OperationFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OperationFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"actor"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"cancellable"}},{"kind":"Field","name":{"kind":"Name","value":"cancelRequested"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}}]}}]}}]} as unknown as DocumentNode<OperationLiveSubscription, OperationLiveSubscriptionVariables>;
export const CancelOperationDocument = {"__meta__":{"hash":"sha256:c359b703e3789fd53dcff741c673512699a3d98cdfefed7b49a9b9263e754814"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelOperation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelOperationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelOperation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OperationFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OperationFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"actor"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}},{"kind":"Field","name":{"kind":"Name","value":"cancellable"}},{"kind":"Field","name":{"kind":"Name","value":"cancelRequested"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedAt"}}]}}]}}]} as unknown as DocumentNode<CancelOperationMutation, CancelOperationMutationVariables>;
export const IssueKubeconfigDocument = {"__meta__":{"hash":"sha256:e66c24f377dd1acaac5964fc0f129854d5fa00269c73ce64c09973617c114acf"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueKubeconfig"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueKubeconfigInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueKubeconfig"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kubeconfig"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<IssueKubeconfigMutation, IssueKubeconfigMutationVariables>;
export const RevokeKubeconfigsDocument = {"__meta__":{"hash":"sha256:1a6da902024cfd1c0f8d35f30532210f3d4025dd7f3cea57d2733c62fc42fa76"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeKubeconfigs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeKubeconfigsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeKubeconfigs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issuedUntil"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<RevokeKubeconfigsMutation, RevokeKubeconfigsMutationVariables>;
export const OverviewLiveDocument = {"__meta__":{"hash":"sha256:1545127ac3b71b673358b45558a3508802bc433d7e1bb1a52381deb0f94cb82e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OverviewLive"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"overview"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OverviewFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OverviewFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Overview"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusterStates"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}},{"kind":"Field","name":{"kind":"Name","value":"uncounted"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<OverviewLiveSubscription, OverviewLiveSubscriptionVariables>;
export const OverviewInstancesLiveDocument = {"__meta__":{"hash":"sha256:100b0f91f6243a7c28f05b25443268275d2d17315f1dd1ab76019c02e175537b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"OverviewInstancesLive"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"OverviewInstance"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Statistics"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InstanceStatistics"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusters"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"cpu"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cores"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"memory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allocatable"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}},{"kind":"Field","name":{"kind":"Name","value":"allocated"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"bytes"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workloads"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}},{"kind":"Field","name":{"kind":"Name","value":"asOf"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"InstanceStatus"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"karmadaVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kubernetesVersion"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"finishedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statistics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Statistics"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"OverviewInstance"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Instance"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"InstanceStatus"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}}]} as unknown as DocumentNode<OverviewInstancesLiveSubscription, OverviewInstancesLiveSubscriptionVariables>;
export const AttentionLiveDocument = {"__meta__":{"hash":"sha256:a021508c971326a298ac5e628610ff79a757c25b3a9f1b34d7b604f85ae0d70c"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"AttentionLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkloadFilter"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AttentionRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AttentionRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}}]}}]} as unknown as DocumentNode<AttentionLiveSubscription, AttentionLiveSubscriptionVariables>;
export const DiagnosesDocument = {"__meta__":{"hash":"sha256:9db9ed023995b8dd2fa8fdeca1df2063475cc0b92d25df4058c5fc0a3c4766d6"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Diagnoses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"diagnosis"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"remedy"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<DiagnosesQuery, DiagnosesQueryVariables>;
export const WarningsLiveDocument = {"__meta__":{"hash":"sha256:51f910e8212e006da297ae2a224a86bbce54f947fa1c4a9f8d8f9dfe8f66b7c3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WarningsLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"EventFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WarningRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WarningRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"regarding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<WarningsLiveSubscription, WarningsLiveSubscriptionVariables>;
export const RecentChangesDocument = {"__meta__":{"hash":"sha256:bd5795bbaf999a202fc7750b5297a317b2b989f7f005dc3bb534ee09ebf43362"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RecentChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"AuditFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"auditEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AuditRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AuditRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AuditEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"principal"}},{"kind":"Field","name":{"kind":"Name","value":"groups"}},{"kind":"Field","name":{"kind":"Name","value":"remoteAddress"}},{"kind":"Field","name":{"kind":"Name","value":"userAgent"}},{"kind":"Field","name":{"kind":"Name","value":"via"}},{"kind":"Field","name":{"kind":"Name","value":"action"}},{"kind":"Field","name":{"kind":"Name","value":"instanceName"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"resource"}},{"kind":"Field","name":{"kind":"Name","value":"subresource"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"dryRun"}},{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"durationSeconds"}}]}}]} as unknown as DocumentNode<RecentChangesQuery, RecentChangesQueryVariables>;
export const ViewerDocument = {"__meta__":{"hash":"sha256:5409ca86ea9303a94219288ea28b96f825f45683985511bad19ecc82a5650dfa"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"groups"}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"instance"}},{"kind":"Field","name":{"kind":"Name","value":"namespaces"}}]}},{"kind":"Field","name":{"kind":"Name","value":"owner"}},{"kind":"Field","name":{"kind":"Name","value":"introspection"}}]}},{"kind":"Field","name":{"kind":"Name","value":"server"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const TreeLiveDocument = {"__meta__":{"hash":"sha256:f75395c3bcaba8cd2f1874859039186bbd069aa43d015585aedab5dd8d890689"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"TreeLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadTree"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TreeTarget"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eviction"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"producer"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"Field","name":{"kind":"Name","value":"requiredBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"work"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"member"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"overrides"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policyKind"}},{"kind":"Field","name":{"kind":"Name","value":"policyNamespace"}},{"kind":"Field","name":{"kind":"Name","value":"policyName"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"changes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","name":{"kind":"Name","value":"from"}},{"kind":"Field","name":{"kind":"Name","value":"to"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadTree"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TreeTarget"}}]}}]}}]}}]} as unknown as DocumentNode<TreeLiveSubscription, TreeLiveSubscriptionVariables>;
export const MemberManifestDocument = {"__meta__":{"hash":"sha256:e71b2ea3b1da63276760de14dbcf44b98d07c963f7083ffdeb9d0f1460e1ed02"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemberManifest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"KubernetesObject"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"manifest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"format"},"value":{"kind":"EnumValue","value":"YAML"}}]}]}}]}}]}}]} as unknown as DocumentNode<MemberManifestQuery, MemberManifestQueryVariables>;
export const MendClustersDocument = {"__meta__":{"hash":"sha256:79a8731aafd593cc43dc4beae30e227950dbfb8325134894345e8cf7e6940418"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MendClusters"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"clusters"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MendCluster"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MendCluster"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}}]}}]} as unknown as DocumentNode<MendClustersQuery, MendClustersQueryVariables>;
export const MendPolicyDocument = {"__meta__":{"hash":"sha256:1e3468e0f508c4362149883479eeafbdaca293e3a780770a4ccf037ce3eb6cdb"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MendPolicy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationPolicy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"resourceVersion"}},{"kind":"Field","name":{"kind":"Name","value":"placement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterTolerations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MendToleration"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ClusterPropagationPolicy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"resourceVersion"}},{"kind":"Field","name":{"kind":"Name","value":"placement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterTolerations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MendToleration"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MendToleration"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Toleration"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"operator"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}},{"kind":"Field","name":{"kind":"Name","value":"tolerationSeconds"}}]}}]} as unknown as DocumentNode<MendPolicyQuery, MendPolicyQueryVariables>;
export const MendImpactDocument = {"__meta__":{"hash":"sha256:33d60bee0590572412134c4c9816d9f8a4fcf3b7b506a3392aacc59e2006f6bc"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MendImpact"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PreviewPropagationPolicyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"previewPropagationPolicy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rows"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"object"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"change"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"before"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}}]}},{"kind":"Field","name":{"kind":"Name","value":"after"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}}]}},{"kind":"Field","name":{"kind":"Name","value":"findings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"findings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"refusals"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<MendImpactQuery, MendImpactQueryVariables>;
export const MendUpdateClusterDocument = {"__meta__":{"hash":"sha256:859c37f90432d74f25cf12350e30265da6f76299cb081c088e60016b6c76c165"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MendUpdateCluster"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateClusterInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateCluster"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MendCluster"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MendCluster"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Cluster"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"taints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"effect"}}]}}]}}]} as unknown as DocumentNode<MendUpdateClusterMutation, MendUpdateClusterMutationVariables>;
export const MendUpdatePolicyDocument = {"__meta__":{"hash":"sha256:c9e6ae9434128ac50cde82ede89a8f4bbd01665a51ab3f5b5bee25fa9accc994"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MendUpdatePolicy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePolicyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePolicy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<MendUpdatePolicyMutation, MendUpdatePolicyMutationVariables>;
export const MendCreatePolicyDocument = {"__meta__":{"hash":"sha256:69c3ab9f233e24d6bb47fd41aea9bbbfd30ab1998493e5881a5387a1095429d4"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MendCreatePolicy"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePolicyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPolicy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]} as unknown as DocumentNode<MendCreatePolicyMutation, MendCreatePolicyMutationVariables>;
export const MendBindingDocument = {"__meta__":{"hash":"sha256:d9567622590d06453fdb2880b8d764cb181d0b1b27cd6e497a02554eb75f0a48"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MendBinding"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PatchResourceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"patchResource"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resource"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<MendBindingMutation, MendBindingMutationVariables>;
export const MendImageDocument = {"__meta__":{"hash":"sha256:749b9f88a75b5595f916091458ebd03febc8675bac744f713cc17e15d95f768d"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"MendImage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateWorkloadImageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWorkloadImage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<MendImageMutation, MendImageMutationVariables>;
export const RescheduleWorkloadDocument = {"__meta__":{"hash":"sha256:157b875b7edae8c08bb568c41b5bd251e16fd825e46433f0d19413873e16e814"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RescheduleWorkload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RescheduleWorkloadInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rescheduleWorkload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<RescheduleWorkloadMutation, RescheduleWorkloadMutationVariables>;
export const RerunJobDocument = {"__meta__":{"hash":"sha256:f7ca10bd404734f16a8c877dc4866362bffb181043c687891f3697e5c5b07297"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RerunJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RerunJobInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rerunJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<RerunJobMutation, RerunJobMutationVariables>;
export const ResumeWorkloadDocument = {"__meta__":{"hash":"sha256:e5cd2411f7cc4510c1709d1b16cfaf8c8c24a0502ffcf5524dc84dc1f05b09ee"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResumeWorkload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResumeWorkloadInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resumeWorkload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}}]} as unknown as DocumentNode<ResumeWorkloadMutation, ResumeWorkloadMutationVariables>;
export const WorkloadDocument = {"__meta__":{"hash":"sha256:b4054dec64c6a8c762f36c8f6748ada3d8916a5fedc5a67b2af2eedddf13a452"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Workload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kind"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkloadKind"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"group"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"resource"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"instance"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"access"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"PATCH"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"Variable","name":{"kind":"Name","value":"group"}}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"Variable","name":{"kind":"Name","value":"resource"}}},{"kind":"Argument","name":{"kind":"Name","value":"namespace"},"value":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}}}]},{"kind":"Field","alias":{"kind":"Name","value":"mayReadLogs"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"GET"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"pods/log","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"namespace"},"value":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}}}]},{"kind":"Field","alias":{"kind":"Name","value":"mayRunCommands"},"name":{"kind":"Name","value":"may"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"verb"},"value":{"kind":"EnumValue","value":"CREATE"}},{"kind":"Argument","name":{"kind":"Name","value":"group"},"value":{"kind":"StringValue","value":"","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"resource"},"value":{"kind":"StringValue","value":"pods/exec","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"namespace"},"value":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}}}]}]}},{"kind":"Field","name":{"kind":"Name","value":"workload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kind"}}},{"kind":"Argument","name":{"kind":"Name","value":"namespace"},"value":{"kind":"Variable","name":{"kind":"Name","value":"namespace"}}},{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadDetail"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadDiagnosis"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Finding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"remedy"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"object"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"annotations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"schedulerObservedGeneration"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Deployment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paused"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StatefulSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceName"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"parallelism"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CronJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDiagnosis"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"diagnosis"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FindingFields"}}]}}]}}]}}]} as unknown as DocumentNode<WorkloadQuery, WorkloadQueryVariables>;
export const WorkloadManifestDocument = {"__meta__":{"hash":"sha256:e5a2470fa5df17e2a8433d11691d302e686688928991e9c96e0192f0948db6d3"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WorkloadManifest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"manifest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"format"},"value":{"kind":"EnumValue","value":"YAML"}}]}]}}]}}]}}]} as unknown as DocumentNode<WorkloadManifestQuery, WorkloadManifestQueryVariables>;
export const ScaleWorkloadDocument = {"__meta__":{"hash":"sha256:1515d214f05b110ff6f177af39ca41d65f18996c95993c4dd716ec418477475a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ScaleWorkload"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ScaleWorkloadInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scaleWorkload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadDetail"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"field"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"annotations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"schedulerObservedGeneration"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Deployment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paused"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StatefulSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceName"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"parallelism"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CronJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}}]}}]} as unknown as DocumentNode<ScaleWorkloadMutation, ScaleWorkloadMutationVariables>;
export const WorkloadLiveDocument = {"__meta__":{"hash":"sha256:83c8b14adc416401ddcd683d741bf6e4b80b40a26d9313c326baa66d82d004b5"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WorkloadLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workload"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadDetail"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadDiagnosis"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FindingFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Finding"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"severity"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"remedy"}},{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"evidence"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"object"}},{"kind":"Field","name":{"kind":"Name","value":"field"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDetail"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}},{"kind":"Field","name":{"kind":"Name","value":"apiVersion"}},{"kind":"Field","name":{"kind":"Name","value":"generation"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"labels"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"annotations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}},{"kind":"Field","name":{"kind":"Name","value":"observedGeneration"}}]}},{"kind":"Field","name":{"kind":"Name","value":"binding"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}},{"kind":"Field","name":{"kind":"Name","value":"schedulerObservedGeneration"}},{"kind":"Field","name":{"kind":"Name","value":"conditions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateMessage"}},{"kind":"Field","name":{"kind":"Name","value":"region"}},{"kind":"Field","name":{"kind":"Name","value":"syncMode"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Deployment"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"paused"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StatefulSet"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceName"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"parallelism"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CronJob"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"}},{"kind":"Field","name":{"kind":"Name","value":"timeZone"}},{"kind":"Field","name":{"kind":"Name","value":"suspended"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadDiagnosis"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"diagnosis"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FindingFields"}}]}}]}}]}}]} as unknown as DocumentNode<WorkloadLiveSubscription, WorkloadLiveSubscriptionVariables>;
export const ManifestLiveDocument = {"__meta__":{"hash":"sha256:5c5b4d1397ac28a5987c16046ec355c1dc0ec6927feb094ae65164d9289b082a"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ManifestLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"apiVersion"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"kind"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}},{"kind":"Argument","name":{"kind":"Name","value":"apiVersion"},"value":{"kind":"Variable","name":{"kind":"Name","value":"apiVersion"}}},{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"Variable","name":{"kind":"Name","value":"kind"}}},{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"manifest"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"format"},"value":{"kind":"EnumValue","value":"YAML"}}]}]}}]}}]}}]} as unknown as DocumentNode<ManifestLiveSubscription, ManifestLiveSubscriptionVariables>;
export const WorkloadsDocument = {"__meta__":{"hash":"sha256:dba474763bb523aabc37ddf6a58376460a210a0465b69c236362fa9dac3eedd1"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Workloads"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkloadFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkloadOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"hasPreviousPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}}]} as unknown as DocumentNode<WorkloadsQuery, WorkloadsQueryVariables>;
export const WorkloadsLiveDocument = {"__meta__":{"hash":"sha256:abe4719190e1dbd8b315401173da4ef88a594c34ea6a4c69513dd3e236fa9d82"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WorkloadsLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"instance"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"WorkloadFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ids"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workloads"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"instance"},"value":{"kind":"Variable","name":{"kind":"Name","value":"instance"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"ids"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ids"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WorkloadRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PolicyName"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Policy"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"since"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FreshnessFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Freshness"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"syncedAt"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TargetFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PropagationTarget"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"desiredReplicas"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"scheduled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applied"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"healthy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"status"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}}]}},{"kind":"Field","name":{"kind":"Name","value":"freshness"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FreshnessFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WorkloadRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Workload"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uid"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"replicas"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"stateReason"}},{"kind":"Field","name":{"kind":"Name","value":"instance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"propagation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"policy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PolicyName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"targets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TargetFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Job"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"completions"}}]}}]}}]} as unknown as DocumentNode<WorkloadsLiveSubscription, WorkloadsLiveSubscriptionVariables>;
export const PodsLiveDocument = {"__meta__":{"hash":"sha256:0d0a555b36d10153e724a1cfd470860faa874950aee5ea9f2a85478213d1276b"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PodsLive"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"of"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pods"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"of"},"value":{"kind":"Variable","name":{"kind":"Name","value":"of"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"node"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PodRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"missing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clusterName"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"limited"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PodRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pod"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"namespace"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"ready"}},{"kind":"Field","name":{"kind":"Name","value":"readyContainers"}},{"kind":"Field","name":{"kind":"Name","value":"containerCount"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}},{"kind":"Field","name":{"kind":"Name","value":"lastRestartAt"}},{"kind":"Field","name":{"kind":"Name","value":"nodeName"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"containers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"restarts"}}]}}]}}]} as unknown as DocumentNode<PodsLiveSubscription, PodsLiveSubscriptionVariables>;
export const PodLogsDocument = {"__meta__":{"hash":"sha256:80fd7164b1baf03ecdec07fdaca6088abc64b9838d7e9916e94d04373b6a766e"},"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"PodLogs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PodLogsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"podLogs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"lines"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"cluster"}},{"kind":"Field","name":{"kind":"Name","value":"pod"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"cut"}}]}},{"kind":"Field","name":{"kind":"Name","value":"dropped"}},{"kind":"Field","name":{"kind":"Name","value":"ended"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cluster"}},{"kind":"Field","name":{"kind":"Name","value":"pod"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<PodLogsSubscription, PodLogsSubscriptionVariables>;