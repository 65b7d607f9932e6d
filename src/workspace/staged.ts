import { readBytes } from '../io/files.ts';
import { git } from '../io/git.ts';
import { joinParts, parts } from './bytes.ts';

/** Puts entries of a repository's index back to what they were. Only those: the rest of it is somebody's work. */
export async function putBackStaged(
  folder: string,
  kept: string,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const before = entriesOf(readBytes(kept)?.toString('latin1') ?? '');
  const now = entriesOf(await git(folder, ['ls-files', '-z', '--stage'], { bytes: true }));
  const input: string[] = [];
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(name) ?? [];
    const is = now.get(name) ?? [];
    if (!isWanted(name) || was.join('\0') === is.join('\0')) continue;
    const id = (was[0] ?? is[0] ?? '').split(' ')[1] ?? '';
    input.push(`0 ${'0'.repeat(id.length)}\t${name}`, ...was);
  }
  if (input.length === 0) return;
  const args = ['-c', 'core.hooksPath=/dev/null', 'update-index', '-z', '--index-info'];
  await git(folder, args, { bytes: true, input: joinParts(input) });
}

/** Name → its lines: one, or up to three while it is unmerged. */
function entriesOf(staged: string): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  for (const line of parts(staged)) {
    const name = line.slice(line.indexOf('\t') + 1);
    entries.set(name, [...(entries.get(name) ?? []), line]);
  }
  return entries;
}
