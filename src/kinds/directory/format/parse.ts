import type { Entry, Parsed, Wrong } from '../../../layout/layout.ts';
import { read } from '../../../schema/read.ts';
import type { Mistake } from '../../../schema/rule.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { taskFileRule, type TaskFile } from './task-file.ts';

/** What task.yaml says, in its normal form: today's words, and the defaults where it says nothing. */
export function parse(entry: Entry): Parsed {
  const { file, wrongs } = examine(entry.text, entry.line);
  const [first, ...others] = wrongs;
  if (file && !first) return { fields: file };
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return { wrong: { ...(first as Wrong), message: `${first?.message}${more}` } };
}

/** The same with all that is wrong at once, and where. */
export function examine(text: string, line = 1): { file?: TaskFile; wrongs: Wrong[] } {
  const found = read(text);
  if ('problem' in found) {
    const at = position(text, Math.min(found.offset, text.length), line);
    const fix = `Mend line ${at.line}; docket changes nothing in this file until then.`;
    return { wrongs: [{ message: found.problem, fix, ...at }] };
  }
  const mistakes: Mistake[] = [];
  const file = taskFileRule(found.raw, [], mistakes);
  const wrongs = mistakes.map(({ path, message, fix }) => ({
    message,
    fix,
    ...position(text, found.offsetOf(path), line),
  }));
  return { file, wrongs };
}
