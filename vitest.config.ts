import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Against hanging only: a busy machine takes its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    reporters: ['default'],
  },
});
