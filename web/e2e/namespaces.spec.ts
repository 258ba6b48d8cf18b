import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl } from './fleet';

test.use({ ignoreHTTPSErrors: true });

const row = (page: Page, name: string) => page.locator(`tr[data-namespace="${name}"]`);
const asia = (args: string[], input?: string) => kubectl('asia', args, input);
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

const NAME = 'e2e-namespace';

test.afterAll(() => {
  asia(['delete', 'namespace', NAME, '--ignore-not-found', '--wait=false']);
});

test('the namespaces of all instances, with what is in them', async ({ signedIn: page }) => {
  await page.goto('/namespaces');
  await expect(row(page, 'shop')).toHaveCount(2); // asia and europe
  const shop = row(page, 'shop').filter({ hasText: 'asia' });
  await expect(shop.locator('.col-state')).toContainText('Active');
  await expect(shop.locator('.col-workloads')).toHaveText(/^[1-9]\d*$/);
  await expect(shop.locator('.col-policies')).toHaveText(/^[1-9]\d*$/);
  await expect(shop.locator('.col-labels')).toContainText('team=storefront');
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'namespaces');

  await shop.locator('.col-workloads a').click();
  await expect(page).toHaveURL(/\/workloads\?instance=asia&namespace=shop$/);
  await page.goBack();

  await page.getByLabel('Name contains').fill('pay');
  await expect(row(page, 'shop')).toHaveCount(0);
  await expect(page).toHaveURL(/name=pay/);
  await expect(row(page, 'payments')).toHaveCount(2);

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'namespaces-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'namespaces-phone');
});

test('a namespace is created, filled and deleted with what it holds', async ({ signedIn: page }) => {
  asia(['delete', 'namespace', NAME, '--ignore-not-found']);
  await page.goto('/namespaces?instance=asia');
  await expect(row(page, 'shop')).toBeVisible();
  await page.getByRole('button', { name: 'Create namespace' }).click();
  const create = page.getByRole('dialog', { name: 'Create a namespace' });
  const name = create.getByLabel('Name', { exact: true });
  await name.fill('Not A Name');
  await expect(create.getByText('“Not A Name” is not the name of a namespace.')).toBeVisible();
  await expect(create.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();
  await name.fill('shop');
  await create.getByRole('button', { name: 'Dry run' }).click();
  // It is there already: the API server says so.
  await expect(create.getByText(/already exists/)).toBeVisible();
  await name.fill(NAME);
  await create.getByRole('button', { name: 'Add label' }).click();
  await create.getByLabel('Labels: key 1').fill('team');
  await create.getByLabel('Labels: value 1').fill('e2e');
  await create.getByRole('checkbox', { name: 'Propagate it to every member' }).uncheck();
  await expectAccessible(page);
  await picture(page, 'namespace-create');
  await create.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText(`Karmada accepted the namespace ${NAME} in asia.`)).toBeVisible();
  await expect(row(page, NAME)).toBeVisible();
  await expect(row(page, NAME)).toContainText('Not propagated');
  await expect(row(page, NAME)).toContainText('team=e2e');
  const labels = asia(['get', 'namespace', NAME, '-o', 'jsonpath={.metadata.labels}']);
  expect(JSON.parse(labels)).toMatchObject({
    team: 'e2e',
    'namespace.karmada.io/skip-auto-propagation': 'true',
  });

  // Its page has its YAML and its events.
  await row(page, NAME).getByRole('link', { name: NAME }).click();
  await page.getByRole('link', { name: 'YAML' }).click();
  await expect(page.locator('[data-yaml]')).toContainText('skip-auto-propagation');
  await page.locator('.tabs').getByRole('link', { name: 'Events' }).click();
  await expect(page).toHaveURL(/tab=events/);

  asia(['-n', NAME, 'create', 'configmap', 'held', '--from-literal=a=b']);
  await page.goto('/namespaces?instance=asia');
  await page.getByRole('button', { name: `Delete ${NAME}` }).click();
  const dialog = page.getByRole('dialog', { name: `Delete Namespace ${NAME}` });
  await expect(dialog.locator('[data-deletion-preview]')).toBeVisible();
  await expect(dialog.locator('[data-dry-run="refused"]')).toContainText('1 ConfigMaps');
  await expectAccessible(page);
  await picture(page, 'namespace-delete');
  await dialog.getByRole('textbox').fill(NAME);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  // The guard holds: the server says why at the box that is to blame.
  await expect(dialog.getByText(/holds 1 ConfigMaps/).first()).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Delete also what it holds' }).check();
  await expect(dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(`Namespace ${NAME} is being deleted.`)).toBeVisible();
  await expect(row(page, NAME)).toHaveCount(0, { timeout: 60_000 });
});

test('what the control plane needs is not deleted', async ({ signedIn: page }) => {
  await page.goto('/namespaces?instance=asia&name=default');
  await page.getByRole('button', { name: 'Delete default' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Namespace default' });
  await expect(dialog).toContainText('This deletion would be refused');
  await expect(dialog).toContainText('control plane itself needs');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a viewer reads namespaces, and creates and deletes none', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/namespaces');
  await expect(row(page, 'shop')).toHaveCount(1);
  await expect(page.locator('[data-not-allowed="create-namespace"]')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0);
  await row(page, 'shop').getByRole('link', { name: 'shop' }).click();
  await expect(page.locator('[data-not-allowed="delete"]')).toContainText('delete namespaces');
  await expectAccessible(page);
});
