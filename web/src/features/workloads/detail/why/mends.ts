// What can be done about a finding from here. What the server has no mutation for is told by the remedy alone.

import type { FindingFieldsFragment, WorkloadDetailFragment } from '../../../../graph/generated/graphql';
import type { Affinity, SeenTaint } from '../../../../ui/finding/evidence';
import { affinitiesOf, halvesOf, subjectOf, taintsOf } from '../../../../ui/finding/evidence';
import { keyOf } from '../../pods/pod';

type Finding = FindingFieldsFragment;

export interface Label {
  key: string;
  value: string;
}

/** How the policy that claims a workload is changed. */
export type PolicyChange = 'overwrite' | 'propagateDeps' | 'dispatch';

export type Mend =
  | { kind: 'createPolicy' }
  | { kind: 'labelCluster'; labels: Label[]; clusters: string[] }
  | { kind: 'removeTaint'; taints: SeenTaint[] }
  | { kind: 'tolerate'; taints: SeenTaint[] }
  | { kind: 'changePolicy'; change: PolicyChange }
  | { kind: 'resumeScheduling' }
  | { kind: 'setImage'; container: string; image: string }
  | { kind: 'run'; what: 'reschedule' | 'rerun' | 'resume' }
  | { kind: 'scale' }
  | { kind: 'log'; pod: string; container?: string }
  | { kind: 'pods'; cluster: string }
  | { kind: 'revisions' }
  | { kind: 'clusters' };

type Subject = Pick<WorkloadDetailFragment, 'kind' | 'propagation'> & { paused?: boolean };

export function mendsOf(finding: Finding, workload: Subject): Mend[] {
  const { code, clusterName } = finding;
  const policy = workload.propagation?.policy;
  const changePolicy = (change: PolicyChange): Mend[] => (policy ? [{ kind: 'changePolicy', change }] : []);
  switch (code) {
    case 'NO_POLICY':
    case 'POLICY_REMOVED':
      return [{ kind: 'createPolicy' }];
    case 'AFFINITY_NOT_MATCHED':
      return labelCluster(finding);
    case 'TAINT_NOT_TOLERATED': {
      const taints = taintsOf(finding.evidence);
      if (taints.length === 0) return [];
      return [{ kind: 'removeTaint', taints }, ...(policy ? [{ kind: 'tolerate', taints } as const] : [])];
    }
    case 'SCHEDULING_SUSPENDED':
      return [{ kind: 'resumeScheduling' }];
    case 'DISPATCHING_SUSPENDED':
      return changePolicy('dispatch');
    case 'RESOURCE_CONFLICT':
      return changePolicy('overwrite');
    case 'WAITING_FOR_DEPENDENCY':
      // What the control plane lacks nobody can take along.
      return clusterName == null ? [] : [...changePolicy('propagateDeps'), ...log(finding)];
    case 'REPLICAS_NOT_ASSIGNED':
    case 'NOT_ENOUGH_ROOM':
      return [...scale(workload), { kind: 'run', what: 'reschedule' }];
    case 'IMAGE_PULL_FAILED':
      return [...setImage(finding), ...rollback(workload)];
    case 'CRASH_LOOP':
    case 'OUT_OF_MEMORY':
    case 'POD_FAILED':
      return [...log(finding), ...rollback(workload)];
    case 'POD_UNSCHEDULABLE':
      return [...scale(workload), ...pods(finding)];
    case 'JOB_FAILED':
      return [...log(finding), ...(workload.kind === 'Job' ? [{ kind: 'run', what: 'rerun' } as const] : [])];
    case 'UNHEALTHY':
    case 'OVERRIDE_BROKE_IT':
      return pods(finding);
    case 'ROLLOUT_IN_PROGRESS':
      return workload.paused ? [{ kind: 'run', what: 'resume' }] : [];
    case 'CLUSTER_OFFLINE':
    case 'CLUSTER_NOT_READY':
      return [{ kind: 'clusters' }];
    default:
      return [];
  }
}

function labelCluster(finding: Finding): Mend[] {
  const { asked, seen } = halvesOf(finding.evidence);
  const affinities = asked ? affinitiesOf(asked.value) : null;
  const labels = affinities ? labelsAsked(affinities) : null;
  if (!labels) return [];
  const clusters = seen
    .filter(({ field }) => field === 'metadata.labels')
    .flatMap(({ object }) => subjectOf(object)?.name ?? []);
  return clusters.length > 0 ? [{ kind: 'labelCluster', labels, clusters }] : [];
}

/**
 * The labels with which a cluster matches the first group. Null where labels alone do not decide, or where the
 * affinity does not say which value: nothing is guessed.
 */
export function labelsAsked(affinities: readonly Affinity[]): Label[] | null {
  const labels: Label[] = [];
  for (const { of, key, operator, values } of affinities[0]?.requirements ?? []) {
    if (of === 'exclude' || (of === 'label' && (operator === 'NotIn' || operator === 'DoesNotExist')))
      continue;
    const [value] = values;
    if (of !== 'label' || operator !== 'In' || value === undefined || values.length > 1) return null;
    labels.push({ key, value });
  }
  return labels.length > 0 ? labels : null;
}

const CONTAINER = /\[name=([^\]]+)\]/;

function log(finding: Finding): Mend[] {
  for (const { object, field } of finding.evidence) {
    const subject = subjectOf(object);
    if (subject?.kind !== 'Pod' || !subject.cluster) continue;
    const container = CONTAINER.exec(field)?.[1];
    return [{ kind: 'log', pod: keyOf({ cluster: subject.cluster, pod: subject.name }), container }];
  }
  return pods(finding);
}

function pods({ clusterName }: Finding): Mend[] {
  return clusterName == null ? [] : [{ kind: 'pods', cluster: clusterName }];
}

function setImage({ evidence }: Finding): Mend[] {
  const image = evidence.find(({ field }) => field.endsWith('.image'));
  const container = image && CONTAINER.exec(image.field)?.[1];
  return image && container ? [{ kind: 'setImage', container, image: image.value }] : [];
}

function scale({ kind }: Subject): Mend[] {
  return kind === 'Deployment' || kind === 'StatefulSet' ? [{ kind: 'scale' }] : [];
}

function rollback({ kind }: Subject): Mend[] {
  return kind === 'Job' ? [] : [{ kind: 'revisions' }];
}
