import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl } from './fleet';
import { DetailPage, makeDeployment, removeDeployment } from './pages/detail';

test.use({ ignoreHTTPSErrors: true });

const asia = (args: string[], input?: string) => kubectl('asia', args, input);
const menuButton = (page: Page) => page.getByRole('button', { name: 'Actions', exact: true });
const item = (page: Page, id: string) => page.locator(`[data-menu-item="${id}"]`);
const noOverflow = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);

/** What a field of an object of shop holds now. */
const field = (object: string, path: string) =>
  asia(['-n', 'shop', 'get', object, '-o', `jsonpath={${path}}`]);

async function choose(page: Page, id: string): Promise<void> {
  await menuButton(page).click();
  await item(page, id).click();
}

test('a Deployment is restarted, given an image, paused, resumed, protected and deleted from its page', async ({
  signedIn: page,
}) => {
  const name = `e2e-actions-${Date.now() % 100_000}`;
  const object = `deployment/${name}`;
  makeDeployment(name, { clusterAffinity: { clusterNames: ['tokyo'] } });
  try {
    const detail = new DetailPage(page);
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`);
      await expect(detail.target('tokyo')).toBeVisible({ timeout: 5_000 });
    }).toPass();

    // The menu, by keys alone.
    await menuButton(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(item(page, 'restart')).toBeFocused();
    await expectAccessible(page);
    await noOverflow(page);
    await picture(page, 'actions-menu');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await picture(page, 'actions-menu-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.keyboard.press('End');
    await expect(item(page, 'delete')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menuButton(page)).toBeFocused();

    await choose(page, 'restart');
    await expect(detail.dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'actions-restart');
    await detail.dialog.getByRole('button', { name: 'Restart', exact: true }).click();
    await expect(page.getByText(`Karmada accepted the restart of ${name}.`)).toBeVisible();
    expect(field(object, '.spec.template.metadata.annotations')).toContain('restartedAt');

    await choose(page, 'setImage');
    await expect(detail.dialog.locator('[data-image-now]')).toHaveText('Now: registry.example/e2e:1');
    const image = detail.dialog.getByLabel('Image', { exact: true });
    await image.fill('two words');
    await expect(detail.dialog.getByRole('button', { name: 'Change image' })).toBeDisabled();
    await image.fill('registry.example/e2e:2');
    await detail.dialog.getByRole('button', { name: 'Dry run' }).click();
    await expect(detail.dialog.getByText('The API server would accept it.')).toBeVisible();
    expect(field(object, '.spec.template.spec.containers[0].image')).toBe('registry.example/e2e:1');
    await expectAccessible(page);
    await picture(page, 'actions-image');
    await detail.dialog.getByRole('button', { name: 'Change image' }).click();
    await expect(page.getByText('Karmada accepted the image registry.example/e2e:2.')).toBeVisible();
    expect(field(object, '.spec.template.spec.containers[0].image')).toBe('registry.example/e2e:2');

    await choose(page, 'pause');
    await detail.dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.getByText(`The rollout of ${name} is paused.`)).toBeVisible();
    expect(field(object, '.spec.paused')).toBe('true');
    // The page is told: what does not fit a paused one is not offered.
    await expect(async () => {
      await menuButton(page).click();
      await expect(item(page, 'resume')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(item(page, 'restart')).toHaveCount(0);
    await item(page, 'resume').click();
    await detail.dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect(page.getByText(`The rollout of ${name} is resumed.`)).toBeVisible();
    expect(field(object, '.spec.paused')).not.toBe('true');

    await choose(page, 'reschedule');
    await detail.dialog.getByRole('button', { name: 'Reschedule', exact: true }).click();
    await expect(page.getByText(`Karmada was asked to reschedule ${name}.`)).toBeVisible();

    await choose(page, 'protect');
    await detail.dialog.getByRole('button', { name: 'Protect', exact: true }).click();
    await expect(page.getByText(`${name} is protected from deletion.`)).toBeVisible();
    await expect(async () => {
      await menuButton(page).click();
      await expect(item(page, 'unprotect')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(item(page, 'delete')).toHaveAttribute('aria-disabled', 'true');
    await expect(item(page, 'delete')).toContainText('remove the protection first');
    await item(page, 'unprotect').click();
    await detail.dialog.getByRole('button', { name: 'Remove protection' }).click();
    await expect(page.getByText(`${name} is no longer protected from deletion.`)).toBeVisible();

    await expect(async () => {
      await menuButton(page).click();
      await expect(item(page, 'protect')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await item(page, 'delete').click();
    await expect(detail.dialog).toContainText('It is in: tokyo.');
    await expect(detail.dialog).toContainText(`The PropagationPolicy ${name} that claims it stays.`);
    await expect(detail.dialog.locator('[data-deletion-preview]')).toContainText('tokyo');
    await expect(detail.dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
    await expectAccessible(page);
    await picture(page, 'actions-delete');
    await detail.dialog.getByRole('textbox').fill(name);
    await detail.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/workloads\?instance=asia&namespace=shop$/);
    await expect(page.locator(`tr[data-workload]`).filter({ hasText: name })).toHaveCount(0);
  } finally {
    // A protected one would stay.
    const found = asia(['-n', 'shop', 'get', object, '--ignore-not-found', '-o', 'name']);
    if (found) {
      asia(['-n', 'shop', 'label', object, 'resourcetemplate.karmada.io/deletion-protected-']);
    }
    removeDeployment(name);
  }
});

test('a CronJob is suspended and resumed, and the toast takes it back', async ({ signedIn: page }) => {
  const suspended = () => field('cronjob/nightly-report', '.spec.suspend');
  const detail = new DetailPage(page);
  try {
    await detail.open('asia/shop/cronjob/nightly-report');
    await choose(page, 'suspend');
    await expect(detail.dialog).toContainText('No more Jobs start in any cluster');
    await detail.dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
    await expect(page.getByText('nightly-report is suspended.')).toBeVisible();
    expect(suspended()).toBe('true');
    await expect(page.locator('[data-state="PAUSED"]').first()).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('nightly-report is resumed.')).toBeVisible();
    expect(suspended()).not.toBe('true');
  } finally {
    asia(['-n', 'shop', 'patch', 'cronjob/nightly-report', '-p', '{"spec":{"suspend":false}}']);
  }
});

test('a Job that has ended is run again', async ({ signedIn: page }) => {
  const uid = () => field('job/catalog-import', '.metadata.uid');
  const before = uid();
  const detail = new DetailPage(page);
  await detail.open('asia/shop/job/catalog-import');
  await menuButton(page).click();
  await expect(item(page, 'suspend')).toHaveCount(0);
  await item(page, 'rerun').click();
  await expect(detail.dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
  await picture(page, 'actions-rerun');
  await detail.dialog.getByRole('button', { name: 'Delete and run again' }).click();
  await expect(page.getByText('catalog-import runs again.')).toBeVisible();
  expect(uid()).not.toBe(before);
});

test('several workloads are restarted, scaled, protected and deleted at once, each with its own outcome', async ({
  signedIn: page,
}) => {
  const suffix = Date.now() % 100_000;
  const names = [`e2e-many-a-${suffix}`, `e2e-many-b-${suffix}`];
  for (const name of names) makeDeployment(name);
  const bulk = page.getByRole('region', { name: 'Selected objects' });
  const dialog = page.getByRole('dialog');
  const close = () => dialog.getByRole('button', { name: 'Close' }).last().click();
  try {
    await page.goto(`/workloads?instance=asia&namespace=shop&name=${suffix}`);
    await expect(page.locator('tr[data-workload]')).toHaveCount(2);
    // The first by a key, the other by its box.
    await page.getByRole('link', { name: names[0], exact: true }).focus();
    await page.keyboard.press('x');
    await expect(page.getByRole('checkbox', { name: `Select ${names[0]}` })).toBeChecked();
    await page.getByRole('checkbox', { name: `Select ${names[1]}` }).check();
    await expect(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeChecked();
    await expect(bulk).toContainText('2 selected');
    await expectAccessible(page);
    await noOverflow(page);
    await picture(page, 'workloads-bulk');

    await bulk.locator('[data-bulk="scale"]').click();
    await dialog.getByLabel('Replicas').fill('2.5');
    await expect(dialog.getByRole('button', { name: 'Scale' })).toBeDisabled();
    await dialog.getByLabel('Replicas').fill('1');
    await expectAccessible(page);
    await picture(page, 'workloads-bulk-scale');
    await dialog.getByRole('button', { name: 'Scale' }).click();
    await expect(dialog.locator('[data-outcome="done"]')).toHaveCount(2);
    await close();
    for (const name of names) expect(field(`deployment/${name}`, '.spec.replicas')).toBe('1');

    await bulk.locator('[data-bulk="restart"]').click();
    await dialog.getByRole('button', { name: 'Restart', exact: true }).click();
    await expect(dialog.locator('[data-outcome="done"]')).toHaveCount(2);
    await close();
    for (const name of names)
      expect(field(`deployment/${name}`, '.spec.template.metadata.annotations')).toContain('restartedAt');

    // One of them is protected: the other goes all the same.
    await page.getByRole('checkbox', { name: `Select ${names[0]}` }).uncheck();
    await bulk.locator('[data-bulk="protect"]').click();
    await dialog.getByRole('button', { name: 'Protect', exact: true }).click();
    await expect(dialog.locator('[data-outcome="done"]')).toHaveCount(1);
    await close();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bulk.locator('[data-bulk="delete"]').click();
    await expect(dialog.locator('[data-deletion-preview]')).toContainText(names[0] ?? '');
    await dialog.getByRole('textbox').fill('2');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.locator('[data-outcome="done"]')).toContainText(names[0] ?? '');
    await expect(dialog.locator('[data-outcome="refused"]')).toContainText('protected from deletion');
    await expectAccessible(page);
    await picture(page, 'workloads-bulk-outcome');
    await close();
    await expect(page.getByRole('link', { name: names[0], exact: true })).toHaveCount(0);
    await bulk.locator('[data-bulk="unprotect"]').click();
    await dialog.getByRole('button', { name: 'Remove protection' }).click();
    await expect(dialog.locator('[data-outcome="done"]')).toHaveCount(1);
  } finally {
    for (const name of names) {
      if (asia(['-n', 'shop', 'get', `deployment/${name}`, '--ignore-not-found', '-o', 'name'])) {
        asia([
          '-n',
          'shop',
          'label',
          `deployment/${name}`,
          'resourcetemplate.karmada.io/deletion-protected-',
        ]);
      }
      removeDeployment(name);
    }
  }
});

test('what does not fit is left out of a bulk action, or not offered at all', async ({ signedIn: page }) => {
  await page.goto('/workloads?instance=asia&namespace=shop');
  await page.getByRole('checkbox', { name: 'Select catalog-import' }).check();
  const bulk = page.getByRole('region', { name: 'Selected objects' });
  await expect(bulk.locator('[data-bulk="restart"]')).toBeDisabled();
  await expect(bulk.locator('[data-bulk="scale"]')).toBeDisabled();
  await expect(bulk.locator('[data-bulk="delete"]')).toBeEnabled();
  await page.getByRole('checkbox', { name: 'Select cart' }).check();
  await bulk.locator('[data-bulk="restart"]').click();
  await expect(page.getByRole('dialog').locator('[data-left-out]')).toContainText('catalog-import');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a workload that Karmada does not manage is promoted from the page of its cluster, and goes on running', async ({
  signedIn: page,
}) => {
  const name = `e2e-promote-${Date.now() % 100_000}`;
  const tokyo = (args: string[], input?: string) => kubectl('tokyo', ['-n', 'shop', ...args], input);
  const labels = { app: name };
  tokyo(
    ['create', '-f', '-'],
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'shop', name }, data: { a: 'b' } },
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { namespace: 'shop', name },
          spec: {
            replicas: 1,
            selector: { matchLabels: labels },
            template: {
              metadata: { labels },
              spec: {
                containers: [
                  {
                    name: 'web',
                    image: 'registry.example/e2e:1',
                    envFrom: [{ configMapRef: { name } }],
                    resources: { requests: { cpu: '10m', memory: '16Mi' } },
                  },
                ],
              },
            },
          },
        },
      ],
    }),
  );
  const uid = () => tokyo(['get', 'deployment', name, '-o', 'jsonpath={.metadata.uid}']);
  const before = uid();
  try {
    const member = page.locator(`[data-member-workload="${name}"]`);
    await expect(async () => {
      await page.goto('/clusters/asia/tokyo?tab=workloads&size=200');
      await expect(member).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await expect(member.getByRole('link', { name })).toHaveCount(0);
    await member.getByRole('button', { name: `Promote ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Promote ${name}` });
    await expect(dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
    await expect(dialog.locator('[data-promotion="2"]')).toContainText('ConfigMap');
    await expectAccessible(page);
    await picture(page, 'promote');
    // Without what it needs there is one object less.
    await dialog.getByRole('checkbox', { name: /^Promote also/ }).uncheck();
    await expect(dialog.locator('[data-promotion="1"]')).toBeVisible();
    await dialog.getByRole('checkbox', { name: /^Promote also/ }).check();
    await expect(dialog.locator('[data-promotion="2"]')).toBeVisible();
    await dialog.getByRole('button', { name: 'Promote', exact: true }).click();
    await expect(page).toHaveURL(/operation=/);
    const operation = page.locator('[data-operation="PROMOTE_RESOURCE"]');
    await expect(operation).toContainText(`Promote Deployment shop/${name} from tokyo`);
    await expect(operation).toHaveAttribute('data-state', /SUCCEEDED|FAILED|CANCELLED/, { timeout: 90_000 });
    await expect(operation, await operation.innerText()).toHaveAttribute('data-state', 'SUCCEEDED');
    await expectAccessible(page);
    await noOverflow(page);
    await picture(page, 'promote-operation');
    await page.getByRole('link', { name: `See ${name}` }).click();
    await expect(page).toHaveURL(new RegExp(`/workloads/asia/shop/deployment/${name}$`));
    await expect(page.locator('tr[data-target="tokyo"]')).toBeVisible();
    expect(uid()).toBe(before);
  } finally {
    asia([
      '-n',
      'shop',
      'delete',
      `deployment/${name}`,
      `configmap/${name}`,
      '--ignore-not-found',
      '--wait=false',
    ]);
    const policies = asia(['-n', 'shop', 'get', 'propagationpolicies', '-o', 'name']).split('\n');
    for (const policy of policies.filter((found) => found.includes(name)))
      asia(['-n', 'shop', 'delete', policy, '--wait=false']);
    tokyo(['delete', `deployment/${name}`, `configmap/${name}`, '--ignore-not-found', '--wait=false']);
  }
});

test('a viewer is told that promoting is not theirs', async ({ page, signedInAs }) => {
  const name = `e2e-unmanaged-${Date.now() % 100_000}`;
  const frankfurt = (args: string[]) => kubectl('frankfurt', ['-n', 'shop', ...args]);
  frankfurt(['create', 'deployment', name, '--image=registry.example/e2e:1', '--replicas=0']);
  try {
    const member = page.locator(`[data-member-workload="${name}"]`);
    await signedInAs('viewer', '/clusters/europe/frankfurt?tab=workloads&size=200');
    await expect(async () => {
      await page.reload();
      await expect(member).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await expect(member.locator('[data-not-allowed="promote"]')).toHaveAttribute(
      'title',
      /create deployments in shop/,
    );
    await expect(member.getByRole('button')).toHaveCount(0);
  } finally {
    frankfurt(['delete', 'deployment', name, '--ignore-not-found', '--wait=false']);
  }
});

test('a viewer chooses workloads, and is offered nothing to do to them', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/workloads?namespace=shop');
  await page.getByRole('checkbox', { name: 'Select cart' }).check();
  const bulk = page.getByRole('region', { name: 'Selected objects' });
  for (const verb of ['restart', 'scale', 'protect', 'delete'])
    await expect(bulk.locator(`[data-bulk="${verb}"]`)).toBeDisabled();
  await expect(bulk.locator('[data-bulk="restart"]')).toHaveAttribute('title', /Your roles do not let you/);
});

test('a viewer is told what each action takes', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/workloads/europe/shop/deployment/cart');
  await menuButton(page).click();
  for (const id of ['restart', 'setImage', 'pause', 'protect', 'delete', 'reschedule'])
    await expect(item(page, id)).toHaveAttribute('aria-disabled', 'true');
  await expect(item(page, 'restart')).toContainText('change deployments in shop');
  await expect(item(page, 'delete')).toContainText('delete deployments in shop');
  await expectAccessible(page);
  await picture(page, 'actions-viewer');
  await page.setViewportSize({ width: 390, height: 844 });
  await noOverflow(page);
  await picture(page, 'actions-viewer-phone');
  await item(page, 'restart').click({ force: true }); // it is said to be disabled
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
