import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { createFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import { redact } from '../../render/redact.ts';
import type { Attachment } from '../../render/worker-prompt.ts';
import { parseManifest } from './format/manifest.ts';
import { notesFile, placeholderNotes } from './format/new-task.ts';

const longestNotes = 1024 * 1024;
const longestAttachment = 4 * 1024 * 1024;

/** What people wrote into shared/human-notes.md; the words that docket put there are none. */
export function readNotes(dir: string): string {
  return newWords(placeholderNotes, readTextFile(path.join(dir, notesFile), longestNotes) ?? '');
}

/** The place where a person is asked to write, in case somebody took it away. */
export function keepNotes(dir: string): void {
  const [folder = '', ...name] = notesFile.split('/');
  createFile(path.join(makeOwnFolder(dir, folder), ...name), placeholderNotes);
}

/** Lines that were not there before, in the order in which they stand: a person's new words. */
export function newWords(before: string, now: string): string {
  const left = new Map<string, number>();
  for (const line of before.split(/\r?\n/)) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const added = now.split(/\r?\n/).filter((line) => {
    const count = left.get(line.trim()) ?? 0;
    left.set(line.trim(), count - 1);
    return count <= 0;
  });
  return added.some((line) => line.trim() !== '') ? added.join('\n').trim() : '';
}

/** What shared/context-manifest.yaml attaches, as text without what looks like a secret, and why the rest of it is not attached. */
export interface TaskContext {
  attachments: Attachment[];
  problems: string[];
}

const manifestFile = 'shared/context-manifest.yaml';

/**
 * Paths are from the root, or from the task directory where the root has none such; nothing outside the root is read. The
 * work goes on without what cannot be had: people and agents are told what that is.
 */
export function readContext(root: string, dir: string): TaskContext {
  const { attachments, problems } = manifestIn(path.join(dir, manifestFile));
  const found: TaskContext = {
    attachments: [],
    problems: problems.map(({ problem, line }) => `${manifestFile}, line ${line}: ${problem}`),
  };
  for (const attachment of attachments) {
    const about = `${manifestFile}: ${attachment.id} is not attached`;
    try {
      const text = readFrom([root, dir], root, attachment.path);
      if (text === undefined) found.problems.push(`${about}: there is no file ${attachment.path}`);
      else if (isBehind(text, attachment.range))
        found.problems.push(`${about}: ${attachment.path} has no line ${attachment.range?.split(':')[0]}`);
      else found.attachments.push({ ...attachment, text: redact(cut(text, attachment.range)).text });
    } catch (error) {
      found.problems.push(`${about}: ${messageOf(error)}`);
    }
  }
  return found;
}

function manifestIn(file: string): ReturnType<typeof parseManifest> {
  try {
    return parseManifest(readTextFile(file, longestNotes) ?? '');
  } catch (error) {
    return { attachments: [], problems: [{ problem: messageOf(error), line: 1 }] };
  }
}

/** The range begins behind the last line. */
function isBehind(text: string, range: string | undefined): boolean {
  return range !== undefined && Number(range.split(':')[0]) > text.split('\n').length;
}

function readFrom(bases: readonly string[], root: string, name: string): string | undefined {
  for (const base of bases) {
    const text = readTextFile(placeInside(root, path.join(base, name)), longestAttachment);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** `start:end`, both counted from 1 and included. */
function cut(text: string, range: string | undefined): string {
  const found = /^(\d+):(\d+)$/.exec(range ?? '');
  if (!found) return text;
  return text
    .split('\n')
    .slice(Number(found[1]) - 1, Number(found[2]))
    .join('\n');
}
