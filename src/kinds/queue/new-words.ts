import path from 'node:path';
import { readBytes } from '../../io/files.ts';
import { findProgram } from '../../io/find-program.ts';
import { findUp, isDirectory } from '../../io/find-up.ts';
import { realFolder } from '../../io/links.ts';
import type { Config } from '../../settings/config.ts';
import type { AddPlaces } from '../add-input.ts';
import { queueFile } from './format/file.ts';
import { split } from './format/split.ts';
import { wordsSaid } from './format/words.ts';

/**
 * Whether a new record says workflow and step. A file that has words of either kind decides; a new file follows the
 * setting `queueWords`, then the installed takt. The file is read only where the answer could be yes.
 */
export function saysWorkflow(
  { queueWords }: Config,
  { root, env }: Pick<AddPlaces, 'root' | 'env'>,
): boolean {
  if (queueWords === undefined ? !isNewerTakt(root, env) : queueWords === 'piece') return false;
  const text = readBytes(path.join(root, queueFile))?.toString('utf8');
  return (wordsSaid(split(text)) ?? 'newer') === 'newer';
}

/** takt 0.36 and later refuse a file with the word "piece". */
const firstNewer = 36;

function isNewerTakt(root: string, env: AddPlaces['env']): boolean {
  const own = path.join(root, 'node_modules', 'takt');
  const program = isDirectory(own) ? undefined : findProgram('takt', env, root);
  const folder = program === undefined ? own : findUp(path.dirname(realFolder(program)), ['package.json']);
  const text = folder && readBytes(path.join(folder, 'package.json'))?.toString('utf8');
  const [, major, minor] = /"version"\s*:\s*"(\d+)\.(\d+)\./.exec(text ?? '') ?? [];
  return (
    text !== undefined &&
    /"name"\s*:\s*"takt"/.test(text) &&
    (Number(major) > 0 || Number(minor) >= firstNewer)
  );
}
