// What the overview is made of, for tests and stories, as the graph would give it.

import type {
  AttentionRowFragment,
  ClusterState,
  FindingCode,
  FreshnessState,
  OverviewFieldsFragment,
  OverviewInstanceFragment,
  Severity,
  WarningRowFragment,
  WorkloadState,
} from '../../graph/generated/graphql';
import type { Finding } from './causes';

export function workload(
  path: string,
  state: WorkloadState,
  change: Partial<AttentionRowFragment> = {},
): AttentionRowFragment {
  const [instance = '', namespace = '', name = ''] = path.split('/');
  const fact = (value: 'TRUE' | 'FALSE', message = '') => ({
    value,
    reason: value === 'TRUE' ? 'Held' : 'Broken',
    message,
    since: null,
  });
  return {
    id: path,
    uid: `uid-of-${path}`,
    kind: 'Deployment',
    namespace,
    name,
    generation: 1,
    state,
    stateReason: 'Unhealthy',
    instance: { id: instance, name: instance },
    propagation: {
      scheduled: fact('TRUE'),
      applied: fact('TRUE'),
      healthy: fact('FALSE', '1 of 2 pods are ready'),
    },
    ...change,
  };
}

export function finding(code: FindingCode, severity: Severity, clusterName: string | null = null): Finding {
  return { code, severity, clusterName, message: `about ${code}`, remedy: `mend ${code}` };
}

export function instance(
  name: string,
  change: Partial<OverviewInstanceFragment> = {},
  clusters: readonly [name: string, state: ClusterState, freshness: FreshnessState][] = [],
): OverviewInstanceFragment {
  return {
    id: name,
    name,
    source: 'ATTACHED',
    state: 'RUNNING',
    stateMessage: '',
    karmadaVersion: null,
    kubernetesVersion: 'v1.34.1',
    conditions: [],
    components: [],
    steps: [],
    statistics: null,
    freshness: { state: 'LIVE', message: '', syncedAt: null },
    clusters: {
      nodes: clusters.map(([cluster, state, freshness]) => ({
        id: `${name}/${cluster}`,
        name: cluster,
        state,
        stateMessage: state === 'READY' ? '' : `${cluster} does not answer`,
        freshness: { state: freshness, message: `about the rows of ${cluster}`, syncedAt: null },
      })),
      totalCount: clusters.length,
    },
    ...change,
  };
}

export const TOTALS: OverviewFieldsFragment = {
  instances: [
    { state: 'RUNNING', total: 2 },
    { state: 'UNAVAILABLE', total: 1 },
  ],
  clusters: { total: 4, ready: 3 },
  clusterStates: [
    { state: 'READY', total: 3 },
    { state: 'OFFLINE', total: 1 },
  ],
  nodes: { total: 13, ready: 12 },
  cpu: { allocatable: { cores: 104 }, allocated: { cores: 41.5 } },
  memory: { allocatable: { bytes: 412_316_860_416 }, allocated: { bytes: 137_438_953_472 } },
  workloads: [
    { kind: 'CronJob', total: 3, ready: 2 },
    { kind: 'Deployment', total: 140, ready: 137 },
  ],
  policies: [{ kind: 'PropagationPolicy', total: 21 }],
  asOf: '2026-03-01T12:00:00Z',
  uncounted: [{ id: 'africa', name: 'africa' }],
};

export function warning(name: string, change: Partial<WarningRowFragment> = {}): WarningRowFragment {
  return {
    id: name,
    reason: 'ScheduleBindingFailed',
    message:
      '0/3 clusters are available: 3 cluster(s) did not match the placement cluster affinity constraint.',
    count: 12,
    lastSeen: '2026-03-01T12:00:00Z',
    source: 'default-scheduler',
    instance: { id: 'asia', name: 'asia' },
    regarding: { kind: 'Deployment', namespace: 'payments', name },
    ...change,
  };
}
