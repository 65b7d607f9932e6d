import type { Entry, Parsed } from '../../../layout/layout.ts';
import { salvage } from '../../../schema/check.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { readYaml } from '../../../schema/read.ts';
import { taskFileSchema, type TaskFile } from './task-file.ts';

/** What task.yaml says, in its normal form: today's words, and the defaults where it says nothing. */
export function parse(entry: Entry): Parsed {
  const { file, wrongs } = examine(entry.text, entry.line);
  const [first, ...others] = wrongs;
  if (file && !first) return { fields: file };
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return { wrong: { ...(first as Wrong), message: `${first?.message}${more}` } };
}

/** The same with all that is wrong at once, and where; `id` stands for one that is missing. */
export function examine(
  text: string,
  line = 1,
  id = 'unknown',
): { file?: TaskFile; wrongs: readonly Wrong[] } {
  const read = readYaml(text, taskFileSchema, line);
  if ('value' in read) return { file: read.value, wrongs: [] };
  if (read.raw) return { file: salvage(taskFileSchema, read.raw, { ...blank, id }), wrongs: read.problems };
  const [{ fix, ...problem }] = read.problems;
  const until = fix.replace(/\.$/, '; docket changes nothing in this file until then.');
  return { wrongs: [{ ...problem, fix: until }] };
}

const blank = { title: '?', topology: 'swarm', state: 'created' };
