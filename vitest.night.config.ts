import { defineConfig } from 'vitest/config';
import { shared } from './test/support/shared-config.ts';

// Whole nights by a clock that runs fast, with several dockets and agents at once: one file at a time.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/night/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_200_000, // three minutes on a quiet machine; a busy one may take its time
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
  },
});
