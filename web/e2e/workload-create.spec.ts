import type { Locator, Page } from '@playwright/test';
import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const FORM = 'e2e-by-form';
const YAML = 'e2e-by-yaml';

const asia = (args: string[]) => kubectl('asia', ['-n', 'shop', ...args]);
const remove = () => {
  for (const name of [FORM, YAML]) {
    const policy = `${name}-deployment`;
    asia(['delete', 'deployment', name, '--ignore-not-found', '--wait=false']);
    asia(['delete', 'propagationpolicy,overridepolicy', policy, '--ignore-not-found', '--wait=false']);
  }
};
test.beforeAll(remove);
test.afterAll(remove);

const group = (page: Page | Locator, name: string) => page.getByRole('group', { name, exact: true });
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const text = (page: Page | Locator, name: string) => page.getByRole('textbox', { name, exact: true });
const container = (page: Page) => page.getByRole('region', { name: 'Container app', exact: true });
const editor = (page: Page) => page.getByRole('textbox', { name: 'Manifest of the new workload' });
const where = (page: Page, cluster: string) => page.locator(`[data-where] [data-cluster="${cluster}"]`);

/** Chooses clusters by name, and folds the list that hides what is below. */
async function choose(within: Page | Locator, clusters: string[]): Promise<void> {
  const field = within.getByRole('combobox', { name: 'Clusters', exact: true });
  for (const cluster of clusters) {
    await field.fill(cluster);
    await field.press('Enter');
  }
  await field.press('Escape');
}

async function write(page: Page, manifest: string): Promise<void> {
  await editor(page).focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(manifest);
}

const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

const manifest = (name: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: shop
spec:
  replicas: 4 # divided
  template:
    spec:
      shareProcessNamespace: false
      containers:
        - name: app
          image: registry.example.com/shop/made:1.0.0
${more}`;

test('by form, with what is different in one cluster, to its end', async ({ signedIn: page }) => {
  await page.goto('/workloads?instance=asia&namespace=shop');
  await page.getByRole('link', { name: 'Create workload' }).first().click();
  await expect(page).toHaveURL(/\/workloads\/new\?.*instance=asia/);
  await expect(button(page, 'Create workload')).toBeDisabled();

  const basics = group(page, 'Basics');
  await text(basics, 'Name').fill(FORM);
  await expect(basics.getByRole('combobox', { name: 'Namespace' })).toHaveValue('shop');
  await text(basics, 'Replicas').fill('2');
  await text(container(page), 'Image').fill('registry.example.com/shop/made:1.0.0');
  await button(container(page), 'Add port').click();
  await text(container(page), 'Ports 1: Port').fill('8080');
  await button(container(page), 'Add variable').click();
  await text(container(page), 'Environment variables 1: Name').fill('MODE');
  await text(container(page), 'Environment variables 1: Value').fill('made');
  // The manifest says the same at once.
  await expect(editor(page)).toContainText(FORM);
  await expect(editor(page)).toContainText('containerPort: 8080');

  await choose(group(page, 'Placement'), ['tokyo', 'singapore']);
  await button(page, 'Add override').click();
  const override = page.getByRole('region', { name: 'Override 1', exact: true });
  await choose(override, ['tokyo']);
  await text(override, 'Replicas').fill('1');
  await button(override, 'Change a container').click();
  await text(override, 'Image').fill('near.example.com/shop/made:1.0.0');
  await button(page, 'Preview').click();

  await expect(where(page, 'tokyo')).toBeVisible();
  await expect(where(page, 'singapore')).toHaveAttribute('data-replicas', '2');
  await expect(page.locator('[data-document="OverridePolicy"]')).toHaveAttribute('data-change', 'CREATED');
  await expect(button(page, 'Create workload')).toBeEnabled();
  await expectAccessible(page);
  await noOverflow(page);
  await picture(page, 'workload-create');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'workload-create-dark');
  await page.emulateMedia({ colorScheme: 'light' });

  await button(page, 'Create workload').click();
  await expect(page).toHaveURL(new RegExp(`/workloads/asia/shop/deployment/${FORM}$`));
  await expect(page.locator('[data-target="tokyo"]')).toBeVisible();
  const there = (cluster: string) =>
    kubectl(cluster, [
      '-n',
      'shop',
      'get',
      'deployment',
      FORM,
      '--ignore-not-found',
      '-o',
      'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image}',
    ]).trim();
  await expect.poll(() => there('tokyo')).toBe('1 near.example.com/shop/made:1.0.0');
  await expect.poll(() => there('singapore')).toBe('2 registry.example.com/shop/made:1.0.0');
});

test('an edit by form shows the difference before it is saved', async ({ signedIn: page }) => {
  await page.goto(`/workloads/asia/shop/deployment/${FORM}?tab=edit`);
  const basics = group(page, 'Basics');
  await expect(text(basics, 'Replicas')).toHaveValue('2');
  await expect(button(page, 'Review')).toBeDisabled();
  await text(basics, 'Replicas').fill('3');
  await button(page, 'Review').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'workload-edit');
  await button(dialog, 'Save').click();
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => asia(['get', 'deployment', FORM, '-o', 'jsonpath={.spec.replicas}']).trim())
    .toBe('3');
});

test('by YAML: the form says the same, and nothing is lost on the way', async ({ signedIn: page }) => {
  await page.goto('/workloads/new?instance=asia&namespace=shop');
  await write(page, 'kind: [');
  await expect(page.getByText('This is no valid YAML.', { exact: false })).toBeVisible();
  await expect(text(group(page, 'Basics'), 'Name')).toBeDisabled();
  await write(page, manifest(YAML));
  await expect(text(group(page, 'Basics'), 'Name')).toHaveValue(YAML);
  await expect(text(group(page, 'Basics'), 'Replicas')).toHaveValue('4');
  await expect(page.locator('[data-unshown]')).toContainText('shareProcessNamespace');

  // A change of the form keeps what only the YAML says.
  await text(container(page), 'Image').fill('registry.example.com/shop/made:2.0.0');
  await expect(editor(page)).toContainText('made:2.0.0');
  await expect(editor(page)).toContainText('# divided');

  // Another page loses nothing of what was written.
  await page.getByRole('link', { name: 'Workloads', exact: true }).first().click();
  await expect(page).toHaveURL(/\/workloads(\?|$)/);
  await page.goBack();
  await expect(editor(page)).toContainText('made:2.0.0');

  // By the room that clusters have, by labels or by weights: policies go beside it.
  await choose(group(page, 'Placement'), ['tokyo', 'hangzhou']);
  await group(page, 'Placement').getByRole('combobox', { name: 'Replicas', exact: true }).click();
  await page.getByTitle('Divided by weights', { exact: true }).last().click();
  await text(page, 'Weight of tokyo').fill('3');
  await text(page, 'Weight of hangzhou').fill('1');
  await button(page, 'Preview').click();
  await expect(where(page, 'tokyo')).toHaveAttribute('data-replicas', '3');
  await expect(where(page, 'hangzhou')).toHaveAttribute('data-replicas', '1');
  await button(page, 'Create workload').click();
  await expect(page).toHaveURL(new RegExp(`/workloads/asia/shop/deployment/${YAML}$`));
  await expect
    .poll(() =>
      kubectl('tokyo', [
        '-n',
        'shop',
        'get',
        'deployment',
        YAML,
        '--ignore-not-found',
        '-o',
        'jsonpath={.spec.replicas}',
      ]).trim(),
    )
    .toBe('3');
});

test('what is refused stands at its field, and what was entered is thrown away only when said twice', async ({
  signedIn: page,
}) => {
  await page.goto('/workloads/new?instance=asia&namespace=shop');
  await write(page, manifest('e2e-refused'));
  await button(container(page), 'Add port').click();
  await text(container(page), 'Ports 1: Port').fill('99999');
  await choose(group(page, 'Placement'), ['tokyo']);
  await button(page, 'Preview').click();
  await expect(group(container(page), 'Ports')).toContainText('65535');
  await expect(button(page, 'Create workload')).toBeDisabled();
  await expectAccessible(page);
  await picture(page, 'workload-create-refused');
  await text(container(page), 'Ports 1: Port').fill('9999');
  await expect(group(container(page), 'Ports')).not.toContainText('65535');
  await text(group(page, 'Basics'), 'Replicas').fill('3x');
  await expect(group(page, 'Basics')).toContainText('“3x” is not a whole number');
  await expect(button(page, 'Preview')).toBeDisabled();

  await button(page, 'Discard').click();
  const dialog = page.getByRole('dialog', { name: 'Discard what you entered?' });
  await button(dialog, 'Keep it').click();
  await expect(text(group(page, 'Basics'), 'Name')).toHaveValue('e2e-refused');
  await button(page, 'Discard').click();
  await button(dialog, 'Discard').click();
  await expect(text(group(page, 'Basics'), 'Name')).toHaveValue('');

  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'workload-create-phone');
});

test('a viewer is told why there is nothing to create', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/workloads');
  await expect(page.locator('tr[data-workload]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Create workload' })).toHaveCount(0);
  await page.goto('/workloads/new');
  await expect(page.getByRole('heading', { name: 'You may not create workloads' })).toBeVisible();
  await expect(page.getByText('Ask one of its administrators', { exact: false })).toBeVisible();
});
