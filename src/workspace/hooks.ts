import path from 'node:path';
import { git } from '../io/git.ts';

/** The folder of the hooks that a person set up for the repository, wherever its settings have it. */
export async function hooksOf(root: string): Promise<string> {
  return path.resolve(root, (await git(root, ['rev-parse', '--git-path', 'hooks'])).replace(/\n$/, ''));
}
