import { defineConfig } from 'vitest/config';

// scripts/setup.mjs has built dist before this runs, so tests may call bin/docket.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/agents/**', 'test/storm/**', 'test/fixtures/**'],
    // Real processes: tests send signals and change directories, which threads cannot.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
