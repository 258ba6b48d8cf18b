import type { Page } from '@playwright/test';
import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const NAME = 'e2e-form';
const OVERRIDE = 'e2e-form-override';

const asia = (args: string[], input?: string) => kubectl('asia', args, input);
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

/** Chooses of the list that a field opens, and closes it. */
async function choose(page: Page, within: string, field: string, option: string) {
  await group(page, within).getByRole('combobox', { name: field, exact: true }).click();
  await page.locator('.ant-select-dropdown:visible').getByTitle(option, { exact: true }).click();
  await page.keyboard.press('Escape');
}

const turnTo = (page: Page, view: 'Form' | 'YAML') =>
  page.locator('.pf-switch').getByText(view, { exact: true }).click();

test.beforeAll(() => {
  const text = `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "shop", "name": "${NAME}"}}`;
  asia(['apply', '-f', '-'], text);
});

test.afterAll(() => {
  const gone = ['--ignore-not-found', '--wait=false'];
  asia(['-n', 'shop', 'delete', 'propagationpolicy,configmap', NAME, ...gone]);
  asia(['-n', 'shop', 'delete', 'overridepolicy', OVERRIDE, ...gone]);
});

test('a propagation policy is made by the form, seen beforehand, edited and deleted', async ({
  signedIn: page,
}) => {
  await page.goto('/policies/new?instance=asia&policy=propagationpolicy');
  await group(page, 'Policy').getByLabel('Name', { exact: true }).fill(NAME);
  await group(page, 'Policy').getByLabel('Namespace', { exact: true }).fill('shop');
  await choose(page, 'Resource selectors 1', 'Kind', 'ConfigMap (v1)');
  await group(page, 'Resource selectors 1').getByLabel('Name', { exact: true }).fill(NAME);
  await choose(page, 'Cluster affinity', 'Clusters', 'tokyo');
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const gained = page.locator('[data-impact] [data-change="GAINED"]');
  await expect(gained).toContainText(`shop/${NAME}`);
  await expect(gained.locator('[data-move="tokyo"]')).toBeVisible();
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'policy-form');

  // The same as YAML: what the form has no field for stays, and is said.
  await turnTo(page, 'YAML');
  await expect(page).toHaveURL(/as=yaml/);
  await expect(page.locator('[data-yaml]')).toContainText(NAME);
  await expect(page.locator('[data-yaml]')).toContainText('tokyo');
  await expect(gained).toBeVisible();
  await turnTo(page, 'Form');
  await expect(group(page, 'Policy').getByLabel('Name', { exact: true })).toHaveValue(NAME);

  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/policies/asia/shop/propagationpolicy/${NAME}$`));
  await expect(page.locator(`tr[data-claim="${NAME}"]`)).toContainText('tokyo');

  await page.goto(`/policies/asia/shop/propagationpolicy/${NAME}?tab=edit`);
  await expect(group(page, 'Policy').getByLabel('Name', { exact: true })).toBeDisabled();
  await choose(page, 'Cluster affinity', 'Clusters', 'singapore');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const moved = page.locator('[data-impact] [data-change="MOVED"]');
  await expect(moved.locator('[data-move="singapore"]')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`Karmada accepted the change of ${NAME}.`)).toBeVisible();
  expect(
    asia([
      '-n',
      'shop',
      'get',
      'propagationpolicy',
      NAME,
      '-o',
      'jsonpath={.spec.placement.clusterAffinity}',
    ]),
  ).toContain('"singapore"');

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Delete PropagationPolicy ${NAME}` });
  await dialog.getByRole('textbox').fill(NAME);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(/\/policies\?instance=asia$/);
});

test('what the server refuses stands at its field', async ({ signedIn: page }) => {
  await page.goto('/policies/asia/shop/propagationpolicy/cart?tab=edit');
  const weight = group(page, 'Static weights 1').getByLabel('Weight', { exact: true });
  await expect(weight).toHaveValue('2');
  await weight.fill('two');
  await expect(group(page, 'Static weights 1')).toContainText('“two” is no whole number.');
  await weight.fill('0');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(
    group(page, 'Static weights 1').getByRole('alert').filter({ hasText: 'weight' }),
  ).toContainText('greater than or equal to 1');
  await expect(weight).toHaveAttribute('aria-invalid', 'true');
  await weight.fill('3');
  await expect(weight).toHaveAttribute('aria-invalid', 'false');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'policy-form-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'policy-form-phone');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await expect(weight).toHaveValue('2');
});

test('an override policy says by the form what it changes where', async ({ signedIn: page }) => {
  await page.goto('/policies/new?instance=asia&policy=overridepolicy');
  await group(page, 'Policy').getByLabel('Name', { exact: true }).fill(OVERRIDE);
  await group(page, 'Policy').getByLabel('Namespace', { exact: true }).fill('shop');
  await group(page, 'Resource selectors 1').getByLabel('Name', { exact: true }).fill('cart');
  await choose(page, 'Target clusters', 'Clusters', 'singapore');
  await group(page, 'Images 1').getByLabel('Value', { exact: true }).fill('9.9.9');
  await group(page, 'Plaintext').getByRole('button', { name: 'Add change' }).click();
  const plaintext = group(page, 'Plaintext 1');
  await plaintext.getByLabel('Path', { exact: true }).fill('/spec/minReadySeconds');
  await plaintext.getByLabel('Value (JSON)').fill('{');
  await expect(plaintext).toContainText('This is not JSON yet');
  await expect(page.getByRole('button', { name: 'Preview', exact: true })).toBeDisabled();
  await plaintext.getByLabel('Value (JSON)').fill('5');
  await choose(page, 'Plaintext 1', 'Operator', 'add');
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  const impact = page.locator('[data-impact]');
  await expect(impact).toContainText('shop/cart');
  await expect(impact).toContainText('9.9.9');
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'policy-form-override');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/policies/asia/shop/overridepolicy/${OVERRIDE}$`));
});

test('a viewer is told why there is no form', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/policies/new');
  await expect(page.getByText('You may not create policies')).toBeVisible();
  await page.goto('/policies/europe/shop/propagationpolicy/storefront?tab=edit');
  await expect(page.getByText('Your roles do not let you change it.')).toBeVisible();
  await expect(page.locator('[data-policy-form]')).toHaveCount(0);
});

test('other kinds of Karmada’s own are begun from the resources page, and tried before they are made', async ({
  signedIn: page,
}) => {
  await page.goto('/resources?instance=asia&type=FederatedResourceQuota.v1alpha1.policy.karmada.io');
  await page.getByRole('link', { name: 'Create FederatedResourceQuota', exact: true }).click();
  await expect(page).toHaveURL(/\/apply\?.*begin=FederatedResourceQuota/);
  const editor = page.getByRole('textbox', { name: /^Manifests/ });
  await expect(editor).toContainText('FederatedResourceQuota');
  await editor.fill(
    [
      'apiVersion: policy.karmada.io/v1alpha1',
      'kind: FederatedResourceQuota',
      `metadata: {name: ${NAME}, namespace: shop}`,
      'spec: {overall: {cpu: "1000"}}',
      '',
    ].join('\n'),
  );
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.locator(`tr[data-name="${NAME}"]`)).toHaveAttribute('data-outcome', 'CREATED');
  await expectAccessible(page);
});
