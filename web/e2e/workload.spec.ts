import { expect, expectAccessible, picture, signInTab, test } from './fixtures';
import { WorkloadsPage } from './pages/workloads';

test('a workload shows its three facts, each cluster, its policy and its template', async ({
  workload,
  page,
}) => {
  await workload.open('asia', 'payments', 'Deployment', 'fraud-check');
  await expect(workload.fact('scheduled')).toHaveAttribute('data-value', 'TRUE');
  await expect(workload.fact('applied')).toHaveAttribute('data-value', 'TRUE');
  await expect(workload.fact('healthy')).toHaveAttribute('data-value', 'FALSE');
  await expect(workload.number('hangzhou', 'ready')).toHaveText('2');
  await expect(workload.number('singapore', 'ready')).toHaveText('0');
  await expect(page.locator('.policy')).toContainText('fraud-check');
  await expectAccessible(page);
  await picture(page, 'workload');

  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'workload-phone');
});

test('a workload that is nowhere says why', async ({ workload, page }) => {
  await workload.open('asia', 'shop', 'Deployment', 'coupon-experiment');
  await expect(workload.fact('scheduled')).toContainText('NoPolicy');
  await expect(page.getByText('No policy claims it')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'workload-nowhere');
});

test('the YAML tab shows the manifest and has an address of its own', async ({ workload, page }) => {
  await workload.open('asia', 'shop', 'Deployment', 'cart');
  await page.getByRole('link', { name: 'YAML' }).click();
  await expect(page).toHaveURL(/tab=yaml/);
  await expect(page.locator('.tabs [aria-current]')).toHaveText(['YAML']);
  await expect(workload.yaml).toContainText('kind: Deployment');
  await expect(workload.yaml).toContainText('name: cart');
  await expectAccessible(page);
  await picture(page, 'workload-yaml');
  await page.reload();
  await expect(workload.yaml).toContainText('kind: Deployment');
});

test('a workload and an instance that are not there say so', async ({ signedIn, page }) => {
  await signedIn.goto('/workloads/asia/shop/deployment/no-such-thing');
  await expect(page.getByText('Workload not found')).toBeVisible();
  await signedIn.goto('/workloads/atlantis/shop/deployment/cart');
  await expect(page.getByText('Instance “atlantis” not found')).toBeVisible();
});

test('scaling through the page changes the chips of an open list without a reload', async ({
  workload,
  page,
  context,
  token,
}) => {
  const watcher = await context.newPage();
  await signInTab(watcher, token);
  const list = new WorkloadsPage(watcher);
  await list.open('?instance=asia&namespace=shop');
  await list.live();
  const row = list.row('Deployment', 'shop', 'storefront');
  await expect(list.chip(row, 'tokyo')).toHaveAttribute('data-count', /^\d+\/\d+$/);
  await watcher.evaluate(() => ((window as { untouched?: boolean }).untouched = true));

  await workload.open('asia', 'shop', 'Deployment', 'storefront');
  const before = Number(await workload.number('tokyo', 'desired').textContent());
  const wanted = before === 5 ? 4 : 5;
  await picture(watcher, 'scale-before');
  try {
    await workload.scaleTo(wanted);
    await expect(page.getByText(`Karmada accepted ${wanted} replicas`)).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'scale');
    for (const cluster of ['hangzhou', 'singapore', 'tokyo']) {
      await expect(list.chip(row, cluster)).toHaveAttribute('data-count', `${wanted}/${wanted}`, {
        timeout: 30_000,
      });
    }
    await picture(watcher, 'scale-after');
    await page.keyboard.press('Escape');
    await expect(workload.number('tokyo', 'ready')).toHaveText(String(wanted));
    expect(await watcher.evaluate(() => (window as { untouched?: boolean }).untouched)).toBe(true);
  } finally {
    await workload.open('asia', 'shop', 'Deployment', 'storefront');
    await workload.scaleTo(before);
    await expect(page.getByText(`Karmada accepted ${before} replicas`)).toBeVisible();
  }
});

for (const typed of ['', '-3', '999999', '2.7', '1e3', ' 5 ']) {
  test(`replicas “${typed}” are not sent, nor made into a number`, async ({ workload, page }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('ScaleWorkload')) sent.push(request.postData() ?? '');
    });
    await workload.open('asia', 'shop', 'Deployment', 'cart');
    await workload.scaleButton.click();
    await workload.replicas.fill(typed);
    await expect(page.getByText('a whole number from 0 to 100000')).toBeVisible();
    await expect(workload.scaleForm.getByRole('button', { name: 'Scale' })).toBeDisabled();
    await workload.replicas.press('Enter');
    await workload.replicas.blur();
    await expect(workload.replicas).toHaveValue(typed);
    await expectAccessible(page);
    expect(sent).toEqual([]);
  });
}

test('a name that cannot be is not searched for, nor made into one', async ({ workloads, page }) => {
  await workloads.open('?instance=asia&namespace=shop');
  const name = page.getByLabel('Name contains');
  await name.fill(' cart ');
  await expect(page.getByText('Names have no spaces')).toBeVisible();
  await expect(name).toHaveValue(' cart ');
  expect(new URL(page.url()).searchParams.get('name')).toBeNull();
  await name.fill('cart');
  await expect(page).toHaveURL(/name=cart/);
});
