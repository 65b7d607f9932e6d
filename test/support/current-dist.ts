import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));

/**
 * Tests that start bin/docket run what is built in dist. With a dist that is older than src they would be green for
 * yesterday's program, so it is built first, and a build that fails ends the run.
 */
export function setup(): void {
  if (process.env['DOCKET_TEST_WITHOUT_DIST'] !== undefined) return; // scripts/mutants.mjs: its tests start nothing
  const { status, error } = spawnSync(process.execPath, [program], { stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  const why = error?.message ?? `exit code ${status ?? 'none'}`;
  throw new Error(`dist is older than src, and building it failed (${why}). Fix it: node scripts/setup.mjs`);
}
