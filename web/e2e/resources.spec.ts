import type { Page } from '@playwright/test';
import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

test.use({ ignoreHTTPSErrors: true });

const row = (page: Page, name: string) => page.locator(`tr[data-resource="${name}"]`);
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';
const NAMES = ['e2e-bulk-a', 'e2e-bulk-b', 'e2e-bulk-protected'];

test.afterAll(() => {
  for (const name of NAMES) {
    // A patch that finds nothing fails: then there is nothing to clear away.
    const found = kubectl('asia', [
      '-n',
      'shop',
      'get',
      'configmap',
      name,
      '--ignore-not-found',
      '-o',
      'name',
    ]);
    if (!found) continue;
    kubectl('asia', ['-n', 'shop', 'label', 'configmap', name, `${PROTECTED}-`]);
    kubectl('asia', ['-n', 'shop', 'delete', 'configmap', name]);
  }
});

test('every kind is listed, and leads to its objects', async ({ signedIn: page }) => {
  await page.goto('/resources');
  await expect(page.locator('tr[data-kind="ConfigMap.v1"]')).toContainText('asia, europe');
  await expect(page.locator('tr[data-kind="Cache.v1.demo.kairship.io"]')).toContainText('Custom (CRD)');
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'resource-kinds');
  await page.getByLabel('Name contains').fill('cache');
  await expect(page.locator('tr[data-kind="ConfigMap.v1"]')).toHaveCount(0);
  await page.getByRole('table').getByRole('link', { name: 'Cache' }).click();
  await expect(page).toHaveURL(/\/resources\?type=Cache\.v1\.demo\.kairship\.io$/);
  await expect(row(page, 'session-cache').locator('[data-where="hangzhou"]')).toBeVisible();
  await expect(row(page, 'page-cache')).toContainText('In no cluster');
  await picture(page, 'resources-custom');

  await row(page, 'page-cache').getByRole('link', { name: 'page-cache' }).first().click();
  await expect(page.locator('[data-finding]').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'resource-why');
});

test('ConfigMaps of a control plane come and go on the page', async ({ signedIn: page }) => {
  await page.goto('/resources?instance=asia&type=ConfigMap.v1&namespace=shop');
  await expect(row(page, 'checkout-config').locator('[data-where="hangzhou"]')).toHaveAttribute(
    'data-tone',
    'ok',
  );
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'resources');
  kubectl('asia', ['-n', 'shop', 'create', 'configmap', NAMES[0] ?? '', '--from-literal=a=b']);
  await expect(row(page, NAMES[0] ?? '')).toBeVisible();
  kubectl('asia', ['-n', 'shop', 'delete', 'configmap', NAMES[0] ?? '']);
  await expect(row(page, NAMES[0] ?? '')).toHaveCount(0);

  await row(page, 'checkout-config').getByRole('link', { name: 'checkout-config' }).click();
  await expect(page.locator('tr[data-target="hangzhou"]')).toContainText('Applied');
  await expect(page.locator('[data-key]').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'resource');

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'resource-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'resource-phone');
  await page.goto('/resources?instance=asia&type=ConfigMap.v1&namespace=shop');
  await expect(row(page, 'checkout-config')).toBeVisible();
  await noOverflow(page);
  await picture(page, 'resources-phone');
});

test('the values of a Secret are never shown', async ({ signedIn: page }) => {
  await page.goto('/resources/asia/Secret.v1/shop/checkout-keys?tab=yaml');
  await expect(page.getByText('Values are hidden')).toBeVisible();
  await expect(page.locator('[data-yaml]')).toContainText('<hidden:');
  await expectAccessible(page);
  await picture(page, 'secret');
});

test('several objects are deleted at once, each with its own outcome', async ({ signedIn: page }) => {
  for (const name of NAMES)
    kubectl('asia', ['-n', 'shop', 'create', 'configmap', name, '--from-literal=a=b']);
  kubectl('asia', ['-n', 'shop', 'label', 'configmap', 'e2e-bulk-protected', `${PROTECTED}=Always`]);
  await page.goto('/resources?instance=asia&type=ConfigMap.v1&namespace=shop&name=e2e-bulk');
  for (const name of NAMES) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bulk = page.getByRole('region', { name: 'Selected objects' });
  await expect(bulk).toContainText('3 selected');
  await bulk.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 3 objects' });
  await expect(dialog.locator('[data-deletion-preview]')).toContainText('e2e-bulk-a');
  await expectAccessible(page);
  await picture(page, 'resources-bulk');
  await dialog.getByRole('textbox').fill('3');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.locator('[data-outcome="done"]')).toHaveCount(2);
  await expect(dialog.locator('[data-outcome="refused"]')).toContainText('e2e-bulk-protected');
  await expectAccessible(page);
  await picture(page, 'resources-bulk-outcome');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(row(page, 'e2e-bulk-a')).toHaveCount(0);
  await expect(row(page, 'e2e-bulk-protected')).toBeVisible();
});

test('a viewer deletes nothing, and is told so; an object that is not there says so', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('viewer', '/resources?type=Service.v1');
  await expect(page.getByRole('heading', { name: 'Resources' })).toBeVisible();
  await page.goto('/resources?instance=europe&type=Namespace.v1');
  await row(page, 'shop').getByRole('link', { name: 'shop' }).click();
  await expect(page.locator('[data-not-allowed="delete"]')).toContainText('delete namespaces');
  await page.goto('/resources/europe/ConfigMap.v1/shop/no-such');
  await expect(page.getByText('Object not found')).toBeVisible();
  await expectAccessible(page);
});
