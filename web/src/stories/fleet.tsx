import type { ClusterDetailFragment, OperationFieldsFragment } from '../graph/generated/graphql';
import { InstanceHealthMark } from '../features/clusters/control/InstanceHealthMark';
import { Command } from '../features/clusters/join/Command';
import { LabelsDialog } from '../features/clusters/member/EditLabels';
import { TaintsDialog } from '../features/clusters/member/EditTaints';
import { HealthMark } from '../features/clusters/member/HealthMark';
import { PAUSING } from '../features/clusters/member/health';
import { PlacedTable } from '../features/clusters/member/PlacedTable';
import type { PlacedState } from '../features/clusters/member/placed';
import { PlacedObjects } from '../features/clusters/member/Unjoin';
import { Operation } from '../features/clusters/operation/Operation';
import type { OperationView } from '../features/clusters/operation/useOperation';
import { PlanView } from '../features/clusters/promote/PlanView';
import '../features/clusters/texts/late';
import { ConnectionTable } from '../ui/page/ConnectionTable';
import type { ConnectionView } from '../ui/page/ConnectionPage';
import type { Fruit } from './fixtures';
import { fruit, LONG, TABLE, UNREACHABLE } from './fixtures';
import type { Story } from './story';

const SINCE = '2026-03-01T12:00:00Z';

const STEPS: OperationFieldsFragment['steps'] = [
  { name: 'Check', state: 'SUCCEEDED', message: '', startedAt: SINCE, endedAt: SINCE },
  { name: 'Install', state: 'RUNNING', message: '', startedAt: SINCE, endedAt: null },
  {
    name: 'Install: etcd',
    state: 'RUNNING',
    message: 'waits for 1 of 3 Pods',
    startedAt: SINCE,
    endedAt: null,
  },
  { name: 'Ready', state: 'PENDING', message: '', startedAt: null, endedAt: null },
];

const OPERATION: OperationFieldsFragment = {
  id: 'o',
  uid: 'u',
  kind: 'JOIN_CLUSTER',
  state: 'RUNNING',
  message: '',
  instanceName: 'asia',
  clusterName: 'osaka',
  actor: 'kairship:oidc:ada',
  createdAt: SINCE,
  finishedAt: null,
  object: null,
  cancellable: true,
  cancelRequested: false,
  steps: STEPS,
};

const operation = (state: string, view: Partial<OperationView>): Story => ({
  of: 'Operation',
  state,
  render: () => (
    <Operation view={{ operation: null, problems: [], retry: () => {}, ...view }}>
      {() => <a href="#next">Go on</a>}
    </Operation>
  ),
});

const ended = (state: OperationFieldsFragment['state'], message: string): Partial<OperationView> => ({
  operation: { ...OPERATION, state, message, cancellable: false, finishedAt: SINCE },
});

const amounts = (cores: number) => ({
  cpu: { cores, quantity: `${cores}` },
  memory: { bytes: cores * 1024 ** 3, quantity: `${cores}Gi` },
  pods: cores * 10,
});

const CLUSTER: ClusterDetailFragment = {
  id: 'c',
  uid: 'u',
  name: 'osaka',
  region: null,
  zones: [],
  provider: null,
  syncMode: 'PUSH',
  state: 'READY',
  stateMessage: 'cluster is healthy and ready to accept workloads',
  schedulable: true,
  kubernetesVersion: 'v1.36.0',
  createdAt: SINCE,
  apiEndpoint: 'https://osaka.example:6443',
  labels: [
    { key: 'tier', value: 'gold' },
    { key: 'topology.example.com/a-prefix-that-goes-on', value: 'and-a-value-that-goes-on-as-well' },
  ],
  taints: [{ key: PAUSING, value: '', effect: 'NO_SCHEDULE' }],
  conditions: [],
  nodes: { total: 3, ready: 3 },
  resources: { allocatable: amounts(16), allocated: amounts(4), allocating: amounts(0) },
  freshness: null,
};

const health = (state: string, change: Partial<ClusterDetailFragment>): Story => ({
  of: 'HealthMark',
  state,
  render: () => <HealthMark cluster={{ ...CLUSTER, taints: [], ...change }} />,
});

const placed = (state: PlacedState, index: number, message = '') => ({
  state,
  message,
  replicas: index,
  binding: {
    id: state,
    kind: 'ResourceBinding',
    namespace: 'shop',
    name: `${state}-deployment`,
    template: {
      __typename: 'Deployment' as const,
      id: state,
      kind: 'Deployment',
      namespace: 'shop',
      name: state,
    },
    policy: null,
    clusters: [],
    members: [],
    evictions: [],
  },
});

const VIEW: ConnectionView<Fruit> = {
  rows: fruit(8),
  loading: false,
  problems: [],
  retry: () => {},
  endCursor: 'c',
  hasNext: true,
  asOf: { at: Date.parse(SINCE), outdated: false },
};

const table = (state: string, view: Partial<ConnectionView<Fruit>>, search = {}): Story => ({
  of: 'ConnectionTable',
  state,
  render: () => (
    <ConnectionTable
      lead="Fruit, the worst first"
      search={search}
      view={{ ...VIEW, ...view }}
      table={TABLE}
      empty={<p className="muted">No fruit.</p>}
    />
  ),
});

const badCursor = { code: 'BAD_USER_INPUT' as const, message: 'after: is no cursor', retryable: false };

/** What the pages about instances and clusters are made of. */
export const FLEET_STORIES: Story[] = [
  operation('loading', {}),
  operation('under way', { operation: OPERATION }),
  operation('being cancelled', { operation: { ...OPERATION, cancelRequested: true } }),
  operation('done', ended('SUCCEEDED', '')),
  operation(
    'failed',
    ended('FAILED', 'the cluster did not become ready within 2 minutes; nothing of it is left'),
  ),
  operation('cancelled', ended('CANCELLED', 'what it made was undone')),
  operation('not found', { problems: [{ code: 'NOT_FOUND', message: '', retryable: false }] }),
  operation('error', { problems: [UNREACHABLE] }),
  operation('stale', { operation: OPERATION, problems: [UNREACHABLE] }),
  health('ready', {}),
  health('paused', { taints: CLUSTER.taints, schedulable: false }),
  health('a node away', { nodes: { total: 3, ready: 2 } }),
  health('offline', { state: 'OFFLINE', schedulable: false }),
  {
    of: 'InstanceHealthMark',
    state: 'a member away',
    render: () => (
      <InstanceHealthMark
        instance={{
          id: 'asia',
          name: 'asia',
          source: 'ATTACHED',
          state: 'RUNNING',
          stateMessage: '',
          karmadaVersion: null,
          kubernetesVersion: null,
          conditions: [],
          components: [],
          steps: [],
          statistics: null,
        }}
        clusters={[{ ...CLUSTER, state: 'OFFLINE' }, CLUSTER]}
      />
    ),
  },
  {
    of: 'PlacedTable',
    state: 'rows',
    render: () => (
      <PlacedTable
        instance="asia"
        label="Objects"
        rows={[
          placed('notApplied', 1, 'admission webhook "quota.example.com" denied the request: too many Pods'),
          placed('evicting', 2, 'TaintUntolerated'),
          placed('unhealthy', 3),
          placed('waiting', 4),
          placed('unknown', 5),
          placed('healthy', 6),
        ]}
      />
    ),
  },
  {
    of: 'PlacedObjects',
    state: 'some',
    render: () => (
      <PlacedObjects
        force={false}
        placed={{
          total: 3,
          others: 2,
          more: false,
          kinds: [
            { kind: 'deployment', count: 2 },
            { kind: 'configmap', count: 1 },
          ],
          objects: [{ kind: 'deployment', namespace: 'shop', name: 'cart' }],
        }}
      />
    ),
  },
  {
    of: 'PlacedObjects',
    state: 'none',
    render: () => (
      <PlacedObjects force={false} placed={{ total: 0, others: 1, more: false, kinds: [], objects: [] }} />
    ),
  },
  {
    of: 'PlanView',
    state: 'promoted and left',
    render: () => (
      <PlanView
        plan={{
          promoted: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              namespace: 'shop',
              name: 'web-settings',
              policyName: 'promoted-web-settings-0f3a',
              changes: [],
            },
            {
              apiVersion: 'apps/v1',
              kind: 'Deployment',
              namespace: 'shop',
              name: 'web',
              policyName: 'promoted-web-77b1',
              changes: [{ path: 'metadata.annotations.cluster-only', from: 'yes', to: null }],
            },
          ],
          left: [
            {
              apiVersion: 'v1',
              kind: 'ServiceAccount',
              namespace: 'shop',
              name: 'default',
              reason: 'every namespace has one',
              federated: true,
            },
          ],
        }}
      />
    ),
  },
  {
    of: 'LabelsDialog',
    state: 'open',
    render: () => <LabelsDialog open cluster={CLUSTER} close={() => {}} />,
  },
  {
    of: 'TaintsDialog',
    state: 'open',
    render: () => <TaintsDialog open cluster={CLUSTER} close={() => {}} />,
  },
  {
    of: 'Command',
    state: 'shown',
    render: () => (
      <Command text="karmadactl register 203.0.113.7:6443 --token abcdef.0123456789abcdef --cluster-name osaka --discovery-token-ca-cert-hash sha256:0000" />
    ),
  },
  table('loading', { rows: null, loading: true }),
  table('rows', {}),
  table('long content', { rows: LONG }),
  table('empty', { rows: [], hasNext: false }),
  table('error', { rows: null, problems: [UNREACHABLE] }),
  table('partial', { problems: [UNREACHABLE] }),
  table('bad cursor', { rows: null, problems: [badCursor] }, { after: 'nonsense' }),
];
