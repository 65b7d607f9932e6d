import type { World } from './world.ts';

/** Who sits there, for the log. */
export function personIn(env: World['env']): string {
  const names = [env['USER'], env['LOGNAME'], env['USERNAME']].map((name) => name?.trim());
  return names.find((name) => name !== undefined && name !== '') ?? 'human';
}
