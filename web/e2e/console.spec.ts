import { expect, expectAccessible, picture, test } from './fixtures';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

test('a console runs kubectl against its instance, as the one who is signed in', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('editor', '/clusters?instance=asia');
  await page.getByRole('link', { name: 'Console of asia' }).click();
  await expect(page).toHaveURL(/console=asia/);
  const terminal = page.locator('[data-terminal]');
  await expect(terminal).toHaveAttribute('data-terminal', 'open');
  await expect(page.getByRole('textbox', { name: 'Console of asia' })).toBeFocused();
  const screen = terminal.locator('.xterm-rows');
  await page.keyboard.type('kubectl auth whoami -o jsonpath={.status.userInfo.username}\n');
  await expect(screen).toContainText('kairship:oidc:editor');
  await page.keyboard.type('kubectl -n shop get deployment storefront -o name\n');
  await expect(screen).toContainText('deployment.apps/storefront');
  await expectAccessible(page);
  await picture(page, 'console');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await picture(page, 'console-dark');
  await page.keyboard.type('exit 4\n');
  await expect(terminal).toHaveAttribute('data-terminal', 'exited');
  await expect(page.getByText('Exit code 4')).toBeVisible();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(terminal).toHaveCount(0);
});

test('an address that leads to a console opens none by itself', async ({ page, signedInAs }) => {
  await signedInAs('owner', '/clusters?instance=asia&console=asia');
  await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible();
  await expect(page.locator('[data-terminal]')).toHaveAttribute('data-terminal', 'idle');
});

test('with a token it is said that a console takes a session', async ({ signedIn: page }) => {
  await page.goto('/clusters?instance=asia&console=asia');
  await expect(page.locator('[data-console="asia"]')).toContainText('Sign in with your browser');
});
