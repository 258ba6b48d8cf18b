import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const backend = process.env.KAIRSHIP_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': here('./src') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The app's policy lets fonts and workers come from our own origin only: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 4000,
    manifest: 'assets/manifest.json',
    rolldownOptions: {
      input: { index: here('./index.html'), graphiql: here('./graphiql.html') },
    },
  },
  server: {
    proxy: {
      '/graphql': { target: backend, ws: true },
    },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    restoreMocks: true,
  },
});
