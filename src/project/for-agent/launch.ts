import path from 'node:path';
import { findProgram } from '../../io/find-program.ts';
import { realFolder } from '../../io/links.ts';
import { packageRoot } from '../../io/package-root.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The words that start this docket from anywhere: by its name if that is what a shell would find, else by its place. */
export function launchWords(env: Env, cwd: string): string[] {
  const own = path.join(packageRoot(), 'bin', 'docket');
  const found = findProgram('docket', env, cwd);
  // Another program may have the same name.
  const isOurs = found !== undefined && realFolder(found) === realFolder(own);
  return isOurs ? ['docket'] : [process.execPath, own];
}
