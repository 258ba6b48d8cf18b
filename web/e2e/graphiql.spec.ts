import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';

const response = (page: Page) => page.locator('.graphiql-response');
const run = (page: Page) => page.getByRole('button', { name: /Execute query|Stop query/ });

test('GraphiQL runs the example query as the viewer', async ({ signedIn, page }) => {
  await signedIn.goto('/graphiql');
  await expect(page.locator('.graphiql-query-editor')).toContainText('query Fleet');
  await run(page).click();
  await expect(response(page)).toContainText('"instances"');
  await expect(response(page)).toContainText('"asia"');
  // GraphiQL's own tabs hold their close buttons.
  await expectAccessible(page, ['nested-interactive']);
  await picture(page, 'graphiql');
});

test('GraphiQL runs the example subscription', async ({ signedIn, page }) => {
  await signedIn.goto('/graphiql');
  await page.getByRole('tab', { name: 'Watch' }).click();
  await expect(page.locator('.graphiql-query-editor')).toContainText('subscription Watch');
  await run(page).click();
  await expect(response(page)).toContainText('"SYNCED"');
  await picture(page, 'graphiql-subscription');
  await run(page).click();
});

test('GraphiQL opens an example in a tab of its own', async ({ signedIn, page }) => {
  await signedIn.goto('/graphiql');
  await expect(page.locator('.graphiql-query-editor')).toContainText('query Fleet');
  await page.getByRole('button', { name: 'Show Examples' }).click();
  await page
    .locator('.examples')
    .getByRole('button', { name: /^Scale/ })
    .click();
  await expect(page.locator('.graphiql-query-editor')).toContainText('mutation Scale');
});

test('GraphiQL without a token says how to get one, and takes one as a header', async ({
  page,
  token,
  manners,
}) => {
  manners.tolerate(/401/);
  await page.goto('/graphiql');
  await expect(page.getByText('Not signed in')).toBeVisible();
  const headers = page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden) .view-lines');
  await headers.click();
  await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${token}` }));
  await run(page).click();
  await expect(response(page)).toContainText('"asia"');
});
