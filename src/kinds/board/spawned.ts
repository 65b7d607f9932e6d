import { noticeLocaleOf, type Asked, type Done } from './act.ts';
import { locked, give } from './change.ts';
import { lookAt, withBoard, type Desk, linesSince } from './desk.ts';
import { agentFor, runnable } from './dispatch.ts';
import type { Intent } from './format/intent.ts';
import { pilot, type Budget } from './pilot.ts';
import { refused } from './refusals.ts';
import { Workers } from './workers.ts';

type GiveIntent = Extract<Intent, { intent: 'run' | 'dispatch' }>;

const nothing: Budget = { left: () => false, use: () => undefined };

/** A task is given to a worker of docket's own; unless it is for later, its end is the answer. */
export async function spawned(desk: Desk, intent: GiveIntent, asked: Asked): Promise<Done> {
  const workers = await Workers.of(desk.where);
  const agents = [...desk.protocol.agents, ...workers.roles];
  const task = await withBoard(desk, (store) =>
    store.exclusive([], (ledger, _commit, now) => runnable(ledger, now, intent.taskId)),
  );
  const role = intent.intent === 'dispatch' ? intent.role : task && agentFor(task, agents);
  const missing = role === undefined ? undefined : await workers.whyNotReady(role);
  if (missing !== undefined) return refused('invalid', intent, undefined, missing);
  const given = await locked(desk, intent, asked, (sheet) =>
    give(sheet, intent, 'spawn', { ...desk, protocol: { ...desk.protocol, agents } }),
  );
  const { outcome } = given;
  if (outcome.kind !== 'dispatched' || asked.later) return given;
  const { taskId } = outcome.task;
  const [step] = await withBoard(desk, (store) =>
    pilot({
      desk,
      store,
      workers,
      locale: noticeLocaleOf(asked),
      timeoutSec: asked.timeoutSec,
      budget: nothing,
      only: [taskId],
      signal: asked.signal,
      onStep: asked.onStep,
      onProgress: asked.onProgress,
    }),
  );
  const after = (await lookAt(desk)).get(taskId);
  if (!step || !after) return given;
  const { decision, detail } = step;
  const since = await linesSince(desk, given.events.at(-1)?.seq ?? Infinity, [taskId]);
  return {
    outcome: { ...outcome, task: after, ended: { decision, detail } },
    events: [...given.events, ...since],
  };
}
