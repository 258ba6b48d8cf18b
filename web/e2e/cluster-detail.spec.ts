import type { Locator } from '@playwright/test';
import { expect, picture, test } from './fixtures';
import { kubectl } from './fleet';
import { FleetPage } from './pages/fleet';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const TAINTS = ['get', 'cluster', 'hangzhou', '-o', 'jsonpath={.spec.taints}'];
const LABEL = 'e2e.kairship.io/tier';

test('the name of a cluster leads to all that is known of it', async ({ signedIn: page }) => {
  const fleet = new FleetPage(page);
  await page.goto('/clusters?instance=asia');
  await page.locator('[data-cluster="tokyo"]').getByRole('link', { name: 'tokyo' }).click();
  await expect(page).toHaveURL(/\/clusters\/asia\/tokyo$/);
  await expect(fleet.state).toContainText('Ready');
  await expect(page.locator('[data-condition="Ready"]')).toHaveAttribute('data-status', 'TRUE');
  await expect(page.locator('[data-capacity]').getByRole('meter')).toHaveCount(3);
  const placed = kubectl('asia', ['get', 'resourcebindings', '-A', '-o', 'json']);
  await expect(page.getByRole('link', { name: /objects? placed by Karmada/ })).toBeVisible();
  await fleet.looks('cluster');

  await fleet.tab('nodes');
  const nodes = kubectl('tokyo', ['get', 'nodes', '-o', 'name']).split('\n');
  await expect(page.locator('[data-node]')).toHaveCount(nodes.length);
  await fleet.looks('cluster-nodes');

  await fleet.tab('placed');
  await expect(page.locator('[data-placed="storefront"]', { hasText: 'Deployment' })).toBeVisible();
  expect(placed).toContain('storefront');
  await fleet.looks('cluster-placed');

  await fleet.tab('workloads');
  await page.locator('[data-member-workload="storefront"]').getByRole('link', { name: 'storefront' }).click();
  await expect(page).toHaveURL(/\/workloads\/asia\/shop\/deployment\/storefront$/);
  await page.goBack();
  await expect(page).toHaveURL(/tab=workloads/);

  await fleet.tab('pods');
  await expect(page.locator('[data-pod^="storefront"]').first()).toBeVisible();
  await fleet.looks('cluster-pods');
  await fleet.tab('events');
  await expect(page.locator('.refresh time')).toBeVisible();
  await fleet.tab('apis');
  await page.getByLabel('Name contains').fill('deployment');
  await expect(page.locator('[data-api]')).toHaveCount(1);
  await expect(page.locator('[data-api="apps/v1"]')).toContainText('Deployment');
  await expect(page).toHaveURL(/name=deployment/);
  await picture(page, 'cluster-apis');
});

test('scheduling is paused and resumed, and the page says so at once', async ({ signedIn: page }) => {
  const fleet = new FleetPage(page);
  await fleet.openCluster('asia', 'hangzhou');
  try {
    await page.getByRole('button', { name: 'Pause scheduling' }).click();
    await expect(page.getByText('Scheduling to hangzhou is paused')).toBeVisible();
    await expect(fleet.state).toContainText('Ready, scheduling paused');
    expect(kubectl('asia', TAINTS)).toContain('cluster.karmada.io/unschedulable');
    await fleet.looks('cluster-paused');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(fleet.state).not.toContainText('paused');
    // What somebody else does is told, too.
    kubectl('asia', ['patch', 'cluster', 'hangzhou', '--type=merge', '-p', UNSCHEDULABLE]);
    await expect(fleet.state).toContainText('scheduling paused');
    await page.getByRole('button', { name: 'Resume scheduling' }).click();
    await expect(fleet.state).not.toContainText('paused');
  } finally {
    kubectl('asia', ['patch', 'cluster', 'hangzhou', '--type=merge', '-p', '{"spec":{"taints":null}}']);
  }
});

const UNSCHEDULABLE = JSON.stringify({
  spec: { taints: [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }] },
});

test('labels and taints are changed, and what cannot be one is not sent', async ({ signedIn: page }) => {
  const fleet = new FleetPage(page);
  await fleet.openCluster('asia', 'hangzhou');
  try {
    await page.getByRole('button', { name: 'Edit labels' }).click();
    const labels = page.getByRole('dialog', { name: 'Labels of hangzhou' });
    const before = await labels.getByLabel(/^Labels: key/).count();
    await labels.getByRole('button', { name: 'Add label' }).click();
    await labels.getByLabel(`Labels: key ${before + 1}`).fill('not a key');
    await expect(labels.getByText(/“not a key” is no key/)).toBeVisible();
    await expect(labels.getByRole('button', { name: 'Save' })).toBeDisabled();
    await labels.getByLabel(`Labels: key ${before + 1}`).fill(LABEL);
    await labels.getByLabel(`Labels: value ${before + 1}`).fill('gold');
    await picture(page, 'cluster-labels');
    await labels.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator(`[data-label="${LABEL}"]`)).toContainText('gold');

    await page.getByRole('button', { name: 'Edit labels' }).click();
    await labels.getByRole('button', { name: `Remove Labels ${await labelRow(labels, LABEL)}` }).click();
    await labels.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator(`[data-label="${LABEL}"]`)).toHaveCount(0);

    await page.getByRole('button', { name: 'Edit taints' }).click();
    const taints = page.getByRole('dialog', { name: 'Taints of hangzhou' });
    await taints.getByRole('button', { name: 'Add taint' }).click();
    await taints.getByLabel('Taints: key 1').fill('e2e.kairship.io/slow');
    await taints.getByRole('combobox', { name: 'Effect 1' }).click();
    await page.getByTitle('NoExecute', { exact: true }).click();
    await expect(taints.getByText('NoExecute evicts what runs on hangzhou')).toBeVisible();
    await picture(page, 'cluster-taints');
    await taints.getByRole('combobox', { name: 'Effect 1' }).click();
    await page.getByTitle('NoSchedule', { exact: true }).click();
    await expect(taints.getByText('NoExecute evicts')).toHaveCount(0);
    await taints.getByRole('button', { name: 'Save' }).click();
    await expect(page.locator('[data-taint="e2e.kairship.io/slow"]')).toContainText('NoSchedule');
    expect(kubectl('asia', TAINTS)).toContain('e2e.kairship.io/slow');
  } finally {
    kubectl('asia', ['label', 'cluster', 'hangzhou', `${LABEL}-`]);
    kubectl('asia', ['patch', 'cluster', 'hangzhou', '--type=merge', '-p', '{"spec":{"taints":null}}']);
  }
  await expect(page.locator('[data-taint]')).toHaveCount(0);
});

/** In which row of the dialog a label stands. */
async function labelRow(dialog: Locator, key: string): Promise<number> {
  const keys = await dialog
    .getByLabel(/^Labels: key/)
    .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
  return keys.indexOf(key) + 1;
}

test('a viewer is shown a cluster, and no way to change it', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/clusters/europe/frankfurt');
  await expect(page.locator('.detail-state')).toContainText('Ready');
  await expect(page.locator('[data-not-allowed="schedule"]')).toBeVisible();
  for (const name of ['Pause scheduling', 'Unjoin', 'Edit labels', 'Edit taints']) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
});

test('a cluster that is not joined is said not to be', async ({ signedIn: page }) => {
  await page.goto('/clusters/asia/atlantis');
  await expect(page.getByText('Cluster “atlantis” not found')).toBeVisible();
  await page.getByRole('link', { name: 'Go to asia' }).click();
  await expect(page).toHaveURL(/\/clusters\/asia$/);
});
