import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const backend = process.env.KAIRSHIP_URL ?? 'http://127.0.0.1:8080';

/** Lays the documents of the UI beside it: a server may be told to run no others. */
const documents: Plugin = {
  name: 'kairship-documents',
  generateBundle() {
    const source = readFileSync(here('./src/graph/generated/documents.json'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'documents.json', source });
  },
};

export default defineConfig({
  plugins: [react(), documents],
  resolve: { alias: { '@': here('./src') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The app's policy lets fonts and workers come from our own origin only: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    // Monaco, which only GraphiQL's page loads, is one such chunk. scripts/check-size.mjs holds the first page.
    chunkSizeWarningLimit: 4000,
    manifest: 'assets/manifest.json',
    rolldownOptions: {
      onLog(level, log, report) {
        // GraphiQL's packages carry a directive for React's compiler, which does not run here.
        if (log.code === 'MODULE_LEVEL_DIRECTIVE' && log.message.includes('"use no memo"')) return;
        report(level, log);
      },
      input: { index: here('./index.html'), graphiql: here('./graphiql.html') },
    },
  },
  server: {
    proxy: {
      '/graphql': { target: backend, ws: true },
      '/instances': { target: backend, ws: true },
      '/auth': backend,
    },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // A test that hangs fails; one on a machine that is busy with a fleet need not.
    testTimeout: 60_000,
  },
});
