import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** The page as static files that can lie on any web server: relative addresses, no inline script, nothing fetched. */
export default defineConfig({
  root: resolve(import.meta.dirname, 'src/web'),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Languages are loaded when they are spoken.
  resolve: {
    alias: [{ find: /^\.\/languages\.ts$/, replacement: resolve(import.meta.dirname, 'src/web/worker/spoken.ts') }],
  },
  worker: { format: 'es' },
  build: {
    outDir: resolve(import.meta.dirname, 'dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    // Vite's preloading would fetch; the policy of the page forbids that.
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
