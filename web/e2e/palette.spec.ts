import type { Page } from '@playwright/test';
import { expect, expectAccessible, picture, test } from './fixtures';
import { PalettePage } from './pages/palette';
import { spoil } from './spoil';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('an owner finds a workload by its name with the keyboard alone, and again among what was chosen lately', async ({
  page,
  signedInAs,
}) => {
  const palette = new PalettePage(page);
  await signedInAs('owner', '/');
  await expect(heading(page)).toHaveText('Overview');
  await palette.search('fraud');
  const found = palette.options.filter({ hasText: 'payments/fraud-check' }).first();
  await expect(found).toContainText('Deployment');
  await expect(found).toContainText('asia / hangzhou, singapore');
  await expectAccessible(page);
  await picture(page, 'palette');
  await palette.choose('payments/fraud-check');
  await expect(page).toHaveURL(/\/workloads\/asia\/payments\/deployment\/fraud-check$/);
  await expect(page.locator('#content')).toBeFocused();

  await palette.open();
  await expect(palette.options.first()).toContainText('payments/fraud-check');
  await expect(page.getByRole('group', { name: 'Recent' })).toBeVisible();
  await picture(page, 'palette-recent');
  await page.keyboard.press('Escape');
  await expect(palette.field).toHaveCount(0);
});

test('instances, members, pods and configuration are found, and say where they lead', async ({
  signedIn: page,
}) => {
  const palette = new PalettePage(page);
  await page.goto('/');
  await palette.search('asia');
  await expect(palette.options.first()).toContainText('asia');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/clusters\/asia$/);

  await palette.search('tokyo');
  await expect(page.getByRole('group', { name: 'Clusters' }).getByRole('option')).toContainText('tokyo');
  await page.keyboard.press('Escape');
  await expect(palette.field).toHaveValue('');

  await page.keyboard.type('checkout-config');
  await expect(palette.options.filter({ hasText: 'shop/checkout-config' }).first()).toContainText(
    'ConfigMap',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.type('storefront-');
  const pod = palette.options.filter({ hasText: 'Pod' }).first();
  await expect(pod).toContainText('opens its workload');
  await palette.choose('Pod');
  await expect(page).toHaveURL(/\/deployment\/storefront\?.*tab=pods/);
});

test('pages and commands are there, for those who may use them', async ({ page, signedInAs }) => {
  const palette = new PalettePage(page);
  await signedInAs('viewer', '/');
  await expect(heading(page)).toHaveText('Overview');
  await palette.open();
  const pages = page.getByRole('group', { name: 'Pages' });
  await expect(pages.getByRole('option', { name: /^Workloads/ })).toBeVisible();
  await expect(pages.getByRole('option', { name: /^Audit/ })).toHaveCount(0);
  await page.keyboard.type('dark');
  await palette.choose('Appearance: Dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  // Of the other instance there is nothing to be found.
  await palette.search('fraud-check');
  await expect(page.getByText('Nothing is called so.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('cart');
  await expect(palette.options.filter({ hasText: 'shop/cart' }).first()).toContainText('europe');
  await expect(palette.options.filter({ hasText: 'asia' })).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'palette-dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await picture(page, 'palette-phone');
});

test('an instance that could not be searched is named, and what was found elsewhere is shown', async ({
  signedIn: page,
}) => {
  await spoil(page, 'Search', (answer) => ({
    ...answer,
    errors: [
      {
        message: 'instance "europe": its API server does not answer',
        path: ['search', 'clusters'],
        extensions: { code: 'UNAVAILABLE', instance: 'europe', retryable: true },
      },
    ],
  }));
  const palette = new PalettePage(page);
  await page.goto('/');
  await palette.search('cart');
  await expect(page.locator('[data-search="not-searched"]')).toHaveText('Not searched: europe');
  await expect(palette.options.filter({ hasText: 'shop/cart' }).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('two words');
  await expect(page.getByText('objects are not searched')).toBeVisible();
});

test('? lists the keys, and they do what it says', async ({ signedIn: page }) => {
  await page.goto('/');
  await expect(heading(page)).toHaveText('Overview');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toContainText('Search and commands');
  await expectAccessible(page);
  await picture(page, 'keys');
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  for (const [letter, title] of [
    ['w', 'Workloads'],
    ['p', 'Policies'],
    ['e', 'Events'],
    ['a', 'Audit'],
    ['o', 'Overview'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await expect(heading(page)).toHaveText(title);
  }
  // What is typed into a field is meant for it.
  await page.goto('/workloads');
  await page.keyboard.press('/');
  await page.keyboard.type('gw?');
  await expect(page.getByLabel('Name contains')).toHaveValue('gw?');
  await expect(keys).toHaveCount(0);
});

test('a button opens it, too, and the focus goes back there', async ({ signedIn: page }) => {
  const palette = new PalettePage(page);
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Search' });
  await button.click();
  await expect(palette.field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});
