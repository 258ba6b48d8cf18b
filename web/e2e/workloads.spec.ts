import { demoWorkloads } from './demo';
import { expect, expectAccessible, picture, test } from './fixtures';

const STATES: Record<string, string> = {
  RUNNING: 'Running',
  PROGRESSING: 'Progressing',
  DEGRADED: 'Degraded',
  STOPPED: 'Stopped',
  PAUSED: 'Paused',
  NOT_PROPAGATED: 'Not propagated',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  UNKNOWN: 'Unknown',
};

test('the list shows every workload of the demo with its state and a chip for each cluster', async ({
  workloads,
}) => {
  const expected = demoWorkloads();
  expect(expected, 'workloads of playground/demo/expected.yaml').not.toHaveLength(0);

  for (const instance of new Set(expected.map(({ instance }) => instance))) {
    const mine = expected.filter((workload) => workload.instance === instance);
    const namespaces = [...new Set(mine.map(({ namespace }) => namespace))];
    const search = new URLSearchParams([
      ['instance', instance],
      ['size', '200'],
      ...namespaces.map((namespace): [string, string] => ['namespace', namespace]),
    ]);
    await workloads.open(`?${search}`);
    for (const { kind, namespace, name, state, targets } of mine) {
      const row = workloads.row(kind, namespace, name);
      await test.step(`${instance} ${kind} ${namespace}/${name}`, async () => {
        await expect(row).toHaveCount(1);
        await expect(row.locator('.col-state')).toContainText(STATES[state] ?? state);
        await expect(row.locator('[data-chip]')).toHaveCount(targets.length);
        for (const { cluster, desiredReplicas, ready } of targets) {
          const chip = workloads.chip(row, cluster);
          await expect(chip).toBeVisible();
          if (ready !== undefined && desiredReplicas !== undefined) {
            await expect(chip).toHaveAttribute('data-count', `${ready}/${desiredReplicas}`);
          }
        }
      });
    }
  }
});

test('the list is accessible, light and dark, wide and on a phone', async ({ workloads, page }) => {
  await workloads.open('?instance=asia');
  await workloads.live();
  await expectAccessible(page);
  await picture(page, 'workloads');

  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await picture(page, 'workloads-dark');

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(workloads.rows.first()).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await picture(page, 'workloads-phone');
});

test('filters, page and size live in the address, and the back button knows them', async ({
  workloads,
  page,
}) => {
  await workloads.open('?size=100');
  await page.getByLabel('Name contains').fill('gateway');
  await expect(page).toHaveURL(/name=gateway/);
  await expect(workloads.row('Deployment', 'payments', 'gateway').first()).toBeVisible();
  for (const name of await workloads.rows.locator('th .name').allTextContents()) {
    expect(name).toContain('gateway');
  }
  await page.reload();
  await expect(page.getByLabel('Name contains')).toHaveValue('gateway');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/workloads\?size=100$/);
});

test('pages follow each other by cursor without repeating a row', async ({ workloads, page }) => {
  await workloads.open();
  await expect(workloads.next, 'more than one page: `make test-web` seeds it').toBeEnabled();
  const ids = () =>
    workloads.rows.evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.workload ?? ''));
  const first = await ids();
  await workloads.next.click();
  await expect(page).toHaveURL(/after=/);
  await expect.poll(async () => (await ids())[0]).not.toBe(first[0]);
  const second = await ids();
  expect(second.filter((id) => first.includes(id))).toEqual([]);
  await workloads.previous.click();
  await expect.poll(ids).toEqual(first);
});

test('the list by age begins with the youngest, then with the oldest, page after page', async ({
  workloads,
  page,
}) => {
  const born = () =>
    workloads.rows
      .locator('time')
      .evaluateAll((ages) => ages.map((age) => (age as HTMLTimeElement).dateTime));
  await workloads.open();
  const byName = await born();
  await page.getByRole('button', { name: 'Age', exact: true }).click();
  await expect(page).toHaveURL(/\/workloads\?sort=age$/);
  await expect.poll(born).not.toEqual(byName);
  const youngest = await born();
  expect(youngest).toEqual(youngest.toSorted().toReversed());

  // Many are made within a second, so that times do not tell one page from the next.
  const firstRow = () => workloads.rows.first().getAttribute('data-workload');
  const first = await firstRow();
  await workloads.next.click();
  await expect(page).toHaveURL(/sort=age&after=/);
  await expect.poll(firstRow).not.toBe(first);
  const next = await born();
  expect(next).toEqual(next.toSorted().toReversed());
  expect((next[0] ?? '') <= (youngest.at(-1) ?? '')).toBe(true);

  await page.getByRole('button', { name: 'Age', exact: true }).click();
  await expect(page).toHaveURL(/\/workloads\?sort=-age$/);
  await expect.poll(born).not.toEqual(next);
  const oldest = await born();
  expect(oldest).toEqual(oldest.toSorted());
  expect(await page.getByRole('columnheader', { name: 'Age', exact: true }).getAttribute('aria-sort')).toBe(
    'descending',
  );
});

test('a long page keeps few rows in the document', async ({ workloads, page }) => {
  await workloads.open('?size=200');
  const told = Number(await workloads.table.getAttribute('aria-rowcount'));
  expect(told, 'a long page: `make test-web` seeds it').toBeGreaterThan(100);
  expect(await workloads.rows.count()).toBeLessThan(100);
  await page.locator('#content').evaluate((content) => content.scrollTo(0, content.scrollHeight));
  await expect(page.locator(`tr[aria-rowindex="${told}"]`)).toBeVisible();
});

test('a chip tells its three facts on hover, and arrow keys lead to it', async ({ workloads, page }) => {
  await workloads.open('?instance=asia&namespace=payments&name=fraud-check');
  const row = workloads.row('Deployment', 'payments', 'fraud-check');
  await workloads.chip(row, 'singapore').hover();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('Scheduled');
  await expect(card).toContainText('Applied');
  await expect(card).toContainText('PodsUnavailable');
  await picture(page, 'chip');
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();

  await row.locator('th a').focus();
  await page.keyboard.press('ArrowRight');
  await expect(workloads.chip(row, 'hangzhou')).toBeFocused();
  await expect(card).toContainText('hangzhou');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workloads\/asia\/payments\/deployment\/fraud-check\?cluster=hangzhou$/);
});

test('a name that matches nothing, a cursor that is none and a page that is none say what to do', async ({
  page,
  signedIn,
}) => {
  await signedIn.goto('/workloads?name=no-such-thing');
  await expect(page.getByText('No workload matches')).toBeVisible();
  await expectAccessible(page);
  await signedIn.goto('/workloads?after=nonsense');
  await expect(page.getByText('does not exist any more')).toBeVisible();
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(page).toHaveURL(/\/workloads$/);
  await signedIn.goto('/nowhere');
  await expect(page.getByText('There is no such page')).toBeVisible();
});

test('the page speaks Chinese', async ({ workloads, page }) => {
  await workloads.open('?instance=europe');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByText('中文').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('工作负载');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.keyboard.press('Escape');
  await picture(page, 'workloads-chinese');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('工作负载');
});
