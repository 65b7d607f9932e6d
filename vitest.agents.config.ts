import { defineConfig } from 'vitest/config';
import { shared } from './test/support/shared-config.ts';

// The vendors' CLIs against a scripted model. Run it by `npm run test:agents`: it needs the namespace made there.
export default defineConfig({
  test: {
    ...shared,
    include: ['test/agents/**/*.test.ts'],
    globalSetup: [...shared.globalSetup, 'test/agents/namespace.ts'],
    // One file per CLI, and all at once: many of their cases wait for a vendor's retries, and test/agents/lab.ts
    // limits how many of the others are at work.
    maxWorkers: 8,
    maxConcurrency: 32,
    testTimeout: 900_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
