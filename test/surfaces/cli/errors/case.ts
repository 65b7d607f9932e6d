import type { ErrorCode } from '../../../../src/errors.ts';
import type { Place } from './place.ts';

/** A line that cannot be done, and what its answer has to say. */
export interface Case {
  /** As it is typed, behind `docket`. `{name}` stands for what the place has under that name. */
  readonly line: string;
  readonly code: ErrorCode;
  /** What the message names: what was typed, or what is wrong. */
  readonly names: readonly string[];
  /** The file, from the root, with its line where there is one. */
  readonly at?: string;
  readonly stdin?: string;
  /** Every change of the disk fails with this. */
  readonly disk?: 'ENOSPC' | 'EACCES' | 'EROFS';
  /** Without --json it is told in other words than an error's, on stdout: findings, or what the board says. */
  readonly told?: true;
  /** It stands in docs/errors.md, word by word. */
  readonly shown?: true;
}

/** Lines that are tried in one place. They are refused, so each finds it as it was. */
export interface CaseSet {
  readonly title: string;
  readonly make: (place: Place) => Promise<void> | void;
  readonly cases: readonly Case[];
}

/** Short for those of which only these four things are to be said. */
export function no(line: string, code: ErrorCode, ...names: string[]): Case {
  return { line, code, names };
}
