import type { Page } from '@playwright/test';
import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const row = (page: Page, name: string) => page.locator(`tr[data-policy="${name}"]`);
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

const NAME = 'e2e-policy';
const POLICY = `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: ${NAME}, namespace: shop}
spec:
  resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: ${NAME}}]
  placement:
    clusterAffinity: {clusterNames: [tokyo]}
`;

/** The control plane of asia is a cluster of the playground like any other. */
const asia = (args: string[], input?: string) => kubectl('asia', args, input);

test.afterAll(() => {
  asia(['-n', 'shop', 'delete', 'propagationpolicy,configmap', NAME, '--ignore-not-found', '--wait=false']);
});

test('the policies of all instances, in words, with what they reach', async ({ signedIn: page }) => {
  await page.goto('/policies');
  await expect(row(page, 'storefront')).toHaveCount(2); // asia and europe
  const weights = row(page, 'cart').filter({ hasText: 'asia' });
  await expect(weights.locator('.col-says')).toContainText('divided by weight');
  await expect(weights.locator('.col-clusters')).toContainText('hangzhou');
  await expect(weights.locator('.col-claims')).toHaveText('1');
  await expect(row(page, 'platform-agents').first()).toContainText('cluster-wide');
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'policies');

  await page.getByRole('combobox', { name: 'Kind', exact: true }).click();
  await page.getByTitle('ClusterPropagationPolicy', { exact: true }).last().click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/kind=clusterpropagationpolicy/);
  await expect(row(page, 'cart')).toHaveCount(0);
  await expect(row(page, 'platform-agents').first()).toBeVisible();

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'policies-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'policies-phone');
});

test('a policy says what it claims now, and where; a workload leads to it', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1480, height: 900 });
  await page.goto('/workloads?instance=asia&namespace=shop&name=cart');
  await page.locator('.workloads .col-policy').getByRole('link', { name: 'cart' }).click();
  await expect(page).toHaveURL(/\/policies\/asia\/shop\/propagationpolicy\/cart$/);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator('[data-says="replicas"]')).toContainText('divided by weight: ');
  const claim = page.locator('tr[data-claim="cart"]');
  await expect(claim).toContainText('hangzhou 4, singapore 2, tokyo 2');
  await expect(claim.getByRole('link', { name: 'cart' })).toHaveAttribute(
    'href',
    '/workloads/asia/shop/deployment/cart',
  );
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'policy');

  await page.getByRole('link', { name: 'Events', exact: true }).last().click();
  await expect(page).toHaveURL(/tab=events/);
  await expect(page.locator('.tabs [aria-current]')).toHaveText('Events');
  await page.getByRole('link', { name: 'YAML' }).click();
  await expect(page.locator('[data-yaml]')).toContainText('PropagationPolicy');
  await expectAccessible(page);
  await picture(page, 'policy-yaml');
});

test('a policy that comes, changes and goes does so on the page; deleting it asks for its name', async ({
  signedIn: page,
}) => {
  await page.goto('/policies?instance=asia&namespace=shop');
  await expect(row(page, 'cart')).toBeVisible();
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  asia(['apply', '-f', '-'], POLICY);
  await expect(row(page, NAME)).toBeVisible();
  await row(page, NAME).getByRole('link', { name: NAME }).click();
  await expect(page.getByText('It claims nothing now')).toBeVisible();

  // What it claims is told, too.
  asia(['-n', 'shop', 'create', 'configmap', NAME, '--from-literal=a=b']);
  await expect(page.locator(`tr[data-claim="${NAME}"]`)).toContainText('tokyo');

  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete PropagationPolicy ${NAME}` });
  await expect(dialog.locator('[data-deletion-preview]')).toContainText(NAME);
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await expectAccessible(page);
  await picture(page, 'policy-delete');
  await dialog.getByRole('textbox').fill(NAME);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/policies\?instance=asia$/);
  await expect(row(page, 'cart')).toBeVisible();
  await expect(row(page, NAME)).toHaveCount(0);
});

test('an edit shows what it would move before it is saved', async ({ signedIn: page }) => {
  await page.goto('/policies/asia/shop/propagationpolicy/storefront?tab=edit&as=yaml');
  const editor = page.getByRole('textbox', { name: 'Edit storefront' });
  await expect(editor).toContainText('PropagationPolicy');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  // As somebody pastes another version over it.
  const text = asia(['-n', 'shop', 'get', 'propagationpolicy', 'storefront', '-o', 'json']);
  const policy = JSON.parse(text) as { spec: { placement: object }; metadata: { managedFields?: unknown } };
  delete policy.metadata.managedFields;
  policy.spec.placement = { clusterAffinity: { clusterNames: ['tokyo'] } };
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(JSON.stringify(policy));
  await page.getByRole('button', { name: 'Preview' }).click();
  const moved = page.locator('[data-impact] [data-change="MOVED"]', { hasText: 'Deployment' });
  await expect(moved).toContainText('shop/storefront');
  await expect(moved.locator('[data-move="hangzhou"]')).toContainText('3 → –');
  await expect(moved.locator('[data-move="tokyo"]')).toContainText('3');
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'policy-edit');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(page.getByRole('button', { name: 'Preview' })).toBeDisabled();
});

test('a viewer reads policies, and is told why they delete none', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/policies');
  await expect(row(page, 'storefront')).toHaveCount(1);
  await row(page, 'storefront').getByRole('link', { name: 'storefront' }).click();
  await expect(page.locator('[data-not-allowed="delete"]')).toContainText('delete propagationpolicies');
  await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await page.goto('/policies/europe/shop/propagationpolicy/no-such');
  await expect(page.getByText('Policy not found')).toBeVisible();
  await page.goto('/policies/asia/shop/propagationpolicy/cart');
  await expect(page.getByText(/Instance .asia. not found/)).toBeVisible();
});
