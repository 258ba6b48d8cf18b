import { defineConfig } from '@playwright/test';
import base from './playwright.config';

const PORT = 4177;

/** The stories of the kit, in a browser: no fleet and no server of Kairship's, so that it is quick. */
export default defineConfig({
  ...base,
  // Playwright empties the folder when it starts: the pages may be under test meanwhile.
  outputDir: 'test-results/stories',
  testDir: 'src/stories',
  testMatch: '*.spec.ts',
  timeout: 600_000,
  use: { ...base.use, baseURL: `http://127.0.0.1:${PORT}` },
  webServer: {
    command: `vite --host 127.0.0.1 --port ${PORT} --strictPort`,
    url: `http://127.0.0.1:${PORT}/stories.html`,
    reuseExistingServer: !process.env.CI,
  },
});
