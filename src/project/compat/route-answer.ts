import { route } from '../../kinds/board/format/route/route.ts';

/** What the original's parser says of a text: every field of a command, whether it was given or not. */
const always: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  create_task: { taskId: null },
  status: { taskId: null },
  synthesize: { taskId: null },
  mark_done: { result: '' },
  block_task: { reason: '' },
  escalate_task: { reason: '' },
};

export function routeAnswer(text: string, actor: string): Record<string, unknown> {
  const { intent, overrideAgent } = route(text, { actor, isBot: false });
  const { intent: name, ...fields } = intent;
  return { intent: name, overrideAgent: overrideAgent ?? null, ...always[name], ...fields, actor };
}
