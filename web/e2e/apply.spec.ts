import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';

test.use({ ignoreHTTPSErrors: true });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const editor = (page: Page) => page.getByRole('textbox', { name: /^Manifests/ });
const outcome = (page: Page, name: string) => page.locator(`tr[data-name="${name}"]`);

const configMap = (name: string, value: string, namespace = 'shop') =>
  [
    'apiVersion: v1',
    'kind: ConfigMap',
    `metadata: {name: ${name}, namespace: ${namespace}}`,
    `data: {key: "${value}"}`,
    '',
  ].join('\n');

test('manifests are previewed, applied, and said to be unchanged the next time', async ({
  signedIn: page,
}) => {
  const name = `applied-${Date.now()}`;
  await page.goto('/apply?instance=asia');
  await expect(button(page, 'Preview')).toBeDisabled();
  await editor(page).fill(configMap(name, 'one'));
  await expect(button(page, 'Apply')).toBeDisabled(); // nobody has seen what it does
  await button(page, 'Preview').click();
  await expect(page.locator('[data-outcomes="preview"]')).toBeVisible();
  await expect(outcome(page, name)).toHaveAttribute('data-outcome', 'CREATED');
  await expectAccessible(page);
  await picture(page, 'apply-preview');

  // Another page loses nothing of what was written.
  await page.getByRole('link', { name: 'Workloads' }).first().click();
  await page.goBack();
  await expect(editor(page)).toContainText(name);
  await button(page, 'Preview').click();
  await button(page, 'Apply').click();
  await expect(page.locator('[data-outcomes="applied"]')).toBeVisible();
  await expect(outcome(page, name)).toHaveAttribute('data-outcome', 'CREATED');
  await button(page, 'Preview').click();
  await expect(outcome(page, name)).toHaveAttribute('data-outcome', 'UNCHANGED');
});

test('each document that is refused says why, and files are added to what is written', async ({
  signedIn: page,
}) => {
  await page.goto('/apply?instance=asia');
  await editor(page).fill(configMap('well', 'one'));
  await page.locator('input[type=file]').setInputFiles([
    { name: 'bad.yaml', mimeType: 'text/yaml', buffer: Buffer.from(configMap('Not A Name', 'two')) },
    { name: 'more.yaml', mimeType: 'text/yaml', buffer: Buffer.from(configMap('also-well', 'three')) },
  ]);
  await expect(editor(page)).toContainText('also-well');
  await button(page, 'Preview').click();
  await expect(page.locator('[data-outcome="FAILED"]')).toContainText('Not A Name');
  await expect(page.locator('.page [role=status]').first()).toContainText('of 3 failed');
  await expect(button(page, 'Apply')).toBeDisabled();
  await expectAccessible(page);

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'apply-refused-dark');
});

test('who may not write is told by each document', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/apply?instance=asia');
  await editor(page).fill(configMap('not-mine', 'one'));
  await button(page, 'Preview').click();
  await expect(page.locator('[data-outcome="FAILED"], .ant-alert-error').first()).toBeVisible();
  await expect(button(page, 'Apply')).toBeDisabled();
});

test('without an instance it says to choose one', async ({ signedIn: page }) => {
  await page.goto('/apply');
  await expect(page.getByRole('heading', { name: 'Choose an instance' })).toBeVisible();
});
