import path from 'node:path';
import { createFile } from './files.ts';

export const ownRules = '*\n!/.gitignore\n!/config.yaml\n!/prompts/\n!/prompts/**\n';

/**
 * Keeps what is ours in `.docket` out of version control: it may hold secrets. People's settings and templates there
 * are theirs to commit. Who changes the file has a reason, so it is written once. False: there is one.
 */
export function ignoreOwn(docketFolder: string): boolean {
  return createFile(path.join(docketFolder, '.gitignore'), ownRules);
}
