import { defineConfig } from 'vitest/config';

// Whole nights by a clock that runs fast, with several dockets and agents at once: one file at a time.
export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/support/own-state.ts'],
    include: ['test/night/**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 1_200_000, // three minutes on a quiet machine; a busy one may take its time
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
  },
});
