import type { Intent } from '../../kinds/board/format/intent.ts';
import { answered, given, has, wholeOf, type Call, type Printed } from './call.ts';
import type { PostMode } from './post.ts';
import { acted, onBoard, type Manner } from './router.ts';

/** `dispatch-task dispatch` and `milestones dispatch`. */
export function dispatch(call: Call): Promise<Printed> {
  const text = given(call, 'task');
  const about = { taskId: given(call, 'task-id'), role: given(call, 'agent') };
  return asked(
    call,
    { intent: 'dispatch', ...about, ...(text !== '' && { text }) },
    {
      dispatch: given(call, 'spawn') === 'true' ? 'spawn' : 'manual',
    },
  );
}

/** `milestones autopilot`: with workers, unless it is told otherwise. */
export function autopilot(call: Call): Promise<Printed> {
  const steps = Math.max(1, wholeOf(call, 'max-steps'));
  const starting = given(call, 'spawn') === 'false' ? 'manual' : 'spawn';
  return asked(call, { intent: 'autopilot', steps }, { starting });
}

/** `dispatch-task clarify` and `milestones clarify`. */
export function clarify(call: Call): Promise<Printed> {
  const question = given(call, 'question').trim();
  if (question === '') return Promise.resolve(answered({ ok: false, error: 'question cannot be empty' }));
  const about = { taskId: given(call, 'task-id'), role: given(call, 'role'), question };
  return asked(
    call,
    { intent: 'clarify', ...about },
    {
      how: { cooldownSec: wholeOf(call, 'cooldown-sec'), force: has(call, 'force') },
    },
  );
}

function asked(call: Call, intent: Intent, more: Partial<Manner>): Promise<Printed> {
  const mode = given(call, 'mode') as PostMode;
  const manner = { mode, dispatch: 'manual', starting: 'spawn', ...more } as const;
  const route = { intent, actor: given(call, 'actor'), addressed: false, locale: 'zh' } as const;
  return onBoard(call, mode, async (opened, outside) => {
    const { answer } = await acted(opened, route, call, manner, outside);
    return answered(answer);
  });
}
