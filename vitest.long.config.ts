import { defineConfig } from 'vitest/config';
import { shared } from './test/support/shared-config.ts';
import { long } from './vitest.config.ts';

// Packets end to end, a small storm, and kills: what a change must pass too, and what nobody waits for while writing it.
export default defineConfig({
  test: {
    ...shared,
    include: long,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
