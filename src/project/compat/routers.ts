import type { Trust } from '../../task/schema.ts';
import { answered, given, has, wholeOf, type Call, type Printed } from './call.ts';
import type { Answer } from './engine.ts';
import type { Opened } from './open.ts';
import type { PostMode } from './post.ts';
import { pythonJson } from './python-json.ts';
import { routeAnswer } from './route-answer.ts';
import { acted, isForEngine, onBoard, understood } from './router.ts';

/** `orchestrator-router`: what a text means, or what comes of it. */
export async function orchestratorRouter(call: Call): Promise<Printed> {
  const [text, actor] = [given(call, 'text'), given(call, 'actor')];
  if (given(call, 'mode') === 'route') return { json: routeAnswer(text, actor), code: 0 };
  if (given(call, 'root') === '') return { text: '', stderr: '--root is required in apply mode', code: 2 };
  const mode = given(call, 'milestones') as PostMode;
  return onBoard(call, mode, async (opened) => {
    const { answer, stderr } = await routerOn(opened, text, call, actor, mode);
    return { ...answered(answer), ...(stderr !== '' && { stderr }) };
  });
}

/** On an open board. What a dry run would tell about a board's own command stands on stderr. */
export async function routerOn(
  opened: Opened,
  text: string,
  call: Call,
  actor: string,
  mode: PostMode,
  trust?: Trust,
): Promise<{ answer: Answer; stderr: string }> {
  const route = await understood(opened, text, actor);
  const manner = { mode, dispatch: 'manual', starting: 'spawn', ...(trust && { how: { trust } }) } as const;
  const { answer, published } = await acted(opened, route, call, manner, undefined);
  return { answer, stderr: published && mode === 'dry-run' ? pythonJson(published) : '' };
}

/** `milestones feishu-router`: what is not for it, it leaves to the board. */
export function feishuRouter(call: Call): Promise<Printed> {
  const mode = given(call, 'mode') as PostMode;
  return onBoard(call, mode, async (opened, outside) => {
    const route = await understood(opened, given(call, 'text'), given(call, 'actor'));
    if (isForEngine(route) || route.intent.intent === 'unknown')
      return answered({ ok: true, handled: false, intent: 'pass-through' });
    const byHand = has(call, 'dispatch-manual') && !has(call, 'dispatch-spawn');
    const manner = {
      mode,
      dispatch: has(call, 'dispatch-spawn') ? ('spawn' as const) : ('manual' as const),
      starting: byHand ? ('manual' as const) : ('spawn' as const),
      how: { cooldownSec: wholeOf(call, 'clarify-cooldown-sec') },
    };
    const steps = wholeOf(call, 'autopilot-max-steps');
    const { intent } = route;
    const meant = intent.intent === 'autopilot' ? { ...intent, steps: intent.steps ?? steps } : intent;
    const { answer } = await acted(opened, { ...route, intent: meant }, call, manner, outside);
    return answered(answer);
  });
}
