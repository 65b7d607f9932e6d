import type { Json } from '../../task/json.ts';
import { complain, many, mapping, nameOf, type Reads } from './fields.ts';
import type { Place } from './problem.ts';
import { ref, type Ref } from './ref.ts';
import { text, yesNo } from './values.ts';

export type ReportFile = {
  at: Place;
  name: string;
  format?: Ref;
  order?: Ref;
  use_judge?: boolean;
};

/** It becomes a file in the run's folder: words with dots, no way up, nothing hidden. */
const namePattern = /^(?![./])(?!.*(?:\/\/|\/\.))[\p{L}\p{N}_./ -]{1,120}$/u;

const fileName: Reads<string> = (value, path, mistakes) => {
  const said = text()(value, path, mistakes);
  if (said === '' || (namePattern.test(said) && !said.endsWith('/'))) return said;
  complain(mistakes, {
    path,
    message: `${nameOf(path)} is no name of a report`,
    fix: 'Write a file name such as 01-plan.md.',
  });
  return '';
};

const described = mapping({
  known: { name: fileName, format: ref, order: ref, use_judge: yesNo(true) },
});

/** `{name, format, …}`, `Label: file.md`, or the file's name alone. */
const report: Reads<ReportFile> = (value, path, mistakes) => {
  const at = [...path];
  if (typeof value === 'string') return { at, name: fileName(value, path, mistakes) };
  const label = labelIn(value);
  if (label !== undefined) return { at, name: fileName(label[1], [...path, label[0]], mistakes) };
  const read = described(value, path, mistakes);
  if (read.name === undefined)
    complain(mistakes, { path, message: `${nameOf(path)} has no name`, fix: 'Add `name: 01-plan.md`.' });
  return { ...read, name: read.name ?? '' };
};

function labelIn(value: Json | undefined): [string, string] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [entry, second] = Object.entries(value);
  if (entry === undefined || second !== undefined || typeof entry[1] !== 'string') return undefined;
  return entry[0] === 'name' || entry[0] === 'format' ? undefined : [entry[0], entry[1]];
}

export const reports: Reads<ReportFile[]> = (value, path, mistakes) =>
  Array.isArray(value) ? many(report)(value, path, mistakes) : [report(value, path, mistakes)];

const block = mapping({ known: { report: reports } });

/** Newer files have the list below `report`. */
export const contracts: Reads<{ at: Place; report?: ReportFile[] }> = (value, path, mistakes) =>
  Array.isArray(value)
    ? { at: [...path], report: many(report)(value, path, mistakes) }
    : block(value, path, mistakes);
