// What the pages cost in a real Chromium: `make bench-web` writes it to test-results/budgets.md. Nothing fails by a time.

import type { CDPSession, Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { kubectl } from '../fleet';
import { expect, signInTab, test } from '../fixtures';

const LOADS = 7;
const SCROLL_MS = 5_000;
const UPDATES = 1_800;

const rows: string[] = [];
const say = (what: string, ...figures: string[]) => rows.push(`| ${[what, ...figures].join(' | ')} |`);

test.afterAll(() => {
  writeFileSync('test-results/budgets.md', ['| what | figures |', '| --- | --- |', ...rows, ''].join('\n'));
});

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const ms = (numbers: number[]) =>
  `median ${median(numbers).toFixed(0)} ms (${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)})`;

test('first useful content', async ({ browser, token, baseURL }) => {
  test.setTimeout(300_000);
  const pages = [
    { name: 'overview: the first cause', path: '/', shown: '[data-cause]' },
    { name: 'workloads: the first row', path: '/workloads', shown: '.workloads tbody tr[data-index]' },
  ];
  for (const { name, path, shown } of pages) {
    const cold: number[] = [];
    const warm: number[] = [];
    let scripts = 0;
    for (let load = 0; load < LOADS; load++) {
      const context = await browser.newContext({ baseURL });
      const page = await context.newPage();
      await signInTab(page, token);
      for (const times of [cold, warm]) {
        await page.goto(path, { waitUntil: 'commit' });
        await page.locator(shown).first().waitFor();
        times.push(await page.evaluate(() => performance.now()));
        if (times === cold) scripts = await bytesOfScripts(page);
      }
      await context.close();
    }
    say(
      name,
      `nothing cached ${ms(cold)}; scripts cached ${ms(warm)}; ${(scripts / 1024).toFixed(0)} KB of scripts`,
    );
  }
});

const bytesOfScripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
  );

test('scrolling a long page', async ({ workloads, page }) => {
  await workloads.open('?instance=europe&size=200');
  await workloads.live();
  const frames = await page.evaluate(async (lasts) => {
    const scroller = document.getElementById('content') ?? document.documentElement;
    const took: number[] = [];
    let down = true;
    const began = performance.now();
    let last = await new Promise<number>(requestAnimationFrame);
    while (last - began < lasts) {
      if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) down = false;
      if (scroller.scrollTop <= 0) down = true;
      scroller.scrollTop += down ? 60 : -60;
      const now = await new Promise<number>(requestAnimationFrame);
      took.push(now - last);
      last = now;
    }
    return took;
  }, SCROLL_MS);
  const late = frames.filter((took) => took > 34).length;
  say(
    'scrolling the workloads of europe on one page',
    `${frames.length} frames in ${SCROLL_MS / 1000} s, ${ms(frames)}, ${late} later than two frames`,
  );
});

test('an hour of updates in a few minutes', async ({ workloads, page, token, baseURL }) => {
  test.setTimeout(600_000);
  await workloads.open('?instance=asia&namespace=shop');
  await workloads.live();
  const devtools = await page.context().newCDPSession(page);
  const url = `${baseURL}/instances/asia/apis/apps/v1/namespaces/shop/deployments/checkout`;
  const heaps = [await heapOf(devtools)];
  const began = Date.now();
  try {
    for (let done = 0; done < UPDATES; done += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const body = JSON.stringify({
            metadata: { annotations: { 'e2e.kairship.io/n': String(done + n) } },
          });
          const headers = {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/merge-patch+json',
          };
          const answer = await fetch(url, { method: 'PATCH', headers, body });
          expect(answer.ok, await answer.text()).toBe(true);
        }),
      );
      if ((done + 20) % (UPDATES / 3) === 0) heaps.push(await heapOf(devtools));
    }
  } finally {
    kubectl('asia', ['-n', 'shop', 'annotate', 'deployment', 'checkout', 'e2e.kairship.io/n-']);
  }
  const rate = UPDATES / ((Date.now() - began) / 1000);
  say(
    `${UPDATES} updates of a workload on the page, ${rate.toFixed(0)} a second (two a minute for ${UPDATES / 120} hours)`,
    `heap before, and after each third: ${heaps.map((bytes) => `${(bytes / (1 << 20)).toFixed(1)} MB`).join(', ')}`,
  );
});

/** What a page holds once what it does not need any more is gone. */
async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize;
}
