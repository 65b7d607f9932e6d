import { defineConfig } from 'vitest/config';

// The long suites (write storms, crash matrix): they use every core themselves, so one file at a time.
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/support/own-state.ts'],
    include: ['test/storm/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
