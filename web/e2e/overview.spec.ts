import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl, playground } from './fleet';
import { PalettePage } from './pages/palette';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const cause = (page: Page, code: string) => page.locator(`[data-cause="${code}"]`);
const affected = (page: Page, code: string, key: string) =>
  cause(page, code).locator(`[data-affected="${key}"]`);

async function noWiderThanTheWindow(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, 'nothing is wider than the window').toBeLessThanOrEqual(0);
  const content = page.locator('#content');
  expect(await content.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
}

test('what is wrong is grouped by its cause, each one click from where it can be seen', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('owner', '/');
  const crash = affected(page, 'CRASH_LOOP', 'asia/payments/fraud-check/Deployment');
  await expect(crash).toContainText('asia / singapore');
  await expect(affected(page, 'NO_POLICY', 'asia/shop/coupon-experiment/Deployment')).toBeVisible();
  await expect(affected(page, 'AFFINITY_NOT_MATCHED', 'asia/payments/card-vault/Deployment')).toBeVisible();
  await expect(cause(page, 'NO_POLICY').locator('.cause-count')).toHaveText(/workload/);
  // Nothing that is well is among it.
  await expect(page.locator('[data-affected^="europe/shop/"]')).toHaveCount(0);
  await crash.getByRole('link').click();
  await expect(page).toHaveURL(/\/workloads\/asia\/payments\/deployment\/fraud-check\?cluster=singapore$/);
  await page.goBack();
  await expect(crash).toBeVisible();
});

test('the overview is accessible and no wider than the window, light and dark, wide and on a phone', async ({
  signedIn: page,
}) => {
  await page.goto('/');
  await expect(cause(page, 'CRASH_LOOP')).toBeVisible();
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  await expect(page.locator('[data-change]').or(page.getByText('Nothing was done')).first()).toBeVisible();
  await expectAccessible(page);
  await noWiderThanTheWindow(page);
  await picture(page, 'overview');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await picture(page, 'overview-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await noWiderThanTheWindow(page);
  await picture(page, 'overview-phone');
  await page.setViewportSize({ width: 1600, height: 1000 });
  await picture(page, 'overview-wide');
});

test('totals are what there is, and lead to the lists of it', async ({ signedIn: page }) => {
  await page.goto('/?instance=asia');
  await expect(page.locator('[data-total="clusters"]')).toContainText('3/3');
  const deployments = page.locator('[data-total="Deployment"]');
  const count = kubectl('asia', ['get', 'deployments.apps', '-A', '-o', 'name']).split('\n').length;
  await expect(deployments).toContainText(`/${count}`);
  await page.locator('[data-total="DEGRADED"]').click();
  await expect(page).toHaveURL(/\/workloads\?instance=asia&state=degraded$/);
  const rows = page.locator('[data-workload]');
  await expect(rows.filter({ hasText: 'fraud-check' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'storefront' })).toHaveCount(0);
});

test('a viewer sees what is theirs, and why the rest is not there', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/');
  await expect(page.locator('[data-total="instances"]')).toContainText('1');
  await expect(page.getByText('Your roles show no part of the audit log.')).toBeVisible();
  await expect(page.locator('[data-well="true"]')).toContainText('Nothing is wrong');
  await expect(page.locator('[data-affected^="asia"]')).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'overview-viewer');
});

test('who has no role is told so', async ({ page, manners, signedInAs }) => {
  manners.tolerate(/403/);
  await signedInAs('stranger', '/');
  await expect(page.getByText('You have no role here yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Search' })).toHaveCount(0);
  await expectAccessible(page);
});

test('an instance that there is not leads back to all of them, in Chinese, too', async ({
  signedIn: page,
}) => {
  await page.goto('/?instance=atlantis');
  await expect(page.getByText('atlantis').first()).toBeVisible();
  await page.locator('.blank').getByRole('link').click();
  await expect(page).toHaveURL(/\/$/);
  await page.evaluate(() => localStorage.setItem('kairship.language', 'zh'));
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('概览');
  await expect(cause(page, 'NO_POLICY')).toContainText('没有策略选中它');
  await expectAccessible(page);
  await picture(page, 'overview-chinese');
});

test('what goes wrong appears within a second, and goes when it is mended', async ({ signedIn: page }) => {
  const name = 'e2e-overview';
  await page.goto('/');
  await expect(cause(page, 'NO_POLICY')).toBeVisible();
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const one = affected(page, 'NO_POLICY', `asia/shop/${name}/Deployment`);
  try {
    kubectl('asia', ['-n', 'shop', 'create', 'deployment', name, '--image=registry.example/e2e:1']);
    const made = Date.now();
    await expect(one).toBeVisible();
    test.info().annotations.push({ type: 'shown after', description: `${Date.now() - made} ms` });
  } finally {
    kubectl('asia', ['-n', 'shop', 'delete', 'deployment', name, '--ignore-not-found']);
  }
  await expect(one).toHaveCount(0);
});

test('a member that is away is the cause of what it takes along, until it is back', async ({
  signedIn: page,
}) => {
  test.setTimeout(300_000);
  const palette = new PalettePage(page);
  await page.goto('/');
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  playground('stop', 'tokyo');
  try {
    const tokyo = cause(page, 'CLUSTER_OFFLINE').or(cause(page, 'CLUSTER_NOT_READY'));
    await expect(tokyo.locator('[data-affected="asia/tokyo"]')).toBeVisible({ timeout: 120_000 });
    // The member first, and so many of its workloads; the others behind the link.
    await expect(tokyo.locator('[data-affected^="asia/payments/"]').first()).toBeVisible({
      timeout: 120_000,
    });
    await tokyo.getByRole('link', { name: /^Show all/ }).click();
    await expect(page).toHaveURL(/cause=CLUSTER_/);
    await expect(tokyo.locator('[data-affected^="asia/shop/"]').first()).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'overview-member-away');
    await palette.search('storefront');
    await expect(page.locator('[data-search="old"]')).toContainText('asia / tokyo');
    await picture(page, 'palette-old');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  } finally {
    playground('start', 'tokyo');
  }
  await expect(page.locator('[data-affected="asia/tokyo"]')).toHaveCount(0, { timeout: 180_000 });
});
