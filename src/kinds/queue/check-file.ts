import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { readBytes, sizeAndInode } from '../../io/files.ts';
import { exists } from '../../io/links.ts';
import type { Entry } from '../../layout/layout.ts';
import { findingsOf } from '../../store/edit-notices.ts';
import type { Finding } from '../../store/store.ts';
import type { Fields } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import { queueLayout } from './format/layout.ts';
import { nthOf } from './format/names.ts';

/** What is wrong with the record of a task. */
export function checkTask(file: string, task: Task): Finding[] {
  return exists(file) ? checkQueueFile(file, queueLayout.ref(task)) : [];
}

/** What is wrong with a tasks.yaml, or with one record of it. */
export function checkQueueFile(file: string, ref?: string): Finding[] {
  const bytes = readBytes(file) ?? Buffer.alloc(0);
  if (!isUtf8(bytes)) {
    return [
      { severity: 'error', path: file, message: 'the file is not valid UTF-8', fix: 'save it as UTF-8' },
    ];
  }
  const sheet = queueLayout.split(bytes.toString('utf8'));
  if (sheet.wrong) return [{ severity: 'error', path: file, ...sheet.wrong }];
  const findings: Finding[] = [];
  for (const entry of sheet.entries) {
    if (ref !== undefined && entry.ref !== ref) continue;
    const parsed = queueLayout.parse(entry);
    if ('wrong' in parsed) {
      findings.push(...findingsOf(parsed.wrong, file));
      continue;
    }
    const remarks = queueLayout.remarks?.(entry) ?? [];
    findings.push(
      ...remarks.flatMap((wrong) => findingsOf(wrong, file)),
      ...missingText(parsed.fields, entry, file),
    );
    if (nthOf(entry.ref) > 1) {
      const message = `the name of "${entry.ref}" stands before, for another task`;
      const at = { line: entry.line, column: 1 };
      findings.push({ severity: 'warning', path: file, ...at, message, fix: 'rename one of them' });
    }
  }
  return findings;
}

/** A task that waits has its text where the record says; of one that is over nobody needs it any more. */
function missingText(fields: Fields, { line }: Entry, file: string): Finding[] {
  const { task_dir: folder, content_file: text, status = 'pending' } = fields;
  const name = typeof folder === 'string' ? `${folder}/order.md` : text;
  const root = path.resolve(file, '../..');
  const isQueue = path.join(root, queueLayout.mirror) === path.resolve(file);
  if (!isQueue || status !== 'pending' || typeof name !== 'string') return [];
  if (sizeAndInode(path.resolve(root, name)) !== undefined) return [];
  const message = `the text of the task is missing: there is no file ${name}`;
  const fix = 'Write the file, or say the text in "content:" instead.';
  return [{ severity: 'error', path: file, line, column: 1, message, fix }];
}
