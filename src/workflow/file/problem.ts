import type { Wrong } from '../../schema/problem.ts';

/** What is wrong with a workflow, in which file and where. An error keeps it from running. */
export interface Problem extends Wrong {
  severity: 'error' | 'warning' | 'note';
  file: string;
}

/** A way into a file's values, such as `steps`, 0, `rules`. */
export type Place = (string | number)[];

/** What speaks against a value, before anybody knows on which line it stands. */
export interface Complaint {
  path: readonly (string | number)[];
  message: string;
  fix: string;
  severity?: Problem['severity'];
  /** The key is meant, not what stands behind it. */
  atKey?: true;
}
