import { expect, expectAccessible, picture, test } from './fixtures';
import { kubectl } from './fleet';
import { DetailPage, makeDeployment, removeDeployment } from './pages/detail';

test('a selector that matches no cluster stands beside the labels that the clusters have', async ({
  signedIn: page,
}) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/card-vault');
  const finding = detail.finding('AFFINITY_NOT_MATCHED');
  await expect(finding).toContainText('The cluster affinity matches no cluster');
  await expect(finding).toContainText('compliance = pci-dss-level-1');
  for (const cluster of ['hangzhou', 'singapore', 'tokyo']) {
    await expect(finding.locator('.has > div').filter({ hasText: cluster })).toContainText(
      'compliance not set',
    );
  }
  await expect(finding).toContainText('What to do');
  // It stands above the facts.
  const [above, facts] = [await finding.boundingBox(), await page.locator('.facts').boundingBox()];
  expect(above?.y).toBeLessThan(facts?.y ?? 0);
  await expectAccessible(page);
  await picture(page, 'diagnosis-affinity');

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'diagnosis-affinity-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'diagnosis-affinity-phone');
});

test('findings are told in the language of the page', async ({ signedIn: page }) => {
  await page.addInitScript(() => localStorage.setItem('kairship.language', 'zh'));
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/card-vault');
  await expect(detail.finding('AFFINITY_NOT_MATCHED')).toContainText('没有集群匹配集群亲和性');
  await expect(detail.finding('AFFINITY_NOT_MATCHED')).toContainText('按亲和性要求为集群添加标签');
  await expectAccessible(page);
  await picture(page, 'diagnosis-zh');
});

test('a crash leads to the log of the pod that crashes', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/fraud-check');
  const finding = detail.finding('CRASH_LOOP');
  await expect(finding).toContainText('in singapore');
  await expect(finding).toContainText('licence server unreachable');
  await picture(page, 'diagnosis-crash');
  await finding.locator('[data-mend="log"]').first().click();
  await expect(page).toHaveURL(/tab=pods/);
  await expect(page.getByRole('log')).toBeVisible();
});

test('what nobody claims gets a policy, with its clusters shown before it is made', async ({
  signedIn: page,
}) => {
  const name = `e2e-orphan-${Date.now() % 100_000}`;
  makeDeployment(name);
  try {
    const detail = new DetailPage(page);
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`);
      await expect(detail.finding('NO_POLICY')).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await page.locator('[data-mend="createPolicy"]').click();
    await detail.dialog.getByRole('checkbox', { name: 'tokyo' }).check();
    const impact = detail.dialog.locator(`[data-impact="${name}"]`);
    await expect(impact).toHaveAttribute('data-change', 'GAINED');
    await expect(impact).toContainText('tokyo 2');
    await expectAccessible(page);
    await picture(page, 'diagnosis-create-policy');
    await detail.dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByText(`Karmada accepted the policy ${name}`)).toBeVisible();
    // The page tells the rest by itself.
    await expect(detail.target('tokyo')).toBeVisible({ timeout: 30_000 });
    await expect(detail.finding('NO_POLICY')).toHaveCount(0);
    await expect(page.locator('[data-fact="claimed"]')).toHaveAttribute('data-value', 'TRUE');
  } finally {
    removeDeployment(name);
  }
});

test('a label that the affinity asks for is set from the finding, and the workload goes there', async ({
  signedIn: page,
}) => {
  const name = `e2e-label-${Date.now() % 100_000}`;
  const key = `e2e-${name}`;
  makeDeployment(name, { clusterAffinity: { labelSelector: { matchLabels: { [key]: 'yes' } } } });
  try {
    const detail = new DetailPage(page);
    await expect(async () => {
      await detail.open(`asia/shop/deployment/${name}`);
      await expect(detail.finding('AFFINITY_NOT_MATCHED')).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await page.locator('[data-mend="labelCluster"]').click();
    await expect(detail.dialog).toContainText(`${key}=yes`);
    await expectAccessible(page);
    await picture(page, 'diagnosis-label');
    await detail.dialog.getByRole('button', { name: 'Set labels' }).click();
    await expect(detail.target('hangzhou')).toBeVisible({ timeout: 30_000 });
    await expect(detail.finding('AFFINITY_NOT_MATCHED')).toHaveCount(0);
  } finally {
    removeDeployment(name);
    kubectl('asia', ['label', 'cluster', '--all', `${key}-`]);
  }
});

test('a cluster unfolds to why, what was overridden, and the object there', async ({ signedIn: page }) => {
  const detail = new DetailPage(page);
  await detail.open('asia/payments/deployment/gateway');
  await expect(detail.why).toHaveAttribute('data-why', 'well');
  await detail
    .target('hangzhou')
    .getByRole('link', { name: /hangzhou/ })
    .click();
  await expect(page).toHaveURL(/cluster=hangzhou/);
  const unfolded = page.locator('[data-target-detail="hangzhou"]');
  await expect(unfolded).toContainText('gateway-acquirer');
  await expect(unfolded.locator('ins')).toContainText('--acquirer=unionpay');
  await unfolded.getByRole('button', { name: 'Show YAML in hangzhou' }).click();
  await expect(unfolded.locator('.cm-content')).toContainText('kind: Deployment');
  await expectAccessible(page);
  await picture(page, 'cluster-unfolded');
  await unfolded.getByRole('link', { name: 'Pods in hangzhou' }).click();
  await expect(page.locator('[data-pod-cluster="hangzhou"]')).toHaveCount(2);
  await expect(page.locator('[data-pod-cluster="singapore"]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Show all clusters' }).click();
  await expect(page.locator('[data-pod-cluster="singapore"]')).toHaveCount(2);
});

test.describe('somebody who may not change clusters', () => {
  // The provider's certificate is the playground's own.
  test.use({ ignoreHTTPSErrors: true });

  test('reads why, and is told what they may not do', async ({ page, signedInAs }) => {
    await signedInAs('editor', '/workloads/asia/payments/deployment/card-vault');
    const detail = new DetailPage(page);
    await expect(detail.finding('AFFINITY_NOT_MATCHED')).toBeVisible();
    await expect(page.locator('[data-not-allowed="labelCluster"]')).toBeVisible();
    await expect(page.locator('[data-mend="labelCluster"]')).toHaveCount(0);
    await expectAccessible(page);
  });
});
