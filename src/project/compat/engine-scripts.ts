import { answered, given, has, type Call, type Printed } from './call.ts';
import { engineAnswer } from './engine.ts';
import { transition } from './files.ts';
import { routeAnswer } from './route-answer.ts';
import { isEngines, onBoard, understood } from './router.ts';
import { orchestratorRouter } from './routers.ts';

/** `task_board route`. */
export function routeText(call: Call): Printed {
  return { json: routeAnswer(given(call, 'text'), given(call, 'actor')), code: 0 };
}

/** `task_board apply`, and what else talks to the board itself: nothing is sent. */
export function applyText(call: Call, text = given(call, 'text')): Promise<Printed> {
  return onBoard(call, 'off', async (opened) => {
    const route = await understood(opened, text, given(call, 'actor'));
    const { intent, actor, overrideAgent } = route;
    if (!isEngines(route)) return answered({ ok: false, error: `unsupported intent: ${intent.intent}` });
    const who = { actor, ...(overrideAgent !== undefined && { overrideAgent }) };
    const how = { request: 'zh', locale: 'zh', signal: call.signal } as const;
    return answered(engineAnswer(await opened.board.act(intent, { ...who, ...how })));
  });
}

export function synthesize(call: Call): Promise<Printed> {
  return applyText(call, `synthesize ${given(call, 'task-id')}`.trim());
}

export function claimTask(call: Call): Promise<Printed> {
  const agent = given(call, 'agent');
  return throughRouter(call, agent, `@${agent} claim task ${given(call, 'task-id')}`);
}

/** The two words are compared with each other, as the original does; what the task allows, the board says. */
export async function updateTask(call: Call): Promise<Printed> {
  const checked = transition(call);
  if (checked.code !== 0) return checked;
  const [id, to, actor] = [given(call, 'task-id'), given(call, 'to'), given(call, 'actor')];
  const why = 'status updated via update-task';
  const texts: Readonly<Record<string, string>> = {
    done: `mark done ${id}: ${why}`,
    blocked: `block task ${id}: ${why}`,
    claimed: `@${actor} claim task ${id}`,
    in_progress: `@${actor} claim task ${id}`,
  };
  const text = Object.hasOwn(texts, to) ? texts[to] : undefined;
  if (text === undefined) return { text: '', stderr: `unsupported target status: ${to}`, code: 1 };
  return throughRouter(call, actor, text);
}

function throughRouter(call: Call, actor: string, text: string): Promise<Printed> {
  if (has(call, 'dry-run')) {
    const line = `--root ${given(call, 'root')} --actor ${actor} --text '${text}' --milestones dry-run`;
    return Promise.resolve({ text: `[dry-run] orchestrator-router ${line}`, code: 0 });
  }
  const values = { ...call.values, actor, text, mode: 'apply', milestones: 'send' };
  return orchestratorRouter({ ...call, values });
}
