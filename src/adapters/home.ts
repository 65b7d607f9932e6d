import path from 'node:path';
import { makeDir } from '../io/files.ts';
import { exists, linkUnlessThere } from '../io/links.ts';
import type { Where } from './adapter.ts';

/** The user's home folder. Undefined where the environment does not say. */
export function userHome(env: Where['env']): string | undefined {
  return env['HOME'] || env['USERPROFILE'] || undefined;
}

/**
 * Gives a worker's own vendor home files of the user's, such as the login: by a link, so that a token which the vendor
 * renews is the user's again and no second copy of a secret lies about. What the home has already stays.
 */
export function linkFiles(from: string | undefined, to: string, names: readonly string[]): void {
  makeDir(to);
  if (from === undefined || path.resolve(from) === path.resolve(to)) return;
  for (const name of names) {
    const file = path.join(from, name);
    if (exists(file)) linkUnlessThere(file, path.join(to, name));
  }
}

/** The files that such links lead to: a vendor that renews a token writes there. */
export function loginTargets(from: string | undefined, names: readonly string[]): string[] {
  return from === undefined ? [] : names.map((name) => path.join(from, name)).filter(exists);
}
