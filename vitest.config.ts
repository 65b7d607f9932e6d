import { defineConfig } from 'vitest/config';
import { shared } from './test/support/shared-config.ts';

/** These have a suite of their own: `npm run test:long`. */
export const long = [
  'test/specs/packet-*.test.ts',
  'test/specs/queue-*.test.ts',
  'test/specs/agentmesh-checks*.test.ts',
  'test/specs/board-*.test.ts',
  'test/specs/proof-*.test.ts',
  'test/specs/hygiene-*.test.ts',
  'test/engine/*kills.test.ts',
  'test/store/{storm,faults,torn,damage,damage-mirror}.test.ts',
  'test/adapters/faults.test.ts',
  'test/kinds/directory/hostile.test.ts',
  'test/project/canary.test.ts',
  'test/project/demo/*.test.ts',
  'test/kinds/packet/secrets.test.ts',
  'test/kinds/queue/{git-merge,git-merge-edits,git-merge-hand-edits,git-delete,git-deliver,clean,left-in-place,loops}.test.ts',
  'test/kinds/board/{spawn,spawn-kills}.test.ts',
  'test/kinds/directory/{adoption,proof-question}.test.ts',
  'test/engine/{budgets,trust,proof-queue,proof-held,proof-seen,prove-runs,run,restart,strays,hidden}.test.ts',
  'test/engine/workflow/{interruption,worker-ends,exit-codes}.test.ts',
  'test/surfaces/cli/answers/every-answer.test.ts',
  'test/surfaces/cli/{delivery,failure-fields}.test.ts',
  'test/project/logs/follow.test.ts',
  'test/workspace/{losses,apply-diff}.test.ts',
];

/**
 * They share processes, which saves loading the same modules a hundred times: half of the processor's time. Not so those
 * that ask which modules were loaded, change what belongs to the whole process, or fill its memory.
 */
const sharing = [
  'adapters',
  'project',
  'channel',
  'settings',
  'gate',
  'kinds',
  'layout',
  'render',
  'report',
  'schema',
  'store',
  'task',
  'workflow',
  'workspace',
].map((part) => `test/${part}/**/!(lazy|redact-hostile).test.ts`);

export default defineConfig({
  test: {
    ...shared,
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    projects: [
      { extends: true, test: { name: 'sharing', include: sharing, exclude: long, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/agents/**',
            'test/night/**',
            'test/storm/**',
            'test/fixtures/**',
            ...long,
            ...sharing,
          ],
        },
      },
    ],
  },
});
