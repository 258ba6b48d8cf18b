import { kubectl } from './fleet';
import { expect, expectAccessible, picture, test } from './fixtures';

test.use({ ignoreHTTPSErrors: true });

const NAME = `e2e-event-${Date.now()}`;

/** An event as a controller tells it. */
const event = (type: string, reason: string) => `
apiVersion: v1
kind: Event
metadata: {generateName: ${NAME}-, namespace: shop}
type: ${type}
reason: ${reason}
message: told by a test that has a message long enough to be wrapped where a row of the table ends, and then some more
involvedObject: {apiVersion: v1, kind: ConfigMap, namespace: shop, name: ${NAME}}
source: {component: e2e}
firstTimestamp: "${new Date().toISOString().slice(0, 19)}Z"
lastTimestamp: "${new Date().toISOString().slice(0, 19)}Z"
count: 1
`;

test('events of all instances appear as they happen, and filters hold', async ({ signedIn: page }) => {
  await page.goto('/events');
  await expect(page.locator('.link-mark.is-live')).toBeVisible();
  await expect(page.locator('tr[data-event]').first()).toBeVisible();
  kubectl('asia', ['create', '-f', '-'], event('Warning', 'E2ETold'));
  const told = page.locator('tr[data-event="E2ETold"]').first();
  await expect(told).toBeVisible();
  await expect(told).toContainText('asia');
  await expect(told.getByRole('link')).toHaveAttribute('href', `/resources/asia/ConfigMap.v1/shop/${NAME}`);
  await expectAccessible(page);
  await picture(page, 'events');

  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByTitle('Warning', { exact: true }).last().click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/type=WARNING/);
  await expect(page.locator('tr[data-event][data-type="NORMAL"]')).toHaveCount(0);
  await expect(told).toBeVisible();
  // What does not pass the filter does not come, what does, does.
  kubectl('asia', ['create', '-f', '-'], event('Normal', 'E2EQuiet'));
  kubectl('asia', ['create', '-f', '-'], event('Warning', 'E2ELoud'));
  await expect(page.locator('tr[data-event="E2ELoud"]').first()).toBeVisible();
  await expect(page.locator('tr[data-event="E2EQuiet"]')).toHaveCount(0);

  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await picture(page, 'events-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'events-phone');
});

test('events of members are read when asked for', async ({ signedIn: page }) => {
  await page.goto('/events?instance=asia&member=singapore&namespace=payments');
  await expect(page.getByText('They are not followed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  // fraud-check crashes there.
  await expect(page.locator('tr[data-event="BackOff"]').first()).toContainText('asia / singapore');
  await expectAccessible(page);
  await picture(page, 'events-member');
});

test('a viewer sees the events of their instance alone', async ({ page, signedInAs }) => {
  await signedInAs('viewer', '/events');
  await expect(page.getByRole('heading', { name: 'Events' })).toBeVisible();
  await expect(page.locator('tr[data-event]').first().or(page.getByText('No events'))).toBeVisible();
  await expect(page.locator('.events .col-instance', { hasText: 'asia' })).toHaveCount(0);
});
