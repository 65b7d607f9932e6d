import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, makeDir, readBytes } from '../../io/files.ts';
import { findProgram } from '../../io/find-program.ts';
import { findUp, isDirectory } from '../../io/find-up.ts';
import { removeTree } from '../../io/folders.ts';
import { realFolder } from '../../io/links.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readPlainBytes } from '../../io/plain-file.ts';
import type { Config } from '../../settings/config.ts';
import type { AddPlaces } from '../add-input.ts';
import { queueFile } from './format/file.ts';
import { transliterate } from './format/names.ts';
import { wordsSaid } from './format/own.ts';
import { split } from './format/split.ts';

const folder = 'attachments';
const longestBytes = 25 * 1024 * 1024;
const mostFiles = 50;

export interface Attached {
  /** Where the agent finds them, for the end of the task's text. */
  text: string;
  /** Takes them away again, when the task did not come to be. */
  undo: () => void;
}

/**
 * Copies files into the folder of a task that is about to be made, all of them or none. The folder's name is new, so
 * nothing is overwritten; a link is refused, because what it leads to is not what was named.
 */
export function attach(root: string, taskDir: string, files: readonly string[]): Attached {
  if (files.length > mostFiles)
    throw new DocketError(
      'INVALID',
      `${files.length} attachments; a task may have ${mostFiles}`,
      'pack them',
    );
  const own = path.join(root, taskDir);
  const undo = (): void => removeTree(own);
  try {
    const into = path.join(own, folder);
    makeDir(into);
    const names = safeNames(files.map((file) => path.basename(file)));
    files.forEach((file, index) => {
      const copy = path.join(into, names[index] ?? '');
      if (!createFile(copy, readPlainBytes(file, longestBytes), { sync: true }))
        throw new DocketError('CONFLICT', `${copy} exists already`, 'try again', { path: copy });
    });
    const lines = names.map((name) => `- ${taskDir}/${folder}/${name}`);
    return { text: `\n\n## Attachments\n\n${lines.join('\n')}\n`, undo };
  } catch (error) {
    undo();
    throw error;
  }
}

/** Letters, digits, ".", "_" and "-", no two the same also where case does not count. */
export function safeNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const parts = path.parse(name);
    const stem = plain(parts.name).slice(0, 80) || 'file';
    const ext = parts.ext === '' ? '' : `.${plain(parts.ext).slice(0, 20)}`;
    let free = `${stem}${ext}`;
    for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}-${n}${ext}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

function plain(text: string): string {
  const latin = /^[\w.-]*$/.test(text) ? text : transliterate(text);
  return latin.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[.-]+|[.-]+$/g, '');
}

/** Process ids, paths of this machine and what runs leave; workflows, facets and settings are for everybody. */
const ignored = `# Made by docket with this folder, and yours to change: the queue and what its runs leave stay on this
# machine. Workflows, facets and settings are worth committing.
/tasks.yaml*
/tasks/
/runs/
/archive/
`;

/** Makes `.takt` where it is missing. One that is there is somebody's, and what git sees of it their choice. */
export function makeTaktFolder(root: string): void {
  if (isDirectory(path.join(root, '.takt'))) return;
  createFile(path.join(makeOwnFolder(root, '.takt'), '.gitignore'), ignored);
}

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
