import { describe, expect, it } from 'vitest';
import type {
  ClusterState,
  FreshnessState,
  InstanceState,
  WorkloadState,
} from '../../graph/generated/graphql';
import type { Cause, Findings } from './causes';
import { affectedBy, causesOf, MOST_DIAGNOSED, mostUrgent } from './causes';
import { finding, instance, workload } from './fixtures';

/** `CODE severity: key (clusters), …` */
function told(causes: readonly Cause[]): string[] {
  return causes.map(
    ({ code, severity, affected }) =>
      `${code} ${severity}: ${affected
        .map(({ key, clusters }) => (clusters.length > 0 ? `${key} (${clusters.join(' ')})` : key))
        .join(', ')}`,
  );
}

const none: ReadonlyMap<string, Findings> = new Map();
const awaited: ReadonlySet<string> = new Set();

describe('causesOf', () => {
  it('says nothing of a workload before its findings are there', () => {
    const row = workload('asia/shop/cart', 'DEGRADED');
    const known = { instances: [], workloads: [row], findings: none };
    expect(causesOf({ ...known, awaited: new Set([row.id]) })).toEqual([]);
    expect(causesOf({ ...known, awaited })).toHaveLength(1);
  });

  it('tells nothing of what is well, and of what is on its way', () => {
    const workloads = [workload('asia/shop/cart', 'PROGRESSING')];
    const findings = new Map([[workloads[0]?.id ?? '', [finding('ROLLOUT_IN_PROGRESS', 'INFO')]]]);
    expect(causesOf({ instances: [instance('asia')], workloads, findings, awaited })).toEqual([]);
  });

  it('groups workloads by their findings, and names the clusters of each once', () => {
    const workloads = [
      workload('asia/shop/cart', 'DEGRADED'),
      workload('asia/shop/api', 'DEGRADED'),
      workload('europe/shop/cart', 'NOT_PROPAGATED'),
    ];
    const findings = new Map<string, Findings>([
      [
        'asia/shop/cart',
        [finding('CRASH_LOOP', 'ERROR', 'tokyo'), finding('CRASH_LOOP', 'ERROR', 'singapore')],
      ],
      [
        'asia/shop/api',
        [finding('OUT_OF_MEMORY', 'ERROR', 'tokyo'), finding('CRASH_LOOP', 'ERROR', 'tokyo')],
      ],
      ['europe/shop/cart', [finding('NO_POLICY', 'ERROR')]],
    ]);
    const causes = causesOf({ instances: [], workloads, findings, awaited });
    expect(told(causes)).toEqual([
      'CRASH_LOOP ERROR: asia/shop/api/Deployment (tokyo), asia/shop/cart/Deployment (tokyo singapore)',
      'NO_POLICY ERROR: europe/shop/cart/Deployment',
      'OUT_OF_MEMORY ERROR: asia/shop/api/Deployment (tokyo)',
    ]);
    expect(affectedBy(causes)).toBe(3);
  });

  it('puts a member that is away with the workloads that miss it, before warnings and after instances', () => {
    const instances = [
      instance('africa', { state: 'UNAVAILABLE', stateMessage: 'connection refused' }),
      instance('asia', {}, [['tokyo', 'OFFLINE', 'STALE']]),
    ];
    const workloads = [workload('asia/shop/cart', 'UNKNOWN'), workload('asia/shop/web', 'DEGRADED')];
    const findings = new Map<string, Findings>([
      ['asia/shop/cart', [finding('CLUSTER_OFFLINE', 'WARNING', 'tokyo')]],
      ['asia/shop/web', [finding('SCHEDULING_SUSPENDED', 'WARNING')]],
    ]);
    expect(told(causesOf({ instances, workloads, findings, awaited }))).toEqual([
      'INSTANCE_UNAVAILABLE ERROR: africa',
      'CLUSTER_OFFLINE ERROR: asia/tokyo, asia/shop/cart/Deployment (tokyo)',
      'SCHEDULING_SUSPENDED WARNING: asia/shop/web/Deployment',
    ]);
  });

  it.each<[WorkloadState, Findings | undefined, string[]]>([
    ['DEGRADED', undefined, ['NOT_EXPLAINED ERROR: asia/shop/cart/Deployment']],
    ['DEGRADED', null, ['NOT_EXPLAINED ERROR: asia/shop/cart/Deployment']],
    [
      'NOT_PROPAGATED',
      [finding('BINDING_PENDING', 'INFO')],
      ['NOT_EXPLAINED ERROR: asia/shop/cart/Deployment'],
    ],
    ['UNKNOWN', [], ['NOT_KNOWN WARNING: asia/shop/cart/Deployment']],
    ['PROGRESSING', undefined, []],
    ['PROGRESSING', [finding('CRASH_LOOP', 'ERROR')], ['CRASH_LOOP ERROR: asia/shop/cart/Deployment']],
    ['STOPPED', undefined, []],
  ])('of a workload that is %s with %j tells %j', (state, findings, want) => {
    const row = workload('asia/shop/cart', state);
    const known = findings === undefined ? none : new Map([[row.id, findings]]);
    expect(told(causesOf({ instances: [], workloads: [row], findings: known, awaited }))).toEqual(want);
  });

  it('says what nothing explains in the words of the first fact that does not hold', () => {
    const row = workload('asia/shop/cart', 'DEGRADED');
    const [cause] = causesOf({ instances: [], workloads: [row], findings: none, awaited });
    expect(cause?.affected[0]?.message).toBe('1 of 2 pods are ready');
  });

  it.each<[string, InstanceState, [string, ClusterState, FreshnessState][], string[]]>([
    [
      'a member that reports itself unhealthy',
      'RUNNING',
      [['tokyo', 'NOT_READY', 'LIVE']],
      ['CLUSTER_NOT_READY ERROR: asia/tokyo'],
    ],
    [
      'a member of which nothing is known',
      'RUNNING',
      [['tokyo', 'UNKNOWN', 'LIVE']],
      ['CLUSTER_NOT_READY ERROR: asia/tokyo'],
    ],
    [
      'rows that are old though the member is well',
      'RUNNING',
      [['tokyo', 'READY', 'STALE']],
      ['STORE_STALE WARNING: asia/tokyo'],
    ],
    ['no rows of a member that joins', 'RUNNING', [['tokyo', 'JOINING', 'NEVER']], []],
    [
      'no members of an instance that does not answer',
      'UNAVAILABLE',
      [['tokyo', 'OFFLINE', 'STALE']],
      ['INSTANCE_UNAVAILABLE ERROR: asia'],
    ],
    ['no instance that is being installed', 'INSTALLING', [], []],
  ])('tells %s', (_, state, clusters, want) => {
    expect(
      told(
        causesOf({
          instances: [instance('asia', { state }, clusters)],
          workloads: [],
          findings: none,
          awaited,
        }),
      ),
    ).toEqual(want);
  });

  it('tells what is wrong with an instance once: not the conditions that repeat it', () => {
    const since = null;
    const broken = instance('asia', {
      components: [{ name: 'Scheduler', state: 'NOT_READY', message: 'no lease', since }],
      conditions: [
        { type: 'Ready', status: 'FALSE', reason: 'SchedulerNotReady', message: 'no lease', since },
        { type: 'SchedulerReady', status: 'FALSE', reason: 'NoLease', message: 'no lease', since },
        {
          type: 'MembersUnique',
          status: 'FALSE',
          reason: 'HeldTwice',
          message: 'tokyo is also held by europe',
          since,
        },
        { type: 'WebhookReady', status: 'UNKNOWN', reason: 'NotSeen', message: '', since },
      ],
    });
    const causes = causesOf({ instances: [broken], workloads: [], findings: none, awaited });
    expect(told(causes)).toEqual([
      'COMPONENT_NOT_READY ERROR: asia',
      'condition.MembersUnique WARNING: asia',
    ]);
    expect(causes[0]?.affected[0]?.message).toBe('Scheduler: no lease');
  });

  it('tells an installation that failed, with its step', () => {
    const failed = instance('lab', {
      state: 'INSTALLING',
      steps: [
        { name: 'Install etcd', state: 'FAILED', message: 'no room', startedAt: null, finishedAt: null },
      ],
    });
    const [cause] = causesOf({ instances: [failed], workloads: [], findings: none, awaited });
    expect([cause?.code, cause?.affected[0]?.message]).toEqual([
      'INSTALLATION_FAILED',
      'Install etcd: no room',
    ]);
  });
});

it('looks into the worst first, and into no more than can be asked for', () => {
  const rows = [
    workload('asia/shop/slow', 'PROGRESSING'),
    workload('asia/shop/paused', 'PAUSED'),
    ...Array.from({ length: MOST_DIAGNOSED }, (_, n) => workload(`asia/shop/unwell-${n}`, 'DEGRADED')),
    workload('asia/shop/nowhere', 'NOT_PROPAGATED'),
    workload('asia/shop/over', 'FAILED'),
  ];
  const urgent = mostUrgent(rows);
  expect(urgent).toHaveLength(MOST_DIAGNOSED);
  expect(urgent.slice(0, 3).map(({ state }) => state)).toEqual(['FAILED', 'NOT_PROPAGATED', 'DEGRADED']);
  expect(urgent.some(({ state }) => state === 'PROGRESSING')).toBe(false);
});
