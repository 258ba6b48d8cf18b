import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl } from './fleet';
import { DetailPage } from './pages/detail';

test('the topology leads from the template to the pods, by keyboard too', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/gateway', '?tab=topology');
  await expect(detail.node('template')).toBeVisible();
  for (const cluster of ['hangzhou', 'singapore']) {
    await expect(detail.node(`work/${cluster}`)).toHaveAttribute('data-tone', 'ok');
    await expect(detail.node(`member/${cluster}`)).toHaveAttribute('data-tone', 'ok');
    await expect(page.locator(`[data-node^="pod/${cluster}/"]`)).toHaveCount(2);
  }
  await expect(detail.node('override/payments/gateway-acquirer')).toBeVisible();
  // It was laid out beside the page, and at once.
  const took = Number(await detail.graph.getAttribute('data-layout-ms'));
  expect(took).toBeLessThan(1_000);
  await expectAccessible(page);
  await picture(page, 'topology');

  await detail.node('template').focus();
  await page.keyboard.press('ArrowRight');
  await expect(detail.node('policy')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(detail.node('binding')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/node=work/);
  await expect(page.locator('[data-node-detail]')).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-node-detail]')).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'topology-dark');
});

test('the topology is a list for those who want one, and on a phone', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/gateway', '?tab=topology');
  await page.getByRole('link', { name: 'Show as a list' }).click();
  await expect(page).toHaveURL(/view=list/);
  const list = page.getByRole('navigation', { name: 'Topology of gateway' });
  await expect(list.locator('[data-item="member/hangzhou"]')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'topology-list');

  await page.setViewportSize({ width: 390, height: 844 });
  await detail.open('asia/payments/deployment/gateway', '?tab=topology');
  await expect(list.locator('[data-item^="pod/"]')).toHaveCount(4);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'topology-phone');
});

test('the topology shows where the way ends', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/shop/deployment/coupon-experiment', '?tab=topology');
  await expect(detail.node('policy')).toContainText('No policy claims it');
  await expect(detail.node('policy')).toHaveAttribute('data-tone', 'bad');
  await picture(page, 'topology-nowhere');
});

test('the topology follows the members without a reload', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/platform/statefulset/metrics-store', '?tab=topology');
  const pods = page.locator('[data-node^="pod/singapore/"]');
  await expect(pods).toHaveCount(1);
  const scale = (replicas: number) =>
    kubectl('asia', ['-n', 'platform', 'scale', 'statefulset/metrics-store', `--replicas=${replicas}`]);
  scale(2);
  try {
    await expect(pods).toHaveCount(2, { timeout: 30_000 });
  } finally {
    scale(1);
  }
  await expect(pods).toHaveCount(1, { timeout: 60_000 });
});
