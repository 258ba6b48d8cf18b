// Rows for tests, as the graph would give them.

import type { FactFieldsFragment, TargetFieldsFragment } from '../../graph/generated/graphql';
import type { Row } from './list/page';

export function fact(value: FactFieldsFragment['value'], reason = 'Because'): FactFieldsFragment {
  return { value, reason, message: '', since: null };
}

export function target(change: Partial<TargetFieldsFragment> = {}): TargetFieldsFragment {
  return {
    clusterName: 'hangzhou',
    desiredReplicas: 2,
    reason: 'SCHEDULED',
    scheduled: fact('TRUE', 'Scheduled'),
    applied: fact('TRUE', 'Applied'),
    healthy: fact('TRUE', 'Healthy'),
    status: {
      replicas: 2,
      ready: 2,
      updated: 2,
      available: 2,
      active: null,
      succeeded: null,
      failed: null,
    },
    freshness: { state: 'LIVE', message: '', syncedAt: null },
    ...change,
  };
}

export function row(path: string, change: Partial<Row> = {}): Row {
  const [instance = '', namespace = '', name = ''] = path.split('/');
  return {
    id: path,
    uid: `uid-of-${path}`,
    kind: 'Deployment',
    namespace,
    name,
    replicas: 2,
    createdAt: '2026-01-01T00:00:00Z',
    state: 'RUNNING',
    stateReason: 'Healthy',
    instance: { id: instance, name: instance },
    propagation: { policy: null, targets: [target()] },
    ...change,
  };
}
