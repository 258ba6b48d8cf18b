import { describe, expect, it } from 'vitest';
import type {
  ClusterRowFragment,
  PlacedBindingFragment,
  PodRowFragment,
} from '../../../graph/generated/graphql';
import { matching } from './matching';
import { evicts, labelChanges, taintChanges } from './changes';
import { healthOf, holdsWell, PAUSING, taintText } from './health';
import { placedIn, placedRows } from './placed';
import { podsFirst } from './podsFirst';
import { validateClusterSearch } from './search';

const amounts = (cores: number, pods = 10) => ({
  cpu: { cores, quantity: String(cores) },
  memory: { bytes: 100, quantity: '100' },
  pods,
});

const CLUSTER: Pick<ClusterRowFragment, 'state' | 'schedulable' | 'taints' | 'nodes' | 'resources'> = {
  state: 'READY',
  schedulable: true,
  taints: [],
  nodes: { total: 3, ready: 3 },
  resources: {
    allocatable: amounts(10, 110),
    allocated: { ...amounts(2), memory: { bytes: 1, quantity: '1' } },
  },
};
const paused = { key: PAUSING, value: '', effect: 'NO_SCHEDULE' as const };
const gpu = { key: 'gpu', value: 'only', effect: 'NO_SCHEDULE' as const };

describe('the health of a cluster', () => {
  it.each([
    ['is quiet when all is well', {}, 'ok', []],
    [
      'says that somebody paused it, which is no fault',
      { schedulable: false, taints: [paused] },
      'ok',
      ['paused'],
    ],
    [
      'doubts one to which nothing can be scheduled',
      { schedulable: false, taints: [gpu] },
      'warn',
      ['unschedulable'],
    ],
    [
      'doubts one with a node that is not ready',
      { nodes: { total: 3, ready: 2 } },
      'warn',
      ['nodesNotReady'],
    ],
    [
      'says of one that is away nothing of scheduling',
      { state: 'OFFLINE' as const, schedulable: false },
      'bad',
      [],
    ],
    [
      'doubts one that is nearly full',
      { resources: { allocatable: amounts(10, 110), allocated: amounts(9.5, 1) } },
      'warn',
      ['full'],
    ],
    ['knows nothing of one that reported nothing', { nodes: null, resources: null }, 'ok', []],
  ])('%s', (_, change, tone, notes) => {
    const health = healthOf({ ...CLUSTER, ...change });
    expect([health.tone, health.notes.map(({ note }) => note)]).toEqual([tone, notes]);
  });

  it('knows which conditions are well when they do not hold', () => {
    expect(holdsWell({ type: 'Ready', status: 'TRUE' })).toBe(true);
    expect(holdsWell({ type: 'Ready', status: 'UNKNOWN' })).toBe(false);
    expect(holdsWell({ type: 'MemoryPressure', status: 'FALSE' })).toBe(true);
    expect(holdsWell({ type: 'NetworkUnavailable', status: 'TRUE' })).toBe(false);
  });

  it('writes taints as kubectl does', () => {
    expect([paused, gpu].map(taintText)).toEqual([`${PAUSING}:NoSchedule`, 'gpu=only:NoSchedule']);
  });
});

describe('what is sent for labels and taints', () => {
  const cluster = {
    labels: [
      { key: 'tier', value: 'gold' },
      { key: 'edge', value: '' },
    ],
    taints: [gpu],
  };

  it('is nothing when nothing changed', () => {
    expect(labelChanges(cluster, cluster.labels)).toBeNull();
    expect(taintChanges(cluster, cluster.taints)).toBeNull();
  });

  it('is what was set and what was removed, and no more', () => {
    expect(
      labelChanges(cluster, [
        { key: 'tier', value: 'silver' },
        { key: 'new', value: '' },
      ]),
    ).toEqual({
      labels: [
        { key: 'tier', value: 'silver' },
        { key: 'new', value: '' },
      ],
      removeLabels: ['edge'],
    });
  });

  it('is another taint when its effect is another one', () => {
    expect(taintChanges(cluster, [{ ...gpu, effect: 'NO_EXECUTE' }])).toEqual({
      taints: [{ key: 'gpu', value: 'only', effect: 'NO_EXECUTE' }],
      removeTaints: [{ key: 'gpu', effect: 'NO_SCHEDULE' }],
    });
    expect(taintChanges(cluster, [{ ...gpu, value: 'first' }])).toEqual({
      taints: [{ ...gpu, value: 'first' }],
      removeTaints: [],
    });
  });

  it('is known to evict before it does', () => {
    expect(evicts(cluster, [{ ...gpu, effect: 'NO_EXECUTE' }])).toBe(true);
    expect(evicts(cluster, [gpu])).toBe(false);
    expect(
      evicts({ ...cluster, taints: [{ ...gpu, effect: 'NO_EXECUTE' }] }, [{ ...gpu, effect: 'NO_EXECUTE' }]),
    ).toBe(false);
  });
});

describe('what is placed in a cluster', () => {
  const binding = (id: string, change: Partial<PlacedBindingFragment>): PlacedBindingFragment => ({
    id,
    kind: 'ResourceBinding',
    namespace: 'shop',
    name: id,
    template: null,
    policy: null,
    clusters: [{ clusterName: 'tokyo', replicas: 2 }],
    members: [{ clusterName: 'tokyo', applied: true, health: 'HEALTHY', message: '' }],
    evictions: [],
    ...change,
  });
  const refused = { clusterName: 'tokyo', applied: false, health: 'UNKNOWN' as const, message: 'no quota' };
  const eviction = { clusterName: 'tokyo', reason: 'TaintUntolerated', message: '', since: null };

  it('is judged by that cluster alone', () => {
    const elsewhere = { ...refused, clusterName: 'osaka' };
    const healthy = binding('a', {});
    expect(placedIn('tokyo', { ...healthy, members: [elsewhere, ...healthy.members] })).toMatchObject({
      state: 'healthy',
      replicas: 2,
    });
    expect(placedIn('tokyo', binding('a', { members: [refused] }))).toMatchObject({
      state: 'notApplied',
      message: 'no quota',
    });
    expect(placedIn('tokyo', binding('a', { members: [] })).state).toBe('waiting');
    expect(placedIn('tokyo', binding('a', { evictions: [eviction] }))).toMatchObject({
      state: 'evicting',
      message: 'TaintUntolerated',
    });
  });

  it('begins with what is wrong', () => {
    const rows = placedRows('tokyo', [
      binding('well', {}),
      binding('leaving', { evictions: [eviction] }),
      binding('refused', { members: [refused] }),
    ]);
    expect(rows.map(({ binding }) => binding.id)).toEqual(['refused', 'leaving', 'well']);
  });
});

it('finds APIs by their group, or by the kinds in it', () => {
  const all = [
    { groupVersion: 'apps/v1', kinds: ['DaemonSet', 'Deployment'] },
    { groupVersion: 'v1', kinds: ['Pod'] },
  ];
  expect(matching(all, undefined)).toEqual(all);
  expect(matching(all, 'APPS')).toEqual([all[0]]);
  expect(matching(all, 'deploy')).toEqual([{ groupVersion: 'apps/v1', kinds: ['Deployment'] }]);
  expect(matching(all, 'ingress')).toEqual([]);
});

it('takes from an address what it knows', () => {
  expect(validateClusterSearch({ tab: 'nodes', after: 'c', size: '100', range: '6h' })).toMatchObject({
    tab: 'nodes',
    after: 'c',
    size: 100,
    range: '6h',
  });
  expect(validateClusterSearch({ tab: 'constructor', warnings: 'yes' })).toMatchObject({
    tab: undefined,
    warnings: undefined,
  });
});

it('puts pods in trouble before those that are well', () => {
  const pod = (name: string, change: Partial<PodRowFragment>): PodRowFragment => ({
    id: name,
    namespace: 'shop',
    name,
    createdAt: '2026-03-01T12:00:00Z',
    phase: 'RUNNING',
    ready: true,
    readyContainers: 1,
    containerCount: 1,
    reason: 'Running',
    message: '',
    restarts: 0,
    lastRestartAt: null,
    nodeName: null,
    cluster: null,
    containers: [],
    ...change,
  });
  const all = [
    pod('b', {}),
    pod('a', {}),
    pod('late', { ready: false }),
    pod('crashing', { ready: false, reason: 'CrashLoopBackOff' }),
  ];
  expect(podsFirst(all).map(({ name }) => name)).toEqual(['crashing', 'late', 'a', 'b']);
});
