import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, expectAccessible, picture, test } from './fixtures';
import { WorkloadPage } from './pages/workload';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const account = (page: Page) => page.getByRole('button', { name: /^Account/ });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('somebody signs in by the browser, comes back to where they wanted to go, and stays', async ({
  page,
  signInPage,
  provider,
}) => {
  await page.goto('/workloads?instance=asia&namespace=shop');
  await expect(signInPage.provider).toBeVisible();
  await expect(signInPage.token).toBeHidden();
  await expectAccessible(page);
  await picture(page, 'sign-in-provider');

  await signInPage.provider.click();
  await provider.signIn('editor');
  await expect(page).toHaveURL(/\/workloads\?instance=asia&namespace=shop$/);
  await expect(page.locator('[data-workload]').first()).toBeVisible();
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  expect(await page.evaluate(() => [sessionStorage.length, document.cookie])).toEqual([0, '']);

  await page.reload();
  await expect(page.locator('[data-workload]').first()).toBeVisible();
  await account(page).click();
  const card = page.getByRole('dialog', { name: 'Account' });
  await expect(card).toContainText('kairship:oidc:editor');
  await expect(card).toContainText('asia: payments, shop');
  await expectAccessible(page);
  await picture(page, 'viewer-editor');
});

test('signing out ends the session, here and at the provider', async ({
  page,
  manners,
  signedInAs,
  signInPage,
  provider,
}) => {
  manners.tolerate(/401/); // what a page asks for in the moment in which its session ends
  await signedInAs('editor');
  await account(page).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await provider.signOut();
  await expect(signInPage.provider).toBeVisible();

  await page.goto('/workloads');
  await expect(page).toHaveURL(/\/sign-in/);
  await signInPage.provider.click();
  await expect(page.getByLabel('Password')).toBeVisible();
});

test('a session that ends elsewhere leads to the sign-in, and from there back', async ({
  page,
  context,
  manners,
  signedInAs,
  signInPage,
}) => {
  manners.tolerate(/401|403|WebSocket/);
  await signedInAs('editor', '/clusters?instance=asia');
  await expect(page.locator('[data-instance="asia"]')).toBeVisible();
  await context.clearCookies({ name: /kairship-session/ });
  await page.getByRole('link', { name: 'Workloads' }).first().click();
  await expect(page.getByText('Your session is over')).toBeVisible();
  await expect(signInPage.provider).toHaveAttribute('href', /return_to=%2F/);
  await expectAccessible(page);
  await picture(page, 'session-over');
});

test('an editor may change their namespaces, and is not offered the audit log', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('editor', '/workloads?instance=asia&namespace=shop&kind=deployment');
  await expect(navigation(page).getByRole('link', { name: 'Audit' })).toHaveCount(0);
  const workload = new WorkloadPage(page);
  await workload.open('asia', 'shop', 'Deployment', 'storefront');
  await expect(workload.scaleButton).toBeVisible();
});

test('a viewer sees their instance, and no way to change it', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/clusters');
  await expect(page.locator('[data-instance]')).toHaveCount(1);
  await expect(page.locator('[data-instance="europe"]')).toBeVisible();
  await expect(navigation(page).getByRole('link', { name: 'Audit' })).toHaveCount(0);

  await page.goto('/workloads?instance=europe&kind=deployment');
  await page.locator('[data-workload] th a').first().click();
  const workload = new WorkloadPage(page);
  await expect(workload.heading).toContainText('Deployment');
  await expect(page.locator('[data-not-allowed="scale"]')).toBeVisible();
  await expect(workload.scaleButton).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'workload-viewer');

  await page.goto('/audit');
  await expect(page.getByText('You may not see this')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'audit-forbidden');
});

test('who has no role is told so, and by whom one is given', async ({ page, manners, signedInAs }) => {
  manners.tolerate(/403/);
  await signedInAs('stranger');
  await expect(page.getByText('You have no role here yet')).toBeVisible();
  await expect(page.getByText('kairship:oidc:stranger').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'no-role');
  // The pages that follow the fleet say the same: the socket that is refused to them ends no session.
  await page.goto('/clusters');
  await expect(page.getByText('You have no role here yet')).toBeVisible();
  await expect(page).toHaveURL(/\/clusters$/);
});

test('the audit log shows what was just done, by whom and how it ended', async ({ page, signedInAs }) => {
  const workload = new WorkloadPage(page);
  await signedInAs('owner');
  await workload.open('asia', 'shop', 'Deployment', 'storefront');
  const before = Number(await workload.number('tokyo', 'desired').textContent());
  await workload.scaleTo(before);
  await expect(page.getByText(`Karmada accepted ${before} replicas`)).toBeVisible();
  await page.keyboard.press('Escape');

  await navigation(page).getByRole('link', { name: 'Audit' }).click();
  const row = page.locator('[data-action="scaleWorkload"]').first();
  // It is written down a moment after it was done, and nothing tells of that.
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(row).toContainText('owner', { timeout: 1_000 });
  }).toPass();
  await expect(row).toContainText('shop/storefront');
  await expect(row.locator('[data-outcome]')).toHaveAttribute('data-outcome', 'SUCCEEDED');
  await expectAccessible(page);
  await picture(page, 'audit');

  await row.getByRole('link').focus();
  await page.keyboard.press('Enter');
  const detail = page.locator('[data-event-detail]');
  await expect(detail).toContainText('kairship:oidc:owner');
  await expect(detail).toContainText('kairship:oidc:platform-owners');
  await expect(detail).toContainText('Mozilla');
  await expect(page).toHaveURL(/event=/);
  await expectAccessible(page);
  await picture(page, 'audit-event');
  await page.keyboard.press('Escape');
  await expect(detail).toHaveCount(0);

  await page.getByLabel('Name contains').fill('no-such-thing');
  await expect(page.getByText('No event matches')).toBeVisible();
  await expect(page).toHaveURL(/\/audit\?name=no-such-thing$/);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(row).toBeVisible();

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'audit-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'audit-phone');
});

test('the audit log is read page by page, from the newest to the older', async ({
  page,
  signedIn,
  token,
}) => {
  // More than one page of it, whatever this fleet was used for before.
  for (let events = 0; events <= 50; events++) {
    const answer = await page.request.post('/graphql', {
      headers: { Authorization: `Bearer ${token}` },
      data: { query: 'mutation { issueKubeconfig(input: { instance: "asia" }) { userErrors { code } } }' },
    });
    expect(answer.ok()).toBe(true);
  }
  await signedIn.goto('/audit');
  const rows = page.locator('[data-event]');
  await expect(rows.first()).toBeVisible();
  const older = page.getByRole('button', { name: 'Older' });
  await expect(older).toBeEnabled();
  const last = await rows.last().getAttribute('data-event');
  await older.click();
  await expect(page).toHaveURL(/after=/);
  await expect(page.locator(`[data-event="${last}"]`)).toHaveCount(0);
  const firstOlder = await rows.first().getAttribute('data-event');
  await page.getByRole('button', { name: 'Newer' }).click();
  // Others go on meanwhile: the first page begins with what they did since.
  await expect(page).not.toHaveURL(/after=/);
  await expect(page.locator(`[data-event="${firstOlder}"]`)).toHaveCount(0);
  await expect(rows.first()).toBeVisible();
});

test('a kubeconfig is issued, shown once and kept as a file; and all are revoked', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('owner', '/clusters?instance=asia');
  const asia = page.locator('[data-instance="asia"]');
  await expect(asia.locator('[data-cluster="tokyo"]')).toBeVisible();
  await asia.getByRole('button', { name: 'Kubeconfig' }).click();
  const dialog = page.getByRole('dialog', { name: 'Kubeconfig for asia' });
  await dialog.getByRole('combobox', { name: 'Current context' }).click();
  await page.getByTitle('tokyo', { exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Namespace' }).fill('shop');
  await dialog.getByRole('combobox', { name: 'Expires after' }).click();
  await page.getByTitle('1 hour', { exact: true }).click();
  await expectAccessible(page);
  await picture(page, 'kubeconfig');

  await dialog.getByRole('button', { name: 'Issue' }).click();
  await expect(dialog.getByText('Shown only once')).toBeVisible();
  await expectAccessible(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('asia-tokyo.kubeconfig.yaml');
  const config = parse(readFileSync(await file.path(), 'utf8')) as {
    'current-context': string;
    contexts: { name: string; context: { namespace?: string } }[];
  };
  const current = config.contexts.find(({ name }) => name === config['current-context']);
  expect(current?.name).toContain('tokyo');
  expect(current?.context.namespace).toBe('shop');
  expect(config.contexts.length).toBeGreaterThan(1);

  await dialog.getByRole('button', { name: 'Revoke all my kubeconfigs' }).click();
  await page.getByRole('button', { name: 'Revoke them' }).click();
  await expect(dialog.getByText(/are revoked/)).toBeVisible();
  await page.keyboard.press('Escape');
  await asia.getByRole('button', { name: 'Kubeconfig' }).click();
  await expect(dialog.getByText('Shown only once')).toHaveCount(0);
});
