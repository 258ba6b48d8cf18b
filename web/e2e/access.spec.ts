import type { Page } from '@playwright/test';
import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

test.use({ ignoreHTTPSErrors: true });

const binding = (page: Page, name: string) => page.locator(`tr[data-binding="${name}"]`);
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

const WHO = 'kairship:oidc:e2e-newcomer';

test.afterAll(() => {
  const names = kubectl('host', [
    'get',
    'accessbindings',
    '-o',
    'jsonpath={range .items[*]}{.metadata.name} {.spec.subject.name}{"\\n"}{end}',
  ]);
  for (const line of names.split('\n')) {
    const [name, subject] = line.split(' ');
    if (name && subject === WHO) kubectl('host', ['delete', 'accessbinding', name]);
  }
});

test('an owner sees who has which role where and why, grants one and revokes it', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('owner', '/access');
  const editor = binding(page, 'asia-editor');
  await expect(editor).toContainText('Editor');
  await expect(editor).toContainText('asia: payments, shop');
  await expect(editor).toContainText('Manifest');
  await expect(editor.locator('[data-force="yes"]')).toBeVisible();
  await expect(editor.locator('[data-not-allowed="revoke"]')).toBeVisible();
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'access');

  await page.getByRole('button', { name: 'Grant role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Grant a role' });
  await dialog.getByRole('combobox', { name: 'Name', exact: true }).fill('newcomer');
  await expect(dialog.getByText('is no name')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Grant role' })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Name', exact: true }).fill(WHO);
  await dialog.getByRole('combobox', { name: 'Namespaces' }).fill('shop,payments,');
  await expectAccessible(page);
  await picture(page, 'access-grant');
  await dialog.getByRole('button', { name: 'Grant role' }).click();
  await expect(page.getByText('e2e-newcomer is Viewer in asia: payments, shop.')).toBeVisible();
  const granted = page.locator(`tr[data-subject="${WHO}"]`);
  await expect(granted).toContainText('Granted here · owner');

  await granted.getByRole('button', { name: 'Revoke' }).click();
  const revoke = page.getByRole('dialog', { name: 'Revoke Viewer from e2e-newcomer' });
  await expect(revoke).toContainText('loses the role Viewer in asia: payments, shop');
  await expect(revoke.getByRole('button', { name: 'Revoke' })).toBeDisabled();
  await expectAccessible(page);
  await picture(page, 'access-revoke');
  await revoke.getByRole('textbox').fill('e2e-newcomer');
  await revoke.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('e2e-newcomer is no longer Viewer.')).toBeVisible();
  await expect(granted).toHaveCount(0);

  await page.goto('/access?instance=europe&by=person');
  await expect(page.locator('tr[data-person="kairship:oidc:europe-viewers"]')).toContainText('Viewer');
  await picture(page, 'access-people');

  await page.goto('/access?role=Editor');
  await expect(editor).toBeVisible();
  await expect(binding(page, 'platform-owners')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'access-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'access-phone');
});

test('a viewer sees their own roles, and grants none', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/access');
  await expect(binding(page, 'europe-viewers')).toBeVisible();
  await expect(binding(page, 'asia-editor')).toHaveCount(0);
  await expect(page.locator('[data-not-allowed="grant"]')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Grant role' })).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'access-viewer');
});

test('who has no role is told so on every page', async ({ page, manners, signedInAs }) => {
  manners.tolerate(/403/);
  await signedInAs('stranger', '/access');
  for (const path of ['/access', '/policies', '/resources', '/events']) {
    await page.goto(path);
    await expect(page.getByText('You have no role here yet')).toBeVisible();
  }
});
