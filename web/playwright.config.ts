import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

/** The system's browser: nothing is downloaded. */
function browser(): { executablePath?: string; channel?: string } {
  const named = process.env.KAIRSHIP_CHROMIUM;
  if (named) return { executablePath: named };
  if (existsSync('/usr/bin/chromium')) return { executablePath: '/usr/bin/chromium' };
  return { channel: 'chrome' };
}

const BENCH = '**/bench/*.spec.ts';

const CHANGES = [
  '**/overview.spec.ts',
  '**/workload.spec.ts',
  '**/actions.spec.ts',
  '**/tasks.spec.ts',
  '**/namespaces.spec.ts',
  '**/instances.spec.ts',
  '**/live.spec.ts',
  '**/pods.spec.ts',
  '**/diagnosis.spec.ts',
  '**/topology.spec.ts',
  '**/revisions.spec.ts',
  '**/cluster-detail.spec.ts',
  '**/join.spec.ts',
  '**/instance-detail.spec.ts',
  '**/instance-create.spec.ts',
  '**/policy-form.spec.ts',
  '**/workload-create.spec.ts',
];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/artifacts',
  reporter: [['list']],
  // The tests share one fleet. Those that change it, or stop a part of it, come one after the other when the rest is done.
  workers: 2,
  fullyParallel: false,
  projects: [
    { name: 'reading', testIgnore: [...CHANGES, BENCH] },
    { name: 'changing', testMatch: CHANGES, dependencies: ['reading'], workers: 1 },
    // Measures, and only where that is asked for.
    ...(process.env.KAIRSHIP_BENCH ? [{ name: 'bench', testMatch: BENCH, workers: 1 }] : []),
  ],
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: process.env.KAIRSHIP_URL ?? 'http://127.0.0.1:8080',
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    // Colours are measured, not caught half-way.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: {
      ...browser(),
      args: [
        ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
