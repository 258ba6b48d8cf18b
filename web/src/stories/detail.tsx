import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import type { TopologyNode } from '../features/workloads/detail/topology/graph';
import { STAGES } from '../features/workloads/detail/topology/graph';
import { layout } from '../features/workloads/detail/topology/layout';
import { TopologyList } from '../features/workloads/detail/topology/TopologyList';
import '../features/workloads/detail/texts';
import type { FindingFieldsFragment } from '../graph/generated/graphql';
import { DiffView } from '../ui/diff/DiffView';
import { FieldChanges } from '../ui/diff/FieldChanges';
import { groupsOf } from '../ui/finding/evidence';
import { FindingCard } from '../ui/finding/FindingCard';
import type { Tone } from '../ui/tones';
import type { Story } from './story';

const Graph = lazy(() => import('../features/workloads/detail/topology/Graph'));

function finding(
  code: FindingFieldsFragment['code'],
  change: Partial<FindingFieldsFragment> = {},
): FindingFieldsFragment {
  return {
    code,
    severity: 'ERROR',
    message: 'no cluster fits',
    remedy: 'see the cluster',
    clusterName: null,
    evidence: [],
    ...change,
  };
}

const AFFINITY = finding('AFFINITY_NOT_MATCHED', {
  message: 'no cluster fits: each of hangzhou, tokyo is not among those that its policy’s affinity chooses',
  remedy: 'label a cluster as the affinity asks, or change the affinity',
  evidence: [
    { object: 'Cluster hangzhou', field: 'metadata.labels', value: 'tier=gold,region=cn-east' },
    { object: 'Cluster tokyo', field: 'metadata.labels', value: '(none)' },
    {
      object: 'ResourceBinding payments/vault-deployment',
      field: 'spec.placement.clusterAffinity',
      value: '{"labelSelector":{"matchLabels":{"compliance":"pci-dss","tier":"gold"}}}',
    },
    {
      object: 'ResourceBinding payments/vault-deployment',
      field: 'status.conditions[type=Scheduled]',
      value: 'FALSE NoClusterFit: 0/2 clusters are available',
    },
  ],
});

const TAINT = finding('TAINT_NOT_TOLERATED', {
  message: 'no cluster fits: tokyo has a taint that its policy does not tolerate',
  evidence: [{ object: 'Cluster tokyo', field: 'spec.taints', value: 'maintenance=night:NoSchedule' }],
});

const crash = (clusterName: string) =>
  finding('CRASH_LOOP', {
    clusterName,
    message: `${clusterName}: 2 of 2 pods: container web: CrashLoopBackOff`,
    remedy: 'see the logs of the container',
    evidence: [
      {
        object: `Pod shop/cart-7d9f8c6b5d-abcde in ${clusterName}`,
        field: 'status.containerStatuses[name=web].state.waiting',
        value: 'CrashLoopBackOff: back-off 5m0s restarting failed container',
      },
    ],
  });

const LONG = finding('APPLY_FAILED', {
  severity: 'WARNING',
  clusterName: 'a-cluster-of-as-many-characters-as-somebody-may-choose-for-one',
  message: `refused: ${'a message that goes on for longer than a line, '.repeat(8)}`,
  evidence: [{ object: `Work karmada-es-x/${'y'.repeat(120)}`, field: 'status', value: 'z'.repeat(300) }],
});

const card = (state: string, findings: FindingFieldsFragment[], open = true): Story => ({
  of: 'FindingCard',
  state,
  render: () =>
    groupsOf(findings).map((group) => (
      <FindingCard
        key={group.code}
        group={group}
        open={open}
        actions={() => (
          <Button size="small" type="primary">
            Mend it
          </Button>
        )}
      />
    )),
});

function box(
  id: string,
  stage: TopologyNode['stage'],
  tone: Tone,
  more: Partial<TopologyNode> = {},
): TopologyNode {
  return { id, stage, kind: 'Deployment', name: id, tone, state: 'Healthy', ...more };
}

const TOPOLOGY: TopologyNode[] = [
  box('template', 'template', 'warn', { name: 'cart' }),
  box('policy', 'policy', 'ok', { kind: 'PropagationPolicy', name: 'cart', parent: 'template' }),
  box('binding', 'binding', 'ok', { kind: 'ResourceBinding', name: 'cart-deployment', parent: 'policy' }),
  ...['hangzhou', 'tokyo'].flatMap((cluster, index) => [
    box(`work/${cluster}`, 'work', 'ok', { kind: 'Work', name: 'cart-5c4f', cluster, parent: 'binding' }),
    box(`member/${cluster}`, 'member', index ? 'bad' : 'ok', {
      name: index ? '' : 'cart',
      cluster,
      missing: index === 1,
      parent: `work/${cluster}`,
    }),
  ]),
  box('pod/hangzhou/cart-1', 'pod', 'bad', {
    kind: 'Pod',
    name: 'cart-7d9f8c6b5d-abcde-with-a-name-that-is-long',
    cluster: 'hangzhou',
    state: 'CrashLoopBackOff',
    parent: 'member/hangzhou',
  }),
  box('pods/hangzhou', 'pod', 'ok', {
    kind: 'Pod',
    name: '',
    cluster: 'hangzhou',
    count: 48,
    parent: 'member/hangzhou',
  }),
];

const POSITIONS = layout(
  TOPOLOGY.map(({ id, stage, parent, beside }) => ({ id, layer: STAGES.indexOf(stage), parent, beside })),
);
const nothing = () => {};

export const DETAIL_STORIES: Story[] = [
  card('affinity', [AFFINITY]),
  card('taint', [TAINT]),
  card('several clusters', ['hangzhou', 'tokyo', 'osaka', 'seoul'].map(crash)),
  card('long content', [LONG]),
  card('folded', [AFFINITY, crash('tokyo')], false),
  {
    of: 'FieldChanges',
    state: 'all kinds',
    render: () => (
      <FieldChanges
        label="Changes"
        changes={[
          { path: '/spec/containers[name=web]/image', from: 'shop/cart:1', to: 'shop/cart:2' },
          { path: '/spec/replicas', from: null, to: '3' },
          { path: '/spec/paused', from: 'true', to: null },
        ]}
      />
    ),
  },
  {
    of: 'DiffView',
    state: 'lines',
    render: () => (
      <DiffView
        label="Difference"
        from={'a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\n'}
        to={'a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 70\nh: 8\ni: 9\n'}
      />
    ),
  },
  { of: 'DiffView', state: 'alike', render: () => <DiffView label="Difference" from="a" to="a" /> },
  {
    of: 'Topology',
    state: 'list',
    render: () => <TopologyList nodes={TOPOLOGY} picked="policy" pick={nothing} label="Topology" />,
  },
  {
    of: 'Topology',
    state: 'graph',
    render: () => (
      <Suspense>
        <Graph
          nodes={TOPOLOGY}
          layout={{ positions: POSITIONS, took: 1 }}
          picked="policy"
          pick={nothing}
          label="Topology"
        />
      </Suspense>
    ),
  },
];
