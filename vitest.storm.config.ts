import { defineConfig } from 'vitest/config';

// The long suites (write storms, crash matrix): each writes a lot and waits for the disk a lot, so two at once.
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/support/own-state.ts'],
    include: ['test/storm/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
