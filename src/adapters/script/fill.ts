import type { PastTurn } from './match.ts';

/** What `{{…}}` stands for in the texts of a scenario. Not in commands and paths: a prompt may be hostile. */
export interface Values {
  turns: readonly PastTurn[];
  session: string;
  taskId: string;
}

export function filler({ turns, session, taskId }: Values): (text: string) => string {
  const now = turns.at(-1);
  const values: Readonly<Record<string, string | undefined>> = {
    prompt: now?.prompt,
    first: turns[0]?.prompt,
    turn: String(turns.length),
    session,
    task: taskId,
    step: now?.step,
    attempt: now && String(now.attempt),
  };
  return (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The same for every text inside a report. */
export function fillAll(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((entry) => fillAll(entry, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillAll(entry, fill)]));
}
