import { defineConfig } from 'vitest/config';

/** These have a suite of their own: `npm run test:long`. */
export const long = [
  'test/specs/packet-*.test.ts',
  'test/specs/queue-*.test.ts',
  'test/specs/agentmesh-checks-run.test.ts',
  'test/engine/*kills.test.ts',
  'test/store/storm.test.ts',
];

// scripts/setup.mjs has built dist before this runs, so tests may call bin/docket.
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/agents/**', 'test/storm/**', 'test/fixtures/**', ...long],
    // Real processes: tests send signals and change directories, which threads cannot.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
