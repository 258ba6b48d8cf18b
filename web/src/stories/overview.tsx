import { CauseList } from '../features/overview/CauseList';
import { causesOf } from '../features/overview/causes';
import { finding, instance, TOTALS, warning, workload } from '../features/overview/fixtures';
import { TotalsPanel } from '../features/overview/TotalsPanel';
import type { OverviewView } from '../features/overview/useOverview';
import { WarningsPanel } from '../features/overview/WarningsPanel';
import { Wrong } from '../features/overview/Wrong';
import { UNREACHABLE } from './fixtures';
import type { Story } from './story';

const LONG = 'a-name-of-as-many-characters-as-kubernetes-lets-somebody-choose-for-an-object';

const INSTANCES = [
  instance('africa', { state: 'UNAVAILABLE', stateMessage: 'dial tcp 10.1.2.3:6443: connection refused' }),
  instance('asia', {}, [
    ['hangzhou', 'READY', 'LIVE'],
    ['tokyo', 'OFFLINE', 'STALE'],
  ]),
];

const UNWELL = [
  workload('asia/payments/fraud-check', 'DEGRADED'),
  workload('asia/payments/card-vault', 'NOT_PROPAGATED'),
  workload(`asia/shop/${LONG}`, 'DEGRADED'),
  ...Array.from({ length: 7 }, (_, n) => workload(`asia/shop/worker-${n}`, 'UNKNOWN')),
];

const CAUSES = causesOf({
  instances: INSTANCES,
  workloads: UNWELL,
  awaited: new Set(),
  findings: new Map([
    ['asia/payments/fraud-check', [finding('CRASH_LOOP', 'ERROR', 'singapore')]],
    ['asia/payments/card-vault', [finding('AFFINITY_NOT_MATCHED', 'ERROR')]],
    [`asia/shop/${LONG}`, [finding('CRASH_LOOP', 'ERROR', 'tokyo')]],
    ...UNWELL.slice(3).map(({ id }) => [id, [finding('CLUSTER_OFFLINE', 'WARNING', 'tokyo')]] as const),
  ]),
});

const VIEW: OverviewView = {
  instances: [instance('asia')],
  totals: TOTALS,
  workloads: [],
  causes: [],
  pending: [],
  notKnown: [],
  awaited: new Set(),
  unwatched: [],
  diagnoses: { findings: new Map(), busy: false },
  problems: [],
  again: () => {},
};

const wrong = (state: string, view: Partial<OverviewView>): Story => ({
  of: 'Wrong',
  state,
  render: () => <Wrong view={{ ...VIEW, ...view }} />,
});

export const OVERVIEW_STORIES: Story[] = [
  { of: 'CauseList', state: 'a few of each', render: () => <CauseList causes={CAUSES} /> },
  {
    of: 'CauseList',
    state: 'all of one',
    render: () => <CauseList causes={CAUSES} picked="CLUSTER_OFFLINE" />,
  },
  wrong('nothing', {}),
  wrong('waiting', { pending: ['asia', 'europe'] }),
  wrong('looking into causes', { awaited: new Set(['asia/shop/cart']) }),
  wrong('partly known', {
    notKnown: ['europe'],
    unwatched: [{ instance: 'europe', problems: [UNREACHABLE] }],
  }),
  wrong('causes', {
    causes: CAUSES,
    workloads: UNWELL,
    diagnoses: { findings: new Map(), busy: false, at: Date.parse('2026-03-01T12:00:00Z') },
  }),
  {
    of: 'TotalsPanel',
    state: 'numbers',
    render: () => <TotalsPanel totals={TOTALS} workloads={UNWELL} instances={INSTANCES} />,
  },
  {
    of: 'TotalsPanel',
    state: 'nothing counted',
    render: () => (
      <TotalsPanel
        totals={{ ...TOTALS, workloads: [], policies: [], clusterStates: [], asOf: null }}
        workloads={[]}
        instances={[]}
      />
    ),
  },
  {
    of: 'WarningsPanel',
    state: 'rows',
    render: () => (
      <WarningsPanel
        loading={false}
        unwatched={[]}
        rows={[
          warning('card-vault'),
          warning(LONG, { count: 1, message: 'Back-off restarting failed container. '.repeat(10) }),
        ]}
      />
    ),
  },
  {
    of: 'WarningsPanel',
    state: 'none',
    render: () => <WarningsPanel rows={[]} loading={false} unwatched={[]} />,
  },
  {
    of: 'WarningsPanel',
    state: 'not followed',
    render: () => (
      <WarningsPanel
        rows={[]}
        loading={false}
        unwatched={[{ instance: 'europe', problems: [UNREACHABLE] }]}
      />
    ),
  },
  { of: 'WarningsPanel', state: 'loading', render: () => <WarningsPanel rows={[]} loading unwatched={[]} /> },
];
