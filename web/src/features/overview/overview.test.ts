import { describe, expect, it, vi } from 'vitest';
import type { AuditRowFragment } from '../../graph/generated/graphql';
import type { Findings } from './causes';
import { changesOf, subjectOf } from './changes';
import { Diagnoses } from './diagnoses';
import { finding, instance, warning, workload } from './fixtures';
import { statesOf, totalsOf } from './totals';
import { newestOf, placeOfWarning } from './warnings';

describe('Diagnoses', () => {
  function start() {
    const asked: string[][] = [];
    const answers: ((found: ReadonlyMap<string, Findings>) => void)[] = [];
    const failures: ((error: Error) => void)[] = [];
    const diagnoses = new Diagnoses(
      (ids) => {
        asked.push(ids);
        return new Promise((resolve, reject) => {
          answers.push(resolve);
          failures.push(reject);
        });
      },
      () => 7,
    );
    const idle = () => vi.waitFor(() => expect(diagnoses.view.busy).toBe(false));
    return { asked, answers, failures, diagnoses, idle };
  }
  const cart = workload('asia/shop/cart', 'DEGRADED');
  const web = workload('asia/shop/web', 'DEGRADED');
  const crash = [finding('CRASH_LOOP', 'ERROR')];

  it('asks once for each, and together for what changes meanwhile', async () => {
    const { asked, answers, diagnoses, idle } = start();
    diagnoses.want([cart]);
    diagnoses.want([cart, web]);
    diagnoses.want([{ ...cart, generation: 2 }, web]);
    expect(asked).toEqual([[cart.id]]);
    answers[0]?.(new Map([[cart.id, crash]]));
    await vi.waitFor(() => expect(asked).toEqual([[cart.id], [cart.id, web.id]]));
    expect(diagnoses.view.findings.get(cart.id)).toEqual(crash);
    answers[1]?.(new Map());
    await idle();
    // What was not read keeps what was known.
    expect([...diagnoses.view.findings]).toEqual([
      [cart.id, crash],
      [web.id, null],
    ]);
    diagnoses.want([{ ...cart, generation: 2 }, { ...web }]);
    expect(asked).toHaveLength(2);
    expect(diagnoses.view.at).toBe(7);
  });

  it('forgets what is well again', async () => {
    const { answers, diagnoses, idle } = start();
    diagnoses.want([cart]);
    answers[0]?.(new Map([[cart.id, crash]]));
    await idle();
    diagnoses.want([]);
    expect(diagnoses.view.findings.size).toBe(0);
  });

  it('does not ask again by itself where it failed, but when somebody wants it', async () => {
    const { asked, failures, diagnoses, idle } = start();
    diagnoses.want([cart]);
    failures[0]?.(new Error('away'));
    await idle();
    expect(asked).toHaveLength(1);
    diagnoses.again();
    expect(asked).toHaveLength(2);
  });
});

describe('totals', () => {
  it('of one instance have the shape of those of all', () => {
    const asia = instance('asia', {}, [
      ['tokyo', 'OFFLINE', 'STALE'],
      ['osaka', 'READY', 'LIVE'],
      ['kyoto', 'READY', 'LIVE'],
    ]);
    expect(totalsOf(asia)).toMatchObject({
      instances: [{ state: 'RUNNING', total: 1 }],
      clusterStates: [
        { state: 'OFFLINE', total: 1 },
        { state: 'READY', total: 2 },
      ],
      uncounted: [{ name: 'asia' }],
    });
  });

  it('count workloads by state, the worst first', () => {
    const rows = [workload('a/b/c', 'PAUSED'), workload('a/b/d', 'FAILED'), workload('a/b/e', 'PAUSED')];
    expect(statesOf(rows)).toEqual([
      { state: 'FAILED', total: 1 },
      { state: 'PAUSED', total: 2 },
    ]);
  });
});

describe('warnings', () => {
  it('are one row for what is said again and again of one thing, the newest first', () => {
    const rows = [
      warning('cart', { id: '1', count: 3, lastSeen: '2026-03-01T12:00:00Z' }),
      warning('web', { id: '2', count: 1, lastSeen: '2026-03-01T12:01:00Z' }),
      warning('cart', { id: '3', count: 2, lastSeen: '2026-03-01T12:02:00Z' }),
    ];
    expect(newestOf(rows).map(({ id, count }) => [id, count])).toEqual([
      ['3', 5],
      ['2', 1],
    ]);
  });

  it.each([
    ['Deployment', 'shop', 'cart', { type: 'workload', kind: 'Deployment', name: 'cart' }],
    ['ResourceBinding', 'shop', 'cart-deployment', { type: 'workload', kind: 'Deployment', name: 'cart' }],
    ['ResourceBinding', 'shop', 'rules-configmap', { type: 'namespace', namespace: 'shop' }],
    ['Cluster', null, 'tokyo', { type: 'cluster', cluster: 'tokyo' }],
    ['ClusterResourceBinding', null, 'x-clusterrole', { type: 'instance', instance: 'asia' }],
  ])('of %s %s/%s lead to %o', (kind, namespace, name, want) => {
    expect(placeOfWarning(warning('', { regarding: { kind, namespace, name } }))).toMatchObject(want);
  });
});

describe('changes', () => {
  const row = (change: Partial<AuditRowFragment>) =>
    ({ id: '', via: 'GRAPHQL', dryRun: false, ...change }) as AuditRowFragment;

  it('are neither sign-ins nor what was only tried', () => {
    const rows = [row({ id: '1', via: 'SIGN_IN' }), row({ id: '2', dryRun: true }), row({ id: '3' })];
    expect(changesOf(rows).map(({ id }) => id)).toEqual(['3']);
  });

  it.each([
    [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }, 'Deployment shop/cart'],
    [{ resource: 'pods', subresource: 'exec', namespace: 'shop', name: 'cart-1' }, 'pods/exec shop/cart-1'],
    [{ name: 'kairship:oidc:ada' }, 'kairship:oidc:ada'],
    [{}, ''],
  ])('%o are of %j', (change, want) => {
    expect(subjectOf(row(change))).toBe(want);
  });
});
