import { fileURLToPath } from 'node:url';
import type { TestUserConfig } from 'vitest/config';
import { FailedNames } from './failed-names.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What every suite has in common. */
export const shared = {
  environment: 'node',
  setupFiles: [here('own-state.ts')],
  globalSetup: [here('current-dist.ts')],
  reporters: ['default', new FailedNames()],
  // Real processes: tests send signals and change directories, which threads cannot.
  pool: 'forks' as const,
} satisfies TestUserConfig;
