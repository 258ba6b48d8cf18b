import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl, makesInstances, playground } from './fleet';

const MADE = 'e2e-page';

/** Removes the instance that a test made, whatever became of it. */
function remove(): void {
  kubectl('host', ['annotate', 'instance', MADE, `kairship.io/force-delete=${MADE}`, '--overwrite']);
  kubectl('host', ['delete', 'instance', MADE, '--ignore-not-found', '--wait=false']);
}

test('an instance that is being installed shows how far it is, and then runs', async ({ signedIn: page }) => {
  test.skip(!makesInstances(), 'this machine cannot run pods as processes');
  test.setTimeout(300_000);
  const section = page.locator(`[data-instance="${MADE}"]`);
  const manifest = {
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata: { name: MADE },
    spec: { source: 'Managed', displayName: 'Made by a test of the pages' },
  };
  await page.goto('/clusters');
  await expect(page.locator('[data-instance="asia"]')).toBeVisible();
  kubectl('host', ['create', '-f', '-'], JSON.stringify(manifest));
  try {
    const steps = section.getByRole('list', { name: `Progress of ${MADE}` }).getByRole('listitem');
    await expect(section).toHaveAttribute('data-state', 'INSTALLING', { timeout: 60_000 });
    await expect(steps.filter({ hasText: 'Under way' })).toHaveCount(1);
    await expect(page.locator('.problems')).toHaveCount(0);
    await expect(page.locator('[data-instance="asia"]')).toHaveAttribute('data-state', 'RUNNING');
    await expectAccessible(page);
    await picture(page, 'instance-installing');

    await expect(section).toHaveAttribute('data-state', 'RUNNING', { timeout: 180_000 });
    await expect(steps).toHaveCount(0);
  } finally {
    remove();
  }
  await expect(section).toHaveCount(0, { timeout: 120_000 });
  await expect(page.locator('[data-instance="asia"]')).toBeVisible();
});

test('what is wrong with an instance is told until it is well again', async ({ signedIn: page }) => {
  test.setTimeout(240_000);
  await page.goto('/clusters?instance=asia');
  const section = page.locator('[data-instance="asia"]');
  const troubles = section.getByRole('list', { name: 'What is wrong with asia' }).getByRole('listitem');
  await expect(section).toHaveAttribute('data-state', 'RUNNING');
  await expect(troubles).toHaveCount(0);
  playground('stop', 'asia-scheduler');
  try {
    await expect(troubles).toHaveText([/^Scheduler/], { timeout: 60_000 });
    await expect(section.locator('[data-component="Scheduler"]')).toContainText('Not ready');
    // It is the scheduler that is away, not the instance.
    await expect(section).toHaveAttribute('data-state', 'RUNNING');
    await expectAccessible(page);
    await picture(page, 'instance-troubles');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible(page);
    await picture(page, 'instance-phone');
  } finally {
    playground('start', 'asia-scheduler');
  }
  await expect(troubles).toHaveCount(0, { timeout: 60_000 });
});

test('what an instance has is counted', async ({ signedIn: page }) => {
  const count = (resource: string) =>
    kubectl('asia', ['get', resource, '-A', '-o', 'name']).split('\n').filter(Boolean).length;
  await page.goto('/clusters?instance=asia');
  const statistics = page.locator('[data-instance="asia"] [data-statistics="asia"]');
  await expect(statistics.getByRole('meter')).toHaveCount(2);
  await expect(statistics.locator('[data-kind="Deployment"]')).toContainText(`/${count('deployments.apps')}`);
  await expect(statistics.locator('[data-kind="StatefulSet"]')).toContainText(
    `/${count('statefulsets.apps')}`,
  );
  await expect(statistics.locator('[data-kind="PropagationPolicy"]')).toContainText(
    String(count('propagationpolicies.policy.karmada.io')),
  );
});
