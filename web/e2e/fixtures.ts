import { test as base, expect } from '@playwright/test';
import type { ConsoleMessage, Page, Request } from '@playwright/test';
import axe from 'axe-core';
import { Provider } from './pages/provider';
import { SignInPage } from './pages/sign-in';
import { WorkloadsPage } from './pages/workloads';
import { WorkloadPage } from './pages/workload';

/** What no page of Kairship may do. */
export class Manners {
  private readonly lapses: string[] = [];
  private readonly tolerated: RegExp[] = [];

  constructor(
    page: Page,
    private readonly origin: string,
  ) {
    page.on('request', (request) => this.heed(request));
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== new URL(origin).host) this.lapses.push(`socket to ${socket.url()}`);
    });
    page.on('console', (message) => this.hear(message));
    page.on('pageerror', (error) => this.lapses.push(`error: ${error.message}`));
  }

  /** An error that the test provokes is no lapse. */
  tolerate(pattern: RegExp): void {
    this.tolerated.push(pattern);
  }

  check(): void {
    const left = this.lapses.filter((lapse) => !this.tolerated.some((pattern) => pattern.test(lapse)));
    expect(left, 'requests to other origins and console errors').toEqual([]);
  }

  private heed(request: Request): void {
    const url = new URL(request.url());
    // To sign in is to go to the provider and back: that is another page, not a request of this one.
    if (request.isNavigationRequest()) return;
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    if (url.origin !== this.origin) this.lapses.push(`request to ${request.url()}`);
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() === 'error' || message.type() === 'warning') {
      this.lapses.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  }
}

interface Fixtures {
  token: string;
  manners: Manners;
  /** A page that is signed in. */
  signedIn: Page;
  /** Signs somebody of the playground in by the browser, and opens a page. */
  signedInAs: (user: Parameters<Provider['signIn']>[0], path?: string) => Promise<void>;
  signInPage: SignInPage;
  provider: Provider;
  workloads: WorkloadsPage;
  workload: WorkloadPage;
}

export const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- the runner reads the pattern
  token: async ({}, use) => {
    const token = process.env.KAIRSHIP_TOKEN?.trim();
    if (!token) throw new Error('KAIRSHIP_TOKEN must hold a bearer token of an administrator');
    await use(token);
  },
  manners: [
    async ({ page, baseURL }, use) => {
      const manners = new Manners(page, new URL(baseURL ?? '').origin);
      await use(manners);
      // What a route of the test still does then ends with the page, which is no fault of the page's.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      manners.check();
    },
    { auto: true },
  ],
  signedIn: async ({ page, token }, use) => {
    await signInTab(page, token);
    await use(page);
  },
  signInPage: async ({ page }, use) => use(new SignInPage(page)),
  signedInAs: async ({ page, signInPage, provider }, use) =>
    use(async (user, path = '/workloads') => {
      await page.goto(path);
      await signInPage.provider.click();
      await provider.signIn(user);
      await page.locator('.shell').waitFor();
    }),
  provider: async ({ page }, use) => use(new Provider(page)),
  workloads: async ({ signedIn }, use) => use(new WorkloadsPage(signedIn)),
  workload: async ({ signedIn }, use) => use(new WorkloadPage(signedIn)),
});

/** The token lives in the tab: put it there before the first page loads, as a sign-in would. */
export async function signInTab(page: Page, token: string): Promise<void> {
  await page.addInitScript((token) => sessionStorage.setItem('kairship.token', token), token);
}

/** Fails on anything axe calls serious or critical. */
export async function expectAccessible(page: Page, except: string[] = []): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (except) => {
    const run = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run.run(document, {
      resultTypes: ['violations'],
      rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => ({
        id,
        help,
        where: nodes
          .slice(0, 3)
          .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`),
      }));
  }, except);
  expect(violations).toEqual([]);
}

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `test-results/${name}.png` });
}

export { expect };
