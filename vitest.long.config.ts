import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shared } from './test/support/shared-config.ts';
import { long } from './vitest.config.ts';

/** The longest first: a fresh clone knows no times, and one that began last would end alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /kills|demo|-long-/.test(moduleId);
    return files.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

// Packets end to end, a small storm, and kills: what a change must pass too, and what nobody waits for while writing it.
export default defineConfig({
  test: {
    ...shared,
    include: long,
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    maxConcurrency: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
});
