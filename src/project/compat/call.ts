import path from 'node:path';
import type { Clock } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import type { Values } from './flags.ts';

/** A call of one of the original's scripts. */
export interface Call {
  values: Values;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: () => Promise<string>;
  warn: (warning: string) => void;
  signal: AbortSignal;
}

/** What a script prints, and how it ends. JSON stands on one line. */
export type Printed = { code: number; stderr?: string } & ({ json: unknown } | { text: string });

export function given({ values }: Pick<Call, 'values'>, name: string): string {
  return values[name] ?? '';
}

export function has({ values }: Pick<Call, 'values'>, name: string): boolean {
  return values[name] === 'true';
}

export function wholeOf(call: Pick<Call, 'values'>, name: string): number {
  return Number(given(call, name));
}

export function whereOf(call: Call): Project {
  const { cwd, env, clock, warn } = call;
  return { root: path.resolve(cwd, given(call, 'root')), env, clock, warn };
}

/** The exit code follows the answer. */
export function answered(json: { ok: boolean } & Record<string, unknown>): Printed {
  return { json, code: json.ok ? 0 : 1 };
}
