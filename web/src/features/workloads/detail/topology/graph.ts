// The way of a workload as a graph: template, policy, binding, and for each cluster its Work, the object there and
// its pods. What is missing on the way has a node, too: that is where it ends.

import type { PodRowFragment, WorkloadTreeFragment } from '../../../../graph/generated/graphql';
import type { Tone } from '../../../../ui/tones';
import { toneOfState } from '../../../../ui/tones';
import { keyOfRow, toneOfPod } from '../../pods/pod';
import { toneOfFact, verdictOf } from '../../verdict';
import type { TreeTarget } from '../useTree';

export const STAGES = ['template', 'policy', 'binding', 'work', 'member', 'pod'] as const;
export type Stage = (typeof STAGES)[number];

export interface TopologyNode {
  id: string;
  stage: Stage;
  /** Kubernetes kind. */
  kind: string;
  name: string;
  /** The member that it is in, or is meant for. */
  cluster?: string;
  tone: Tone;
  /** One word: why it looks so. */
  state: string;
  /** There is no such object: the way ends here. */
  missing?: boolean;
  /** Several are meant: healthy pods of a cluster that has many. */
  count?: number;
  /** The node that it comes from; none for the first, and for what stands beside the way. */
  parent?: string;
  /** It stands beside another one: an override policy beside the propagation policy. */
  beside?: string;
  /** The Works that it changed. */
  changes?: string[];
  /** Explanation, for people. */
  message?: string;
}

/** More nodes are not drawn: healthy pods become one node for each cluster. */
export const MOST_NODES = 600;

export function topologyOf(
  tree: WorkloadTreeFragment,
  pods: readonly PodRowFragment[],
  cluster?: string,
): TopologyNode[] {
  const { propagation } = tree;
  const targets = (propagation?.targets ?? []).filter(
    ({ clusterName }) => cluster === undefined || clusterName === cluster,
  );
  const fixed = 3 + targets.length * 2;
  const few = fixed + pods.length <= MOST_NODES;
  return [
    template(tree),
    ...(propagation ? way(tree) : []),
    ...overridesOf(targets, 'policy'),
    ...targets.flatMap((target) => inCluster(target, pods, few)),
  ];
}

function template(tree: WorkloadTreeFragment): TopologyNode {
  return {
    id: 'template',
    stage: 'template',
    kind: tree.kind,
    name: tree.name,
    tone: toneOfState(tree.state),
    state: tree.stateReason,
  };
}

function way({ propagation }: WorkloadTreeFragment): TopologyNode[] {
  if (!propagation) return [];
  const { policy, binding, scheduled } = propagation;
  const claimed: TopologyNode = policy
    ? {
        id: 'policy',
        stage: 'policy',
        kind: policy.kind,
        name: policy.name,
        tone: 'ok',
        state: '',
        parent: 'template',
      }
    : {
        id: 'policy',
        stage: 'policy',
        kind: 'PropagationPolicy',
        name: '',
        // What only follows what depends on it needs none.
        tone: binding ? 'idle' : 'bad',
        state: '',
        missing: true,
        parent: 'template',
      };
  const bound: TopologyNode = {
    id: 'binding',
    stage: 'binding',
    kind: binding?.kind ?? 'ResourceBinding',
    name: binding?.name ?? '',
    tone: binding ? toneOfFact('scheduled', scheduled) : 'unknown',
    state: scheduled.reason,
    message: scheduled.value === 'TRUE' ? undefined : scheduled.message,
    missing: !binding,
    parent: 'policy',
  };
  return [claimed, bound];
}

function overridesOf(targets: readonly TreeTarget[], beside: string): TopologyNode[] {
  const byName = new Map<string, TopologyNode>();
  for (const { clusterName, overrides } of targets) {
    for (const { policyKind, policyNamespace, policyName, changes } of overrides ?? []) {
      if (changes.length === 0) continue;
      const id = `override/${policyNamespace ?? ''}/${policyName}`;
      const node: TopologyNode = byName.get(id) ?? {
        id,
        stage: 'policy',
        kind: policyKind === 'OVERRIDE' ? 'OverridePolicy' : 'ClusterOverridePolicy',
        name: policyName,
        tone: 'idle',
        state: '',
        beside,
        changes: [],
      };
      node.changes?.push(`work/${clusterName}`);
      byName.set(id, node);
    }
  }
  return [...byName.values()];
}

function inCluster(target: TreeTarget, pods: readonly PodRowFragment[], few: boolean): TopologyNode[] {
  const { clusterName: cluster, work, member, applied, healthy } = target;
  const verdict = verdictOf(target);
  const sent: TopologyNode = {
    id: `work/${cluster}`,
    stage: 'work',
    kind: 'Work',
    name: work?.name ?? '',
    cluster,
    tone: work ? toneOfFact('applied', applied) : 'unknown',
    state: applied.reason,
    message: applied.value === 'TRUE' ? undefined : applied.message,
    missing: !work,
    parent: 'binding',
  };
  const there: TopologyNode = {
    id: `member/${cluster}`,
    stage: 'member',
    kind: member?.kind ?? '',
    name: member?.name ?? '',
    cluster,
    tone: member ? verdict.tone : toneOfFact('applied', applied) === 'ok' ? 'unknown' : verdict.tone,
    state: member ? healthy.reason : verdict.fact.reason,
    message: healthy.value === 'TRUE' ? undefined : healthy.message,
    missing: !member,
    parent: sent.id,
  };
  return [sent, there, ...podsOf(cluster, pods, few, there.id)];
}

function podsOf(
  cluster: string,
  pods: readonly PodRowFragment[],
  few: boolean,
  parent: string,
): TopologyNode[] {
  const here = pods.filter((pod) => pod.cluster?.name === cluster);
  const well = few ? [] : here.filter((pod) => toneOfPod(pod) === 'ok');
  const shown = few ? here : here.filter((pod) => toneOfPod(pod) !== 'ok');
  const nodes = shown.map((pod): TopologyNode => ({
    id: `pod/${keyOfRow(pod)}`,
    stage: 'pod',
    kind: 'Pod',
    name: pod.name,
    cluster,
    tone: toneOfPod(pod),
    state: pod.reason,
    message: pod.message || undefined,
    parent,
  }));
  if (well.length > 0) {
    nodes.push({
      id: `pods/${cluster}`,
      stage: 'pod',
      kind: 'Pod',
      name: '',
      cluster,
      tone: 'ok',
      state: '',
      count: well.length,
      parent,
    });
  }
  return nodes;
}

export interface TopologyEdge {
  id: string;
  from: string;
  to: string;
  /** It does not carry the object, but changes it. */
  beside: boolean;
  tone: Tone;
}

export function edgesOf(nodes: readonly TopologyNode[]): TopologyEdge[] {
  const known = new Set(nodes.map(({ id }) => id));
  return nodes.flatMap(({ id, parent, changes, tone }) => [
    ...(parent !== undefined ? [{ id: `${parent} ${id}`, from: parent, to: id, beside: false, tone }] : []),
    ...(changes ?? [])
      .filter((work) => known.has(work))
      .map((work) => ({ id: `${id} ${work}`, from: id, to: work, beside: true, tone })),
  ]);
}
