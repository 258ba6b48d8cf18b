import { readFileSync } from 'node:fs';
import { expect, picture, test } from './fixtures';
import { kubectl, playground } from './fleet';
import { FleetPage } from './pages/fleet';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const PUSHED = 'sendai';
const PULLED = 'otaru';

/** Takes away what a test joined, whatever became of it. */
function forget(member: string): void {
  kubectl('asia', ['delete', 'cluster', member, '--ignore-not-found', '--wait=false']);
  playground('member', member, '--remove');
}

test('a cluster joins by its kubeconfig and is unjoined by its name', async ({ signedIn: page }) => {
  test.setTimeout(600_000);
  const fleet = new FleetPage(page);
  const kubeconfig = readFileSync(playground('member', PUSHED), 'utf8');
  try {
    await page.goto('/clusters');
    await page.getByRole('link', { name: 'Join a cluster' }).click();
    await page.getByLabel('Name of the cluster').fill('Not A Name');
    await expect(page.getByText('“Not A Name” is no name of a cluster')).toBeVisible();
    await page.getByLabel('Name of the cluster').fill('hangzhou');
    await page.getByLabel('Kubeconfig of the cluster').fill(kubeconfig);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    // Refused by the server, at the field that is to blame.
    await expect(page.locator('.ant-form-item-explain-error').first()).toContainText('hangzhou');
    await fleet.looks('join-refused');
    await page.getByLabel('Name of the cluster').fill(PUSHED);
    await page.getByText('Location, labels, taints').click();
    await page.getByLabel('Region').fill('jp-sendai');
    await page.getByRole('button', { name: 'Check only' }).click();
    await expect(page.getByText('The cluster answers and could join')).toBeVisible({ timeout: 60_000 });
    await fleet.looks('join');

    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(page).toHaveURL(/operation=/);
    await expect(fleet.operation.locator('[data-step]').first()).toBeVisible();
    await picture(page, 'joining');
    // Who comes by the address later sees how far it is.
    await page.reload();
    await fleet.succeeds(180_000);
    await fleet.looks('joined');
    await page.getByRole('link', { name: `Go to ${PUSHED}` }).click();
    await expect(fleet.state).toContainText('Ready');
    await expect(page.getByText('jp-sendai')).toBeVisible();

    await fleet.unjoin(PUSHED);
    await expect(fleet.operation).toHaveAttribute('data-operation', 'UNJOIN_CLUSTER');
    await fleet.succeeds(480_000);
    await expect(page.getByText(`Cluster “${PUSHED}” is not joined any more`)).toBeVisible();
    await fleet.looks('unjoined');
  } finally {
    forget(PUSHED);
  }
});

test('a cluster registers itself by the command that is shown once', async ({ signedIn: page }) => {
  test.setTimeout(600_000);
  const fleet = new FleetPage(page);
  playground('member', PULLED);
  try {
    await page.goto('/join-cluster?instance=asia&mode=pull');
    await page.getByLabel('Name of the cluster').fill(PULLED);
    await page.getByLabel('Minutes until the command expires').fill('4');
    await expect(page.getByText('“4” is not a whole number from 5 to 1440')).toBeVisible();
    await page.getByLabel('Minutes until the command expires').fill('10');
    await page.getByRole('button', { name: 'Get the command' }).click();
    const command = page.locator('[data-command]');
    await expect(command).toContainText('karmadactl register');
    await fleet.looks('join-command');
    playground('agent', PULLED, '--command', await command.innerText());
    await fleet.succeeds(180_000);
    await expect(command).toHaveCount(0);
    await page.getByRole('link', { name: `Go to ${PULLED}` }).click();
    await expect(page.getByText('An agent in the member calls Karmada.')).toBeVisible();
    await fleet.unjoin(PULLED);
    await fleet.succeeds(480_000);
  } finally {
    kubectl('asia', ['delete', 'cluster', PULLED, '--ignore-not-found', '--wait=false']);
    playground('agent', PULLED, '--remove');
    playground('member', PULLED, '--remove');
  }
});

test('who may not join is told who may', async ({ page, signedInAs }) => {
  await signedInAs('editor', '/join-cluster');
  await expect(page.getByText('You may not join clusters')).toBeVisible();
  await page.goto('/clusters');
  await expect(page.locator('[data-instance]').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Join a cluster' })).toHaveCount(0);
});
