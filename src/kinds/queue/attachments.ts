import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { createFile, makeDir } from '../../io/files.ts';
import { removeTree } from '../../io/folders.ts';
import { readPlainBytes } from '../../io/plain-file.ts';
import { transliterate } from './format/transliterate.ts';

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
