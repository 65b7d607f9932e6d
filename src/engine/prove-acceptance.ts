import path from 'node:path';
import { acceptanceFilesIn, haveScriptsChanged } from '../gate/acceptance-files.ts';
import { acceptanceChanged, type RealChanges, type Sight } from '../gate/seen.ts';
import { readPart } from '../io/files.ts';
import { tryGit } from '../io/git.ts';

/** A longer package.json is cut, which makes it invalid JSON: then it counts as changed. */
const longest = 4 * 1024 * 1024;

/** Says which files that the commands run the task has changed. Nothing where it changed none. */
export async function acceptanceSeen(
  cwd: string,
  commands: readonly string[],
  changes: RealChanges | undefined,
  head: string,
): Promise<Sight[]> {
  const still = changes?.still ?? [];
  const packages = still.filter((file) => path.posix.basename(file) === 'package.json');
  const changed = new Set<string>();
  for (const file of packages) {
    const { code, stdout } = await tryGit(cwd, ['show', `${head}:./${file}`]);
    const now = readPart(path.join(cwd, file), 0, longest)?.toString('utf8');
    if (haveScriptsChanged(code === 0 ? stdout : undefined, now)) changed.add(file);
  }
  return acceptanceChanged(acceptanceFilesIn(commands, still, (file) => changed.has(file)));
}
