import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl } from './fleet';
import { DetailPage, makeDeployment, removeDeployment } from './pages/detail';

test('revisions come by themselves, say what they changed, and are rolled back to', async ({
  signedIn: page,
}) => {
  const name = `e2e-revision-${Date.now() % 100_000}`;
  const second = 'registry.example/e2e:2';
  makeDeployment(name, { clusterAffinity: { clusterNames: ['tokyo'] } });
  try {
    const detail = new DetailPage(page);
    const rows = page.locator('[data-revision]');
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`, '?tab=revisions');
      await expect(rows).toHaveCount(1, { timeout: 5_000 });
    }).toPass();

    kubectl('asia', ['-n', 'shop', 'set', 'image', `deployment/${name}`, `web=${second}`]);
    await expect(rows).toHaveCount(2, { timeout: 30_000 });
    await expect(rows.first()).toContainText(second);
    await rows.first().getByRole('link').click();
    await expect(page).toHaveURL(/revision=/);
    await expect(page.locator('[data-revision-detail] ins').first()).toContainText(second);
    await expectAccessible(page);
    await picture(page, 'revisions');

    await rows.last().locator('[data-rollback]').click();
    await expect(detail.dialog.locator('.diff-line.is-removed')).toContainText(second);
    await expect(detail.dialog.locator('.diff-line.is-added')).toContainText('registry.example/e2e:1');
    await expect(detail.dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'revisions-rollback');
    await detail.dialog.getByRole('button', { name: /^Roll back to/ }).click();
    await expect(page.getByText('Karmada accepted the rollback')).toBeVisible();
    const image = () =>
      kubectl('asia', [
        '-n',
        'shop',
        'get',
        `deployment/${name}`,
        '-o',
        'jsonpath={.spec.template.spec.containers[0].image}',
      ]);
    expect(image()).toBe('registry.example/e2e:1');
    await expect(rows.first()).toContainText('registry.example/e2e:1', { timeout: 30_000 });

    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(image).toBe(second);

    await page.getByRole('link', { name: 'What changed?' }).click();
    await expect(page.locator('[data-timeline="REVISION"]').first()).toBeVisible();
    await expect(page.locator('[data-timeline="AUDIT"]').first()).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'timeline');
  } finally {
    removeDeployment(name);
  }
});

test('a manifest is edited: what is wrong is said as it is typed, and only what was shown is sent', async ({
  signedIn: page,
}) => {
  const name = `e2e-edit-${Date.now() % 100_000}`;
  makeDeployment(name, { clusterAffinity: { clusterNames: ['hangzhou'] } });
  const read = () => kubectl('asia', ['-n', 'shop', 'get', `deployment/${name}`, '-o', 'json']);
  try {
    await expect
      .poll(() => (JSON.parse(read()) as { status?: { readyReplicas?: number } }).status?.readyReplicas)
      .toBe(2);
    const detail = new DetailPage(page);
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`, '?tab=yaml');
      await expect(page.locator('[data-yaml]')).toContainText('readyReplicas: 2', { timeout: 5_000 });
    }).toPass();
    await page.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('textbox', { name: `Edit the manifest of ${name}` });
    const replace = async (text: string) => {
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
    };
    const review = page.getByRole('button', { name: 'Review changes' });
    await replace('a: [');
    await expect(page.getByRole('alert')).toContainText('not valid YAML');
    await expect(review).toBeDisabled();
    const object = JSON.parse(read()) as { metadata: Record<string, unknown>; spec: { replicas: number } };
    delete object.metadata.managedFields;
    await replace(JSON.stringify({ ...object, metadata: { ...object.metadata, name: 'another' } }));
    await expect(page.getByRole('alert')).toContainText('cannot be changed');
    object.spec.replicas = 3;
    await replace(JSON.stringify(object));
    await expect(page.getByRole('status').filter({ hasText: /^1 change$/ })).toBeVisible();
    await expectAccessible(page);
    await review.click();
    await expect(detail.dialog.locator('[data-dry-run="accepted"]')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'yaml-review');
    await detail.dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText(`Karmada accepted the changes of ${name}`)).toBeVisible();
    expect((JSON.parse(read()) as { spec: { replicas: number } }).spec.replicas).toBe(3);
    await expect(page.locator('[data-yaml]')).toContainText('replicas: 3');
  } finally {
    removeDeployment(name);
  }
});

test('events of the control plane and of the members stand in one list', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/fraud-check', '?tab=events');
  await expect(page.locator('[data-cluster="singapore"]').first()).toBeVisible();
  await expect(page.locator('[data-event="ApplyPolicySucceed"]').first()).toBeVisible();
  await page.getByRole('link', { name: 'Only warnings' }).click();
  await expect(page).toHaveURL(/warnings=true/);
  await expect(page.locator('[data-type="NORMAL"]')).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'events');
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
