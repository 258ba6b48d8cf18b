import { expect, expectAccessible, picture, test } from './fixtures';
import { spoil } from './spoil';

test('an instance that cannot be reached is named, and the rest is shown', async ({ workloads, page }) => {
  await spoil(page, 'Workloads', (answer) => ({
    ...answer,
    errors: [
      {
        message: 'instance "europe": its API server does not answer',
        path: ['workloads'],
        extensions: { code: 'UNAVAILABLE', instance: 'europe', retryable: true },
      },
    ],
  }));
  await workloads.open('?name=cart');
  const notice = page.locator('.problems');
  await expect(notice).toContainText('europe cannot be reached');
  await expect(notice.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(workloads.row('Deployment', 'shop', 'cart').first()).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'workloads-partial');
});

test('bindings that cannot be read leave the rows, and say that the clusters are not known', async ({
  workload,
  page,
}) => {
  await spoil(page, 'Workload', (answer) => {
    const instance = answer.data?.instance as { workload: Record<string, unknown> };
    instance.workload.propagation = null;
    return {
      ...answer,
      errors: [
        {
          message: 'the read store took too long to answer',
          path: ['instance', 'workload', 'propagation'],
          extensions: { code: 'TIMEOUT', instance: 'asia', retryable: true },
        },
      ],
    };
  });
  // Without its live feed, which would tell what the read did not.
  await page.routeWebSocket('**/graphql', (socket) => socket.close());
  await workload.open('asia', 'shop', 'Deployment', 'cart');
  await expect(page.locator('.problems')).toContainText('took too long');
  await expect(page.getByText('How it is propagated could not be read')).toBeVisible();
});

test('a viewer without rights is told so, not shown an empty list', async ({ signedIn, page }) => {
  await spoil(page, 'Workloads', () => ({
    data: { workloads: null },
    errors: [{ message: 'forbidden', path: ['workloads'], extensions: { code: 'FORBIDDEN' } }],
  }));
  await signedIn.goto('/workloads');
  await expect(page.getByText('You may not see this')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in as somebody else' })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'forbidden');
});

test('a lost live connection is said, retried, and the page stays', async ({ workloads, page }) => {
  const sockets: { close: () => Promise<void> }[] = [];
  await page.routeWebSocket('**/graphql', (socket) => {
    socket.connectToServer();
    sockets.push({ close: () => socket.close({ code: 1012 }) });
  });
  await workloads.open('?instance=asia&namespace=shop');
  await workloads.live();
  const before = await workloads.rows.count();
  expect(sockets).toHaveLength(1);
  await sockets[0]?.close();
  await expect(page.locator('.link-mark.is-broken')).toHaveText('Reconnecting');
  await workloads.live();
  expect(sockets.length).toBeGreaterThan(1);
  expect(await workloads.rows.count()).toBe(before);
});
