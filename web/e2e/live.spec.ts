import type { Page } from '@playwright/test';
import { expect, signInTab, test } from './fixtures';
import { kubectl } from './fleet';
import { PodsPage } from './pages/pods';

const STOREFRONT = 'asia/shop/deployment/storefront';

/** What a page asks of the graph by plain requests from now on. */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/graphql') return;
    asked.push((request.postDataJSON() as { operationName?: string } | null)?.operationName ?? '?');
  });
  return asked;
}

/** Requests are told in their order: when this one is, all before it are. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
}

const PAGES: [string, string, string][] = [
  ['the overview', '/', '[data-cause]'],
  ['a list that is all on its page', '/workloads?instance=asia&namespace=shop', '[data-workload]'],
  ['a page of a long list', '/workloads', '[data-workload]'],
  ['a workload', `/workloads/${STOREFRONT}`, '[data-target]'],
  ['its pods', `/workloads/${STOREFRONT}?tab=pods`, '[data-pod]'],
  ['its manifest', `/workloads/${STOREFRONT}?tab=yaml`, '[data-yaml] .cm-line'],
  ['instances and clusters', '/clusters', '[data-cluster]'],
  ['an instance', '/clusters/asia', '[data-cluster]'],
  ['a cluster', '/clusters/asia/tokyo', '[data-condition]'],
  ['the audit log', '/audit', '.refresh time'],
  ['the policies', '/policies', '[data-policy]'],
  ['a policy', '/policies/asia/shop/propagationpolicy/cart', '[data-claim]'],
  ['the events', '/events', '[data-event]'],
  ['the kinds of resources', '/resources', '[data-kind]'],
  ['objects of a kind', '/resources?instance=asia&type=ConfigMap.v1', '[data-resource]'],
  ['an object', '/resources/asia/ConfigMap.v1/shop/checkout-config', '[data-target]'],
  ['who has access', '/access', '[data-binding]'],
  ['charts', '/clusters?instance=asia&chart=asia', '[data-charts]'],
];

for (const [name, path, shown] of PAGES) {
  test(`${name} asks for nothing while nobody does anything, whatever time it is`, async ({
    page,
    token,
  }) => {
    await page.clock.install();
    await signInTab(page, token);
    await page.goto(path);
    await expect(page.locator(shown).first()).toBeVisible();
    await expect(page.locator('.link-mark.is-live')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const asked = requestsOf(page);
    await page.clock.runFor('10:00');
    await settled(page);
    expect(asked).toEqual([]);
    await expect(page.locator(shown).first()).toBeVisible();
  });
}

test('what was done meanwhile is in the audit log after a refresh', async ({ signedIn: page, token }) => {
  await page.goto('/audit');
  await expect(page.locator('.refresh time')).toHaveText(/^As of /);
  const rows = page.locator('[data-event]');
  const newest = rows.first();
  const before = (await rows.count()) > 0 ? await newest.getAttribute('data-event') : null;
  const answer = await page.request.post('/graphql', {
    headers: { Authorization: `Bearer ${token}` },
    data: { query: 'mutation { issueKubeconfig(input: { instance: "asia" }) { userErrors { code } } }' },
  });
  expect(answer.ok()).toBe(true);
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(newest).toHaveAttribute('data-action', 'issueKubeconfig', { timeout: 1_000 });
    expect(await newest.getAttribute('data-event')).not.toBe(before);
  }).toPass();
});

test('what is made and deleted comes and goes in the list, and is counted, without a request', async ({
  workloads,
  page,
}) => {
  const name = 'e2e-live';
  const count = () =>
    page
      .locator('.page-count')
      .textContent()
      .then((text) => Number.parseInt(text ?? ''));
  await workloads.open('?instance=asia&namespace=shop');
  await workloads.live();
  await page.waitForLoadState('networkidle');
  const before = await count();
  const asked = requestsOf(page);
  const row = workloads.row('Deployment', 'shop', name);
  kubectl('asia', ['-n', 'shop', 'create', 'deployment', name, '--image=registry.example/e2e:1']);
  try {
    await expect(row.locator('.col-state')).toContainText('Not propagated');
    await expect.poll(count).toBe(before + 1);
  } finally {
    kubectl('asia', ['-n', 'shop', 'delete', 'deployment', name]);
  }
  await expect(row).toHaveCount(0);
  await expect.poll(count).toBe(before);
  await settled(page);
  expect(asked).toEqual([]);
});

test('what is made beyond a page of a long list is said, and shown by a refresh', async ({
  workloads,
  page,
}) => {
  const name = '0-e2e-first';
  await workloads.open('?instance=europe');
  await expect(workloads.next, 'more than one page: `make test-web` seeds it').toBeEnabled();
  await workloads.live();
  const refresh = page.getByRole('button', { name: 'Refresh' });
  // What was counted before the tests before may still be on its way.
  await expect(async () => {
    await refresh.click();
    await expect(page.getByText(/^As of /)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const namespace = (await workloads.rows.first().locator('.col-namespace').textContent()) ?? '';
  kubectl('europe', ['-n', namespace, 'create', 'deployment', name, '--image=registry.example/e2e:1']);
  const row = workloads.row('Deployment', namespace, name);
  try {
    await expect(page.getByText('Rows came or went since this page was read')).toBeVisible();
    await expect(row).toHaveCount(0);
    await refresh.click();
    await expect(row).toBeVisible();
    await expect(page.getByText(/^As of /)).toBeVisible();
  } finally {
    kubectl('europe', ['-n', namespace, 'delete', 'deployment', name]);
  }
  // It is followed now that it is on the page.
  await expect(row).toHaveCount(0);
});

test('a cluster that is tainted shows it without a request', async ({ signedIn: page }) => {
  await page.goto('/clusters?instance=asia');
  const row = page.locator('[data-cluster="singapore"]');
  await expect(row).toBeVisible();
  await page.waitForLoadState('networkidle');
  const asked = requestsOf(page);
  const taint = (taints: object[]) =>
    kubectl('asia', [
      'patch',
      'cluster',
      'singapore',
      '--type=merge',
      '-p',
      JSON.stringify({ spec: { taints } }),
    ]);
  taint([{ key: 'e2e-page', effect: 'NoSchedule' }]);
  try {
    await expect(row).toContainText('unschedulable');
  } finally {
    taint([]);
  }
  await expect(row).not.toContainText('unschedulable');
  await settled(page);
  expect(asked).toEqual([]);
});

test('a pod that is deleted goes, and the one in its place comes, without a request', async ({
  signedIn: page,
}) => {
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  for (const cluster of ['hangzhou', 'singapore', 'tokyo']) {
    await expect(pods.in(cluster).first()).toContainText('Running');
  }
  await page.waitForLoadState('networkidle');
  const before = await pods.names('hangzhou');
  const asked = requestsOf(page);
  const [gone = ''] = before;
  kubectl('hangzhou', ['-n', 'shop', 'delete', 'pod', gone, '--wait=false']);
  // It is shown as terminating until the kubelet has ended it, which takes as long as that one takes.
  await expect.poll(() => pods.names('hangzhou'), { timeout: 60_000 }).not.toContain(gone);
  await expect.poll(async () => (await pods.names('hangzhou')).length).toBe(before.length);
  await settled(page);
  expect(asked).toEqual([]);
});

test('a changed manifest is shown as it is', async ({ workload, page }) => {
  const label = `at-${Date.now()}`;
  await workload.open('asia', 'shop', 'Deployment', 'cart', '?tab=yaml');
  await expect(workload.yaml).toContainText('kind: Deployment');
  await page.waitForLoadState('networkidle');
  const asked = requestsOf(page);
  kubectl('asia', ['-n', 'shop', 'annotate', 'deployment', 'cart', `e2e-page=${label}`, '--overwrite']);
  try {
    await expect(workload.yaml).toContainText(`e2e-page: ${label}`);
  } finally {
    kubectl('asia', ['-n', 'shop', 'annotate', 'deployment', 'cart', 'e2e-page-']);
  }
  await settled(page);
  expect(asked).toEqual([]);
});
