import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { DetailPage } from './pages/detail';
import { PalettePage } from './pages/palette';

// The pictures of docs/tour.md, from the running product: `make tour` puts them there.
const FOLDER = process.env.KAIRSHIP_TOUR ?? 'test-results/tour';

const take = (page: Page, name: string) => page.screenshot({ path: `${FOLDER}/${name}.png` });
const live = (page: Page) => expect(page.locator('.link-mark.is-live')).toBeVisible();

test('the tour begins with what is wrong now', async ({ signedIn: page }) => {
  await page.goto('/');
  await expect(page.locator('[data-cause="CRASH_LOOP"]')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Totals' })).toContainText('Running');
  await live(page);
  await take(page, 'overview');
});

test('it shows every workload in every cluster', async ({ workloads, page }) => {
  await workloads.open('?instance=asia');
  await workloads.live();
  await take(page, 'workloads');
});

test('it says why something is not there', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/card-vault');
  await expect(detail.finding('AFFINITY_NOT_MATCHED')).toBeVisible();
  await expect(page.getByText('compliance not set').first()).toBeVisible();
  await live(page);
  await take(page, 'why');
});

test('it draws the way from a template to its pods', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/gateway', '?tab=topology');
  await expect(detail.graph.locator('[data-node]').first()).toBeVisible();
  await expect(detail.graph.getByText(/^gateway-/).nth(3)).toBeVisible();
  await take(page, 'topology');
});

test('it shows instances and their members', async ({ signedIn: page }) => {
  await page.goto('/clusters');
  await expect(page.locator('[data-cluster="tokyo"]')).toContainText('Ready');
  await live(page);
  await take(page, 'clusters');
});

test('it finds everything by its name', async ({ signedIn: page }) => {
  const palette = new PalettePage(page);
  await page.goto('/');
  await expect(page.locator('[data-cause="CRASH_LOOP"]')).toBeVisible();
  await palette.search('checkout');
  await expect(palette.options.filter({ hasText: 'shop/checkout-config' }).first()).toBeVisible();
  await take(page, 'search');
});

test('it is dark at night', async ({ signedIn: page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/fraud-check');
  await expect(detail.finding('CRASH_LOOP')).toBeVisible();
  await live(page);
  await take(page, 'crash-dark');
});
