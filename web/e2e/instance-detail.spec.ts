import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl, playground } from './fleet';
import { FleetPage } from './pages/fleet';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

test('an instance is shown with what it has and how its parts do', async ({ signedIn: page }) => {
  const fleet = new FleetPage(page);
  await page.goto('/clusters');
  await page.getByRole('heading', { level: 2, name: 'asia' }).getByRole('link').click();
  await expect(page).toHaveURL(/\/clusters\/asia$/);
  await expect(fleet.state).toHaveText('Running');
  await expect(page.locator('[data-cluster]')).toHaveCount(3);
  await expect(page.locator('[data-component="Scheduler"]')).toBeVisible();
  await expect(page.locator('[data-statistics="asia"] [data-kind="Deployment"]')).toBeVisible();
  await page.getByText(/^Conditions \d+$/).click();
  await expect(page.locator('[data-condition-of-all="Ready"]')).toHaveAttribute('data-status', 'TRUE');
  await fleet.looks('instance');
  await fleet.tab('charts');
  await expect(page.locator('[data-charts="asia"]')).toBeVisible();
  await fleet.tab('operations');
  await expect(page.getByRole('status').getByText(/^Long changes/)).toBeVisible();
});

test('a member that is away is said in the same breath as that it runs', async ({ signedIn: page }) => {
  test.setTimeout(240_000);
  const fleet = new FleetPage(page);
  await fleet.openInstance('asia');
  await expect(fleet.state).toHaveText('Running');
  playground('stop', 'hangzhou');
  try {
    await expect(fleet.state).toHaveText('Running, 1 member unreachable', { timeout: 120_000 });
    await expect(page.locator('[data-cluster]').first()).toHaveAttribute('data-cluster', 'hangzhou');
    await fleet.looks('instance-member-away');
    await fleet.openCluster('asia', 'hangzhou');
    await expect(fleet.state).toContainText(/Offline|Unknown/);
    await fleet.looks('cluster-away');
  } finally {
    playground('start', 'hangzhou');
  }
  await expect(fleet.state).toContainText('Ready', { timeout: 120_000 });
});

test('settings are saved, are in force, and are taken away again', async ({ signedIn: page }) => {
  test.setTimeout(240_000);
  const fleet = new FleetPage(page);
  const settings = ['get', 'instance', 'asia', '-o', 'jsonpath={.spec.settings}'];
  await fleet.openInstance('asia', '?tab=settings');
  try {
    await page.getByRole('combobox', { name: 'Evict workloads from clusters that fail' }).click();
    await page.getByTitle('On', { exact: true }).click();
    // Of a control plane that somebody else runs, only they say when a cluster counts as failed.
    await expect(page.getByText('whoever runs it sets that')).toBeVisible();
    const revisions = page.getByLabel('Revisions kept of each workload');
    await revisions.fill('7.5');
    await expect(page.getByText('“7.5” is not a whole number from 0 to 100')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
    await revisions.fill('7');
    await fleet.looks('instance-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The settings of asia were saved')).toBeVisible();
    expect(kubectl('host', settings)).toContain('7');
    await expect(page.locator('[data-settings-applied="TRUE"]')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('The settings were changed since you began')).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Evict workloads from clusters that fail' }).click();
    await page.getByTitle('Not set', { exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => kubectl('host', settings)).not.toContain('failover');
  } finally {
    kubectl('host', ['patch', 'instance', 'asia', '--type=merge', '-p', '{"spec":{"settings":null}}']);
  }
});

test('what stands in the way of a deletion is said before anything is asked', async ({ signedIn: page }) => {
  const fleet = new FleetPage(page);
  await fleet.openInstance('europe');
  await page.getByRole('button', { name: /^(Delete|Detach)$/ }).click();
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: /^(Delete|Detach)$/ });
  await dialog.getByLabel('Type europe to confirm').fill('europ');
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Type europe to confirm').fill('europe');
  const managed =
    kubectl('host', ['get', 'instance', 'europe', '-o', 'jsonpath={.spec.source}']) === 'Managed';
  if (managed) {
    await expect(dialog.locator('[data-in-the-way]')).toContainText('cluster');
    await expect(submit).toBeDisabled();
  } else {
    await expect(dialog.getByText('Nothing stands in the way')).toBeVisible();
  }
  await expectAccessible(page);
  await picture(page, 'instance-delete');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a viewer is shown an instance, its settings, and no way to change it', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/clusters/europe');
  await expect(page.locator('.detail-state')).toContainText('Running');
  await expect(page.locator('[data-not-allowed="instance"]')).toBeVisible();
  for (const name of ['Edit', 'Delete', 'Detach']) {
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  }
  await page.locator('[data-tab="settings"]').click();
  await expect(page.getByText('It takes the role Admin on all of europe')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0);
});
