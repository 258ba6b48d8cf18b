import type { Page } from '@playwright/test';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectAccessible, picture, test } from './fixtures';
import { PodsPage } from './pages/pods';
import { spoil } from './spoil';

// The provider's certificate is the playground's own.
test.use({ ignoreHTTPSErrors: true });

const STOREFRONT = 'asia/shop/deployment/storefront';

/** Every pod of the playground logs what is written here. */
function logged(text: string): void {
  const state = process.env.KAIRSHIP_PLAYGROUND_DIR ?? join(import.meta.dirname, '../../.playground');
  const at = new Date().toISOString().replace('Z', '000001Z');
  appendFileSync(join(state, 'config/pod.log'), `${at} stdout F ${text}\n`);
}

async function inBothThemes(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await picture(page, name);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page);
  await picture(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('the pods of every member are shown with their state, and lead to their logs', async ({
  page,
  signedInAs,
}) => {
  await signedInAs('owner');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  for (const cluster of ['hangzhou', 'singapore', 'tokyo']) {
    await expect(pods.in(cluster).first()).toContainText('Running');
    await expect(pods.in(cluster).first()).toContainText('1/1');
  }
  await inBothThemes(page, 'pods');
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await picture(page, 'pods-phone');
});

test('a log is followed, held, read on, and kept as a file', async ({ page, signedInAs }) => {
  await signedInAs('owner');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await pods
    .in('tokyo')
    .first()
    .getByRole('link', { name: /^Log of / })
    .click();
  await expect(page).toHaveURL(/log=tokyo%2Fstorefront-/);
  await expect(pods.lines.filter({ hasText: 'listening on :8080' })).toHaveCount(1);
  const first = `first-${Date.now()}`;
  logged(first);
  await expect(pods.lines.last()).toHaveText(first);
  await page.getByLabel('Timestamps').check();
  await expect(pods.lines.last().locator('time')).toBeVisible();
  await inBothThemes(page, 'pod-log');

  await page.getByRole('button', { name: 'Pause' }).click();
  const second = `second-${Date.now()}`;
  logged(second);
  const on = page.getByRole('button', { name: /^Go on/ });
  await expect(on).toHaveText('Go on · 1 new');
  await expect(pods.lines.last()).toContainText(first);
  await on.click();
  await expect(pods.lines.last()).toContainText(second);

  // Only what contains a text is shown; the address says which.
  await page.getByLabel('Lines that contain').fill(second.toUpperCase());
  await expect(pods.lines).toHaveCount(1);
  await expect(page).toHaveURL(/find=SECOND/);
  await page.getByLabel('Lines that contain').fill('in no line');
  await expect(page.getByText('No line contains “in no line”.')).toBeVisible();
  await page.getByLabel('Lines that contain').fill('');
  await expect(pods.lines.last()).toContainText(second);

  // Scrolling back holds it, too.
  await pods.log.focus();
  await page.keyboard.press('PageUp');
  await expect(on).toBeVisible();
  await on.click();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('storefront.log');
  expect(readFileSync(await file.path(), 'utf8')).toMatch(
    new RegExp(`^2026-01-02T03:04:05\\S* tokyo/storefront-\\S+ starting\n[^]* ${first}\n`),
  );

  await page.reload();
  await expect(pods.lines.last()).toContainText(second);
});

test('the logs of all pods are merged, and each line says whose it is', async ({ page, signedInAs }) => {
  await signedInAs('owner');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await page.getByRole('link', { name: 'Log of all pods' }).click();
  for (const cluster of ['hangzhou', 'singapore', 'tokyo']) {
    await expect(pods.lines.filter({ hasText: `${cluster}/storefront-` }).first()).toBeVisible();
  }
  const text = `to-all-${Date.now()}`;
  logged(text);
  await expect(pods.lines.filter({ hasText: new RegExp(`^tokyo/storefront-\\S+ ${text}$`) })).not.toHaveCount(
    0,
  );
  await expect(
    pods.lines.filter({ hasText: new RegExp(`^hangzhou/storefront-\\S+ ${text}$`) }),
  ).not.toHaveCount(0);
  await inBothThemes(page, 'pod-logs');

  // The log before the last restart is none that can be followed: of these pods there is none.
  await page.getByLabel('Before the last restart').check();
  await expect(page).toHaveURL(/previous=true/);
  await expect(page.locator('[data-log-state="ended"]')).toBeVisible();
});

test('a terminal is opened in a pod, typed into, resized and ended', async ({ page, signedInAs }) => {
  await signedInAs('owner');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await pods
    .in('hangzhou')
    .first()
    .getByRole('link', { name: /^Terminal in / })
    .click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'open');
  await expect(page.getByRole('textbox', { name: /^Terminal in / })).toBeFocused();
  await pods.type('echo e2e-$((6 * 7))');
  await expect(pods.screen).toContainText('e2e-42');
  await pods.type('printf "\\033[38;2;200;30;30mcoloured\\033[0m\\n"');
  await expect(pods.screen.getByText('coloured', { exact: true }).first()).toBeVisible();
  await inBothThemes(page, 'terminal');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(pods.terminal.locator('.xterm-scrollable-element')).toHaveCSS(
    'background-color',
    'rgb(20, 27, 36)',
  );
  await page.emulateMedia({ colorScheme: 'light' });

  const columns = async (mark: string) => {
    await pods.type(`echo ${mark}-$(stty size | cut -d" " -f2)-`);
    const said = new RegExp(`${mark}-(\\d+)-`);
    await expect(pods.screen).toContainText(said);
    return Number(said.exec((await pods.screen.textContent()) ?? '')?.[1]);
  };
  const wide = await columns('wide');
  await page.setViewportSize({ width: 900, height: 700 });
  await expect.poll(() => columns(`narrow${Date.now()}`)).toBeLessThan(wide);

  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByRole('button', { name: 'End' })).toBeFocused();
  await page.getByRole('textbox', { name: /^Terminal in / }).focus();
  await pods.type('exit');
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'exited');
  await expect(page.getByText('Exit code 0')).toBeVisible();
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'open');
  // The members here, which simulate their pods, say an exit code in words.
  await pods.type('exit 3');
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'failed');
  await expect(pods.terminal.getByRole('status')).toContainText('exit status 3');
  await page.getByRole('button', { name: 'Connect again' }).click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'open');
  await page.getByRole('button', { name: 'End' }).click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'idle');
});

test('an address that leads to a terminal opens none by itself', async ({ page, signedInAs }) => {
  await signedInAs('owner');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  const [name = ''] = await pods.names('hangzhou');
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).pathname));
  await pods.open(STOREFRONT, `&terminal=hangzhou/${name}`);
  await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'idle');
  expect(sockets.filter((path) => path !== '/graphql')).toEqual([]);
  await page.goto(`/workloads/${STOREFRONT}?tab=pods&terminal=hangzhou/no-such-pod`);
  await expect(page.getByText('The pod no-such-pod is not there')).toBeVisible();
});

test('an editor may look into the pods of their namespaces', async ({ page, signedInAs }) => {
  await signedInAs('editor');
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await expect(
    pods
      .in('tokyo')
      .first()
      .getByRole('link', { name: /^Log of / }),
  ).toBeVisible();
  await pods
    .in('tokyo')
    .first()
    .getByRole('link', { name: /^Terminal in / })
    .click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'open');
});

test('a viewer reads logs, is told why there is no terminal, and the member refuses one', async ({
  page,
  manners,
  signedInAs,
}) => {
  manners.tolerate(/403/);
  await signedInAs('viewer', '/workloads?instance=europe&kind=deployment');
  await page.locator('[data-workload]', { hasText: 'gateway' }).first().locator('th a').click();
  await page.getByRole('link', { name: 'Pods', exact: true }).click();
  const pods = new PodsPage(page);
  await expect(pods.rows.first()).toBeVisible();
  await expect(page.locator('[data-not-allowed="terminal"]')).toContainText('create pods/exec');
  await expect(page.getByRole('link', { name: /^Terminal in / })).toHaveCount(0);
  await expectAccessible(page);
  await picture(page, 'pods-viewer');
  await pods.rows
    .first()
    .getByRole('link', { name: /^Log of / })
    .click();
  await expect(pods.lines.filter({ hasText: 'listening on :8080' })).toHaveCount(1);

  // Were it offered all the same, the member would say no, and the page would say what it said.
  await spoil(page, 'Workload', (answer) => {
    const instance = answer.data?.instance as { access: Record<string, unknown> };
    instance.access.mayRunCommands = true;
    return answer;
  });
  await page.goto(page.url().replace(/\?.*/, '?tab=pods'));
  await pods.rows
    .first()
    .getByRole('link', { name: /^Terminal in / })
    .click();
  await expect(pods.terminal).toHaveAttribute('data-terminal', 'refused');
  await expect(pods.terminal.getByRole('status')).toContainText(
    /pods "[^"]+" is forbidden: User "kairship:oidc:viewer"/,
  );
  await inBothThemes(page, 'terminal-refused');
});

test('with a token there are logs, and it is said that a terminal takes a session', async ({
  signedIn: page,
}) => {
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await expect(pods.rows.first().getByRole('link', { name: /^Log of / })).toBeVisible();
  await expect(page.locator('[data-not-allowed="terminal"]')).toContainText('Sign in with your browser');
});

test('a member that cannot be asked is said beside the pods of the others', async ({ signedIn: page }) => {
  // Told by the stream itself; what a member that is stopped leads to is tried on the graph (e2e/live_test.go).
  await page.routeWebSocket('**/graphql', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const text = String(message);
      socket.send(
        text.replace(
          '"missing":[]',
          '"missing":[{"clusterName":"tokyo","error":{"code":"UNAVAILABLE","message":"cluster \\"tokyo\\" does not answer"}}]',
        ),
      );
    });
  });
  const pods = new PodsPage(page);
  await pods.open(STOREFRONT);
  await expect(page.locator('[data-missing="tokyo"]')).toContainText('does not answer');
  await inBothThemes(page, 'pods-missing');
});
