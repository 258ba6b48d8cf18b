import { expect, expectAccessible, picture, test } from './fixtures';

const FLEET: Record<string, Record<string, string>> = {
  asia: { hangzhou: 'Push', singapore: 'Push', tokyo: 'Pull' },
  europe: { frankfurt: 'Push' },
};

test('every instance and cluster is shown with its state, mode and freshness', async ({ signedIn, page }) => {
  await signedIn.goto('/clusters');
  for (const [instance, clusters] of Object.entries(FLEET)) {
    const section = page.locator(`[data-instance="${instance}"]`);
    await expect(section).toHaveAttribute('data-state', 'RUNNING');
    for (const [cluster, mode] of Object.entries(clusters)) {
      const row = section.locator(`[data-cluster="${cluster}"]`);
      await expect(row).toContainText('Ready');
      await expect(row).toContainText(mode);
      await expect(row).toContainText('Live');
      await expect(row.getByRole('meter')).toHaveCount(2);
    }
  }
  await expectAccessible(page);
  await picture(page, 'clusters');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'clusters-dark');
});

test('the instance switch narrows the page and the address', async ({ signedIn, page }) => {
  await signedIn.goto('/clusters');
  await expect(page.locator('[data-instance]')).toHaveCount(Object.keys(FLEET).length);
  await page.getByRole('combobox', { name: 'Instance' }).click();
  await page.getByTitle('Running').getByText('europe', { exact: true }).click();
  await expect(page).toHaveURL(/\/clusters\?instance=europe$/);
  await expect(page.locator('[data-instance]')).toHaveCount(1);
  await page.getByRole('link', { name: 'Workloads' }).first().click();
  await expect(page).toHaveURL(/\/workloads\?instance=europe$/);
});

test('an instance that is not there says so', async ({ signedIn, page }) => {
  await signedIn.goto('/clusters?instance=atlantis');
  await expect(page.getByText('Instance “atlantis” not found')).toBeVisible();
});
