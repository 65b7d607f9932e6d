import type { Entry, Parsed } from '../layout.ts';
import { position } from '../yaml/lines.ts';
import { read } from './read.ts';
import { problemIn } from './rules.ts';

/** What an entry says, or what is wrong with it and where in the file. One bad entry says nothing about the others. */
export function parse(entry: Entry): Parsed {
  const found = read(entry);
  const where = (offset: number) => {
    const { line, column } = position(entry.text, offset, entry.line);
    return { line, column: line === entry.line ? column + (entry.column ?? 1) - 1 : column };
  };
  if ('problem' in found) {
    const fix = 'Mend this entry; the other tasks of the file are not affected.';
    return { wrong: { message: found.problem, fix, ...where(found.offset) } };
  }
  const problem = problemIn(found.fields);
  if (!problem) return { fields: found.fields };
  const { message, fix, key } = problem;
  return { wrong: { message, fix, ...where(found.offsetOf(key)) } };
}
