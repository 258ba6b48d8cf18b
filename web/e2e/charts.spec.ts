import { expect, expectAccessible, picture, test } from './fixtures';

test('charts show how the numbers of an instance and of a member went', async ({ signedIn: page }) => {
  await page.goto('/clusters?instance=asia');
  await page.getByRole('link', { name: 'Charts of asia' }).click();
  await expect(page).toHaveURL(/chart=asia/);
  const charts = page.locator('[data-chart]');
  // Karmada is scraped every few seconds: a fleet that has just begun has no history yet.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(charts).toHaveCount(4, { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  const nodes = page.locator('[data-chart="Nodes"]');
  await expect(nodes.locator('[data-line="NODES"]')).toHaveText(/All 10$/);
  await expect(nodes.locator('.chart-line').first()).toHaveAttribute('d', /^M/);
  await expectAccessible(page);
  await picture(page, 'charts');

  const slider = nodes.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', /All 10/);

  await page.locator('[data-charts]').getByRole('combobox', { name: 'Cluster' }).click();
  await page.getByTitle('tokyo', { exact: true }).click();
  await expect(page).toHaveURL(/chart=asia%2Ftokyo/);
  await expect(nodes.locator('[data-line="NODES"]')).toHaveText(/All 2$/);
  await page.getByText('24 h', { exact: true }).click();
  await expect(page).toHaveURL(/range=24h/);
  await page.reload();
  await expect(page.getByRole('radio', { name: '24 h' })).toBeChecked();
  await page.getByText('1 h', { exact: true }).click();
  await expect(nodes.locator('[data-line="NODES"]')).toHaveText(/All 2$/);

  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await picture(page, 'charts-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await picture(page, 'charts-phone');
});
