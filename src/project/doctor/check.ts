import type { Project } from '../../settings/project.ts';
import type { Finding } from '../../store/store.ts';
import { mending, openAt } from './remedy.ts';

/** One thing that a check saw. What is not well says what to do about it. */
export type DoctorFinding = {
  check: string;
  what: string;
  /** A path, a setting, a process. */
  where?: string;
} & ({ state: 'ok' } | ({ state: 'warn' | 'bad' } & Remedy));

interface Remedy {
  /** In words. */
  fix: string;
  /** A line to type in the root. It mends it, or opens the place where only a person can. */
  command: string;
}

/** What a check hands back: its name is put to it by who calls it. */
export type Seen = DoctorFinding extends infer F ? (F extends unknown ? Omit<F, 'check'> : never) : never;

export interface Check {
  name: string;
  /** Reads only. Nothing: there is nothing of the kind here. */
  look: (where: Project) => Promise<readonly Seen[]> | readonly Seen[];
}

export function ok(what: string): Seen {
  return { state: 'ok', what };
}

export function problem(state: 'warn' | 'bad', what: string, remedy: Remedy & { where?: string }): Seen {
  return { state, what, ...remedy };
}

const states = { note: 'warn', warning: 'warn', error: 'bad' } as const;

/** What the checks of files and stores say, in the doctor's words. */
export function seen({ severity, path, line, column, message, fix }: Finding): Seen {
  const where = [path, line, column].filter((part) => part !== undefined).join(':');
  const command = mending({ fix, path, line }) ?? openAt(path, line);
  return { state: states[severity], what: message, where, fix, command };
}
