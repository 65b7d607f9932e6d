import type { Actions } from '../../../../src/kinds/directory/format/actions-schema.ts';
import { readActions } from '../../../../src/kinds/directory/format/actions.ts';
import type { Known } from '../../../../src/kinds/directory/format/references.ts';
import type { Problem } from '../../../../src/schema/problem.ts';

export const known: Known = { agents: ['claude', 'codex', 'my.agent'], steps: [], milestones: ['m1', 'm2'] };

export const subtask = (taskId: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  taskId,
  title: `Do ${taskId}`,
  agent: 'worker',
  adapter: 'codex-exec',
  prompt: `Please do ${taskId}.`,
  ...more,
});

export const actions = (...tasks: unknown[]): Record<string, unknown> => ({ sessionGoal: 'Mend it', tasks });

export function read(document: unknown, about: Partial<Known> = {}): Actions {
  const result = readActions(JSON.stringify(document), { ...known, ...about });
  if ('actions' in result) return result.actions;
  throw new Error(`refused: ${JSON.stringify(result.problems)}`);
}

export function problemsIn(document: unknown, about: Partial<Known> = {}): Problem[] {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const result = readActions(text, { ...known, ...about });
  return 'problems' in result ? result.problems : [];
}
