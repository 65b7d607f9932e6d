import type { Entry, Parsed } from '../../../layout/layout.ts';
import type { Wrong } from '../../../schema/problem.ts';
import { position } from '../../../schema/yaml/lines.ts';
import { read, type Reading } from './read.ts';
import { problemsIn, remarksOn, type Problem } from './rules.ts';

/** What an entry says, or all that is wrong with it and where in the file. One bad entry says nothing about the others. */
export function parse(entry: Entry): Parsed {
  const found = read(entry);
  if ('problem' in found) {
    const fix = 'Mend this entry; the other tasks of the file are not affected.';
    return { wrong: { message: found.problem, fix, ...placeIn(entry, found.offset) } };
  }
  const problems = problemsIn(found.fields);
  if (problems.length === 0) return { fields: found.fields };
  const [wrong, ...more] = [...problems, ...remarksOn(found.fields)].map(located(entry, found)) as [
    Wrong,
    ...Wrong[],
  ];
  return { wrong: more.length > 0 ? { ...wrong, more } : wrong };
}

/** What is worth knowing about an entry that can be read. */
export function remarks(entry: Entry): Wrong[] {
  const found = read(entry);
  return 'problem' in found ? [] : remarksOn(found.fields).map(located(entry, found));
}

function located(entry: Entry, reading: Reading) {
  return ({ message, fix, key, harmless }: Problem): Wrong => ({
    message,
    fix,
    ...placeIn(entry, reading.offsetOf(key)),
    ...(harmless && { harmless }),
  });
}

function placeIn(entry: Entry, offset: number): { line: number; column: number } {
  const { line, column } = position(entry.text, offset, entry.line);
  return { line, column: line === entry.line ? column + (entry.column ?? 1) - 1 : column };
}
