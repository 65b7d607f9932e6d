import { defineConfig } from 'vitest/config';
import { shared } from './test/support/shared-config.ts';

// The long suites (write storms, crash matrix): they use every core themselves, so one file at a time.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/storm/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
