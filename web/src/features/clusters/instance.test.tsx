// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { InstanceStatusFragment, StatisticsFragment } from '../../graph/generated/graphql';
import { startLanguage } from '../../i18n';
import { InstanceStatus } from './InstanceStatus';
import { Statistics } from './Statistics';

beforeAll(startLanguage);
afterEach(cleanup);

const INSTANCE: InstanceStatusFragment = {
  id: 'europe',
  name: 'europe',
  source: 'MANAGED',
  state: 'RUNNING',
  stateMessage: '',
  karmadaVersion: 'v1.18.2',
  kubernetesVersion: null,
  conditions: [],
  components: [],
  steps: [],
  statistics: null,
};

const STATISTICS: StatisticsFragment = {
  clusters: { total: 2, ready: 1 },
  nodes: { total: 5, ready: 4 },
  cpu: { allocatable: { cores: 40 }, allocated: { cores: 10 } },
  memory: { allocatable: { bytes: 64 * 1024 ** 3 }, allocated: { bytes: 16 * 1024 ** 3 } },
  workloads: [{ kind: 'Deployment', total: 9, ready: 7 }],
  policies: [{ kind: 'PropagationPolicy', total: 3 }],
  asOf: new Date().toISOString(),
};

const texts = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

it('shows how far an installation is, in the order of its steps', () => {
  render(
    <InstanceStatus
      instance={{
        ...INSTANCE,
        state: 'INSTALLING',
        steps: [
          { name: 'Prepare', state: 'SUCCEEDED', message: '', startedAt: null, finishedAt: null },
          { name: 'Install', state: 'RUNNING', message: 'waits for etcd', startedAt: null, finishedAt: null },
          { name: 'Connect', state: 'PENDING', message: '', startedAt: null, finishedAt: null },
        ],
      }}
    />,
  );
  expect(texts(screen.getByRole('list', { name: 'Progress of europe' }))).toEqual([
    'PrepareDone',
    'InstallUnder waywaits for etcd',
    'ConnectTo do',
  ]);
});

it('shows what is wrong with its message, also what this page has no word for', () => {
  const bad = { status: 'FALSE', reason: 'HeldTwice', since: null } as const;
  render(
    <InstanceStatus
      instance={{
        ...INSTANCE,
        conditions: [
          { ...bad, type: 'MembersUnique', message: 'asia holds tokyo too' },
          { ...bad, type: 'Novelty', message: '' },
        ],
      }}
    />,
  );
  expect(texts(screen.getByRole('list', { name: 'What is wrong with europe' }))).toEqual([
    'Members held twiceasia holds tokyo too',
    'NoveltyHeldTwice',
  ]);
});

it('shows the components, and a word for those that are not ready', () => {
  render(
    <InstanceStatus
      instance={{
        ...INSTANCE,
        components: [
          { name: 'APIServer', state: 'READY', message: '', since: null },
          { name: 'Scheduler', state: 'NOT_READY', message: 'its lease has expired', since: null },
          { name: 'Novelty', state: 'UNKNOWN', message: '', since: null },
        ],
      }}
    />,
  );
  const list = screen.getByRole('list', { name: 'Components of europe' });
  expect(texts(list)).toEqual(['SchedulerNot ready', 'NoveltyUnknown', 'API server']);
  expect(within(list).getByTitle('its lease has expired')).toBeTruthy();
});

it('is silent when there is nothing to tell', () => {
  const { container } = render(<InstanceStatus instance={INSTANCE} />);
  expect(container.textContent).toBe('');
});

it('shows what an instance has', () => {
  const { container } = render(<Statistics instance="europe" statistics={STATISTICS} />);
  const told = [...container.querySelectorAll('dl > div')].map((row) => row.textContent);
  expect(told).toEqual([
    'Nodes4/5',
    'CPU10 of 40 cores',
    'Memory16 GiB of 64 GiB',
    'Deployment7/9',
    'PropagationPolicy3',
    expect.stringMatching(/^Last change/),
  ]);
  expect(
    within(container)
      .getAllByRole('meter')
      .map((meter) => meter.getAttribute('aria-valuenow')),
  ).toEqual(['25', '25']);
});
