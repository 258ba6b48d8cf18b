import { readFileSync } from 'node:fs';
import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl, makesInstances, playground } from './fleet';
import { FleetPage } from './pages/fleet';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const MADE = 'e2e-form';
const ATTACHED = 'e2e-attached-page';

/** Removes an instance that a test made, whatever became of it. */
function remove(name: string): void {
  if (!kubectl('host', ['get', 'instance', name, '--ignore-not-found', '-o', 'name'])) return;
  kubectl('host', ['annotate', 'instance', name, `kairship.io/force-delete=${name}`, '--overwrite']);
  kubectl('host', ['delete', 'instance', name, '--ignore-not-found', '--wait=false']);
}

test('a control plane is installed from a form, step by step, and deleted again', async ({
  signedIn: page,
}) => {
  test.skip(!makesInstances(), 'this machine cannot run pods as processes');
  test.setTimeout(600_000);
  const fleet = new FleetPage(page);
  try {
    await page.goto('/clusters');
    await page.getByRole('link', { name: 'Create an instance' }).click();
    await page.getByLabel('Name', { exact: true }).fill('asia');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.locator('.ant-form-item-explain-error').first()).toContainText('asia');
    await page.getByLabel('Name', { exact: true }).fill(MADE);
    await page.getByLabel('Display name').fill('Made from the form');
    await page.getByText('Version of Karmada, High availability').click();
    await page.getByLabel('Version of Karmada').fill('latest');
    await page.getByRole('button', { name: 'Check only' }).click();
    await expect(page.locator('.ant-form-item-explain-error').first()).toContainText('latest');
    await page.getByLabel('Version of Karmada').fill('');
    await page.getByRole('button', { name: 'Check only' }).click();
    await expect(page.getByText('Everything is in order. Nothing was changed.')).toBeVisible();
    await fleet.looks('instance-create');

    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page).toHaveURL(/operation=/);
    await expect(fleet.operation.locator('[data-step="Install"]')).toHaveAttribute('data-state', 'RUNNING', {
      timeout: 60_000,
    });
    await expect(fleet.operation.locator('.is-within').first()).toBeVisible({ timeout: 60_000 });
    await fleet.looks('instance-creating');
    await fleet.succeeds(300_000);
    await page.getByRole('link', { name: `Go to ${MADE}` }).click();
    await expect(fleet.state).toContainText('Running');
    await expect(page.getByText('No member cluster has joined this instance.')).toBeVisible();
    await fleet.looks('instance-new');

    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${MADE}` });
    await dialog.getByLabel(`Type ${MADE} to confirm`).fill(MADE);
    await expectAccessible(page);
    await picture(page, 'instance-delete-made');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(fleet.operation).toHaveAttribute('data-operation', 'DELETE_INSTANCE');
    await fleet.succeeds(240_000);
    await expect(page.getByText(`Instance “${MADE}” is not registered any more`)).toBeVisible();
  } finally {
    remove(MADE);
  }
});

test('a control plane that runs is attached by its kubeconfig, which is tried first, and detached', async ({
  signedIn: page,
}) => {
  test.setTimeout(300_000);
  const fleet = new FleetPage(page);
  const kubeconfig = kubectl('host', [
    ...['-n', 'kairship-system', 'get', 'secret', secretOf('europe')],
    ...['-o', 'go-template={{.data.kubeconfig | base64decode}}'],
  ]);
  try {
    await page.goto('/new-instance?how=attach');
    await page.getByLabel('Name', { exact: true }).fill(ATTACHED);
    const field = page.getByLabel('Kubeconfig of the control plane');
    await field.fill(readFileSync(playground('kubeconfig', 'host'), 'utf8'));
    await page.getByRole('button', { name: 'Check only' }).click();
    // The host cluster is no Karmada: the field says so, in the server's words.
    await expect(page.locator('.ant-form-item-explain-error').first()).toBeVisible({ timeout: 60_000 });
    await fleet.looks('instance-attach-refused');
    await field.fill(kubeconfig);
    await page.getByRole('button', { name: 'Check only' }).click();
    await expect(page.getByText('Everything is in order. Nothing was changed.')).toBeVisible({
      timeout: 60_000,
    });
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await fleet.succeeds(120_000);
    await page.getByRole('link', { name: `Go to ${ATTACHED}` }).click();
    await expect(fleet.state).toContainText('Running');
    // Both lead to one Karmada, so that its member is held twice.
    await expect(page.locator('[data-condition="MembersUnique"]')).toContainText('europe', {
      timeout: 60_000,
    });
    await fleet.looks('instance-held-twice');

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const edit = page.getByRole('dialog', { name: `Edit ${ATTACHED}` });
    await edit.getByLabel('Display name').fill('Europe, once more');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('main').getByText('Europe, once more')).toBeVisible();

    await page.getByRole('button', { name: 'Detach' }).click();
    const dialog = page.getByRole('dialog', { name: `Detach ${ATTACHED}` });
    await dialog.getByLabel(`Type ${ATTACHED} to confirm`).fill(ATTACHED);
    await dialog.getByRole('button', { name: 'Detach', exact: true }).click();
    await fleet.succeeds(120_000);
    await expect(page.getByText(`Instance “${ATTACHED}” is not registered any more`)).toBeVisible();
  } finally {
    remove(ATTACHED);
  }
});

/** Where Kairship keeps the kubeconfig of an instance. */
function secretOf(instance: string): string {
  const names = '{.spec.attached.kubeconfigSecretRef.name}{.status.kubeconfigSecretRef.name}';
  return kubectl('host', ['get', 'instance', instance, '-o', `jsonpath=${names}`]);
}

test('who is no owner is told who may make instances', async ({ page, signedInAs }) => {
  await signedInAs('editor', '/new-instance');
  await expect(page.getByText('You may not create instances')).toBeVisible();
});
