import type { Told } from '../../kinds/board/told.ts';
import { notice } from '../../render/board/notice.ts';
import type { Move } from '../../render/board/outcome.ts';
import { isObject } from '../../task/json.ts';
import { engineAnswer, type PostMode, publish, routeAnswer } from './answer.ts';
import { answered, type Call, given, has, type Printed } from './call.ts';
import { transition } from './files.ts';
import { onBoard, type Opened, understood } from './open.ts';
import { broadcastersFor, isEngines, orchestratorRouter } from './router.ts';

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

/** What the group is told about each command of the board. */
const moves: Readonly<Record<string, Move>> = {
  create_task: 'created',
  claim_task: 'claimed',
  mark_done: 'done',
  block_task: 'blocked',
  escalate_task: 'escalated',
};

/** `milestones publish-apply`: the answer of an `apply` before, as the message that belongs to it. */
export async function publishApply(call: Call): Promise<Printed> {
  const applied = parsed(given(call, 'apply-json'));
  if (applied === undefined) return answered({ ok: false, error: 'invalid apply json' });
  return onBoard(call, given(call, 'mode') as PostMode, async (opened) => {
    const notices = await noticesOf(applied, opened);
    return answered(publish(notices, opened.giving.poster, given(call, 'actor'), broadcastersFor(call)));
  });
}

async function noticesOf(applied: Record<string, unknown>, { giving }: Opened): Promise<Told[]> {
  const { ok, intent, taskId, diagTaskId } = applied;
  const move = typeof intent === 'string' && Object.hasOwn(moves, intent) ? moves[intent] : undefined;
  const id = move === 'escalated' ? diagTaskId : taskId;
  const task = typeof id === 'string' ? await giving.viewOf(id) : undefined;
  if (ok !== true || move === undefined || !task) return [];
  const text = notice({ kind: 'moved', move, task }, 'zh');
  return [{ key: '', seq: -1, taskId: task.taskId, text }]; // the log has it
}

/** The object may stand among other words. */
function parsed(text: string): Record<string, unknown> | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
