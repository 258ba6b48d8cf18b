import { expect, expectAccessible, picture, test } from './fixtures';

test('a wrong token is refused with a clear message, and nothing is kept', async ({
  page,
  signInPage,
  manners,
}) => {
  manners.tolerate(/401/);
  await signInPage.open();
  await signInPage.signIn('not-a-token');
  await expect(signInPage.answer).toContainText('This token was refused');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await expectAccessible(page);
  await picture(page, 'sign-in-refused');
});

test('an empty field is asked for before anybody else is', async ({ page, signInPage }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await signInPage.open();
  const before = asked.length;
  await signInPage.submit.click();
  await expect(signInPage.answer).toContainText('Paste a bearer token first');
  expect(asked.length).toBe(before);
});

test('a right token leads to where one wanted to go, and signing out forgets it', async ({
  page,
  signInPage,
  token,
}) => {
  await signInPage.open('/clusters?instance=asia');
  await picture(page, 'sign-in');
  await signInPage.signIn(`Bearer ${token}`);
  await expect(page).toHaveURL(/\/clusters\?instance=asia$/);

  await page.getByRole('button', { name: /^Account/ }).click();
  await expect(page.getByText('Owner')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'viewer');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signInPage.unfold();
  expect(await page.evaluate(() => sessionStorage.getItem('kairship.token'))).toBeNull();
});

test('a token that stops being accepted leads back to the sign-in, and then on', async ({
  page,
  signInPage,
  token,
  manners,
}) => {
  manners.tolerate(/401|4403|4401|WebSocket/);
  await page.goto('/sign-in');
  await page.evaluate(() => sessionStorage.setItem('kairship.token', 'expired'));
  await page.goto('/workloads?kind=job');
  await expect(page.getByText(/no longer accepted|is over/)).toBeVisible();
  await signInPage.unfold();
  await signInPage.signIn(token);
  await expect(page).toHaveURL(/\/workloads\?kind=job$/);
});
