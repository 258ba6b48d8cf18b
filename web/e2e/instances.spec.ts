import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';
import { spoil } from './spoil';

/** Lay a status over that of one instance, as the server would tell it. */
async function tell(page: Page, instance: string, status: Record<string, unknown>): Promise<void> {
  for (const operation of ['Clusters', 'InstanceStatuses', 'Fleet']) {
    await spoil(page, operation, (answer) => {
      const { nodes } = answer.data?.instances as { nodes: Record<string, unknown>[] };
      for (const node of nodes) {
        if (node.name !== instance) continue;
        for (const key of Object.keys(status)) if (key in node) node[key] = status[key];
      }
      return answer;
    });
  }
}

const at = '2026-01-02T03:04:05Z';

test('an instance that is being installed shows how far it is', async ({ signedIn: page }) => {
  await tell(page, 'europe', {
    state: 'INSTALLING',
    stateMessage: 'waits for etcd',
    statistics: null,
    conditions: [],
    clusters: { __typename: 'ClusterConnection', nodes: [], totalCount: 0 },
    steps: [
      step('Prepare', 'SUCCEEDED', '', at, at),
      step('Install', 'RUNNING', 'waits for etcd', at, null),
      step('Connect', 'PENDING', '', null, null),
    ],
  });
  await page.goto('/clusters');
  const section = page.locator('[data-instance="europe"]');
  await expect(section).toHaveAttribute('data-state', 'INSTALLING');
  const steps = section.getByRole('list', { name: 'Progress of europe' }).getByRole('listitem');
  await expect(steps).toHaveText([
    /Prepare\s*Done/,
    /Install\s*Under way\s*waits for etcd/,
    /Connect\s*To do/,
  ]);
  await expect(page.locator('.problems')).toHaveCount(0);
  await expect(page.locator('[data-instance="asia"]')).toHaveAttribute('data-state', 'RUNNING');
  await expectAccessible(page);
  await picture(page, 'instance-installing');
});

test('what is wrong with an instance is told, and what it has is counted', async ({ signedIn: page }) => {
  await tell(page, 'asia', {
    conditions: [
      condition('MembersUnique', 'FALSE', 'HeldTwice', 'europe holds tokyo too'),
      condition('SchedulerReady', 'FALSE', 'LeaseExpired', 'no scheduler renews its lease'),
      condition('ReadPathSynced', 'TRUE', 'Synced', ''),
    ],
    components: [
      component('APIServer', 'READY', ''),
      component('Scheduler', 'NOT_READY', 'no scheduler renews its lease'),
    ],
    statistics: STATISTICS,
  });
  await page.goto('/clusters?instance=asia');
  const section = page.locator('[data-instance="asia"]');
  const troubles = section.getByRole('list', { name: 'What is wrong with asia' }).getByRole('listitem');
  await expect(troubles).toHaveText([
    /Members held twice\s*europe holds tokyo too/,
    /Scheduler\s*no scheduler renews/,
  ]);
  await expect(section.locator('[data-component="Scheduler"]')).toContainText('Not ready');
  const statistics = section.locator('[data-statistics="asia"]');
  await expect(statistics.getByRole('meter')).toHaveCount(2);
  await expect(statistics.locator('[data-kind="Deployment"]')).toContainText('7/9');
  await expect(statistics.locator('[data-kind="PropagationPolicy"]')).toContainText('3');
  await expectAccessible(page);
  await picture(page, 'instance-troubles');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await picture(page, 'instance-phone');
});

function step(
  name: string,
  state: string,
  message: string,
  startedAt: string | null,
  finishedAt: string | null,
): Record<string, unknown> {
  return { __typename: 'InstanceStep', name, state, message, startedAt, finishedAt };
}

function condition(type: string, status: string, reason: string, message: string): Record<string, unknown> {
  return { __typename: 'Condition', type, status, reason, message, since: at };
}

function component(name: string, state: string, message: string): Record<string, unknown> {
  return { __typename: 'Component', name, state, message, since: at };
}

const count = (total: number, ready: number) => ({ __typename: 'ReadyCount', total, ready });
const cpu = (cores: number) => ({ __typename: 'CPUAmount', cores });
const memory = (bytes: number) => ({ __typename: 'MemoryAmount', bytes });

const STATISTICS = {
  __typename: 'InstanceStatistics',
  clusters: count(3, 3),
  nodes: count(5, 4),
  cpu: { __typename: 'CPUSummary', allocatable: cpu(40), allocated: cpu(10) },
  memory: { __typename: 'MemorySummary', allocatable: memory(64 * 1024 ** 3), allocated: memory(1024 ** 3) },
  workloads: [
    { __typename: 'WorkloadCount', kind: 'CronJob', total: 1, ready: 1 },
    { __typename: 'WorkloadCount', kind: 'DaemonSet', total: 2, ready: 2 },
    { __typename: 'WorkloadCount', kind: 'Deployment', total: 9, ready: 7 },
    { __typename: 'WorkloadCount', kind: 'Job', total: 1, ready: 0 },
    { __typename: 'WorkloadCount', kind: 'StatefulSet', total: 2, ready: 2 },
  ],
  policies: [
    { __typename: 'PolicyCount', kind: 'ClusterOverridePolicy', total: 0 },
    { __typename: 'PolicyCount', kind: 'ClusterPropagationPolicy', total: 1 },
    { __typename: 'PolicyCount', kind: 'OverridePolicy', total: 2 },
    { __typename: 'PolicyCount', kind: 'PropagationPolicy', total: 3 },
  ],
  asOf: at,
};
