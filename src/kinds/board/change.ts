import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { sizeAndInode } from '../../io/files.ts';
import { classifyText } from '../../report/classify-text.ts';
import { assertPerson, isAgent } from '../../settings/caller.ts';
import { applyTogether } from '../../store/execute.ts';
import type { Commit } from '../../store/store.ts';
import { hasTerm } from '../../task/allowed.ts';
import type { Command } from '../../task/command.ts';
import type { Trust } from '../../task/schema.ts';
import { type Asked, type Done, noticeLocaleOf, only } from './act.ts';
import { applyTo, askerOf, type BoardIntent, type Sheet } from './apply.ts';
import { type Desk, lookAt, withBoard, transactionAt } from './desk.ts';
import { createdFor, agentFor, dispatchTo, runnable } from './dispatch.ts';
import { progressNote, memoryOf, type DispatchMode } from './format/extras.ts';
import type { Intent } from './format/intent.ts';
import { logFile } from './format/places.ts';
import type { Route } from './format/route/route.ts';
import { boardTask } from './format/task.ts';
import { gated } from './gate.ts';
import { foreman } from './moves.ts';
import { projectCreated } from './projects.ts';
import { refused, refusedBy } from './refusals.ts';
import { meanings } from './told.ts';

type Looking = 'help' | 'ignored_loop' | 'unknown' | 'status' | 'synthesize';
export type ChangeIntent = Exclude<Intent, { intent: Looking }>;

/** What only the orchestrator does, and whoever asks it to. */
const foremans: ReadonlySet<string> = new Set([
  'dispatch',
  'clarify',
  'autopilot',
  'auto_progress',
  'start_project',
]);

/** What people decide, and no agent that docket started, whoever it says it is. */
const peoples: ReadonlySet<string> = new Set([
  'unblock_task',
  'reopen_task',
  'fail_task',
  'cancel_task',
  'approve_review',
  'request_changes',
  'run',
  ...foremans,
]);

/** Does what changes something. */
export async function changed(desk: Desk, intent: ChangeIntent, found: Route, by: Asked): Promise<Done> {
  const takes = intent.intent === 'claim_task' && intent.steal === true;
  if ((peoples.has(intent.intent) && !isQuestion(intent)) || takes)
    assertPerson(desk.where.env, `${intent.intent.replaceAll('_', ' ')}: people decide that`);
  const asked = isAgent(desk.where.env) && !by.trust ? { ...by, trust: await agentsTrust(desk, found) } : by;
  const isForeman = found.actor === foreman || found.addressed || isQuestion(intent);
  const starts = intent.intent === 'run' && asked.mode === 'spawn';
  if (!isForeman && (starts || foremans.has(intent.intent)))
    return { ...refused('forbidden', intent), notices: [] };
  switch (intent.intent) {
    case 'report':
      return reported(desk, intent, found, asked);
    case 'create_project':
      return locked(desk, intent, asked, (sheet) => projectCreated(sheet, intent, found.actor));
    case 'run':
    case 'dispatch':
      return (await import('./change.ts')).given(desk, intent, asked);
    case 'start_project':
      return (await import('./start-project.ts')).projectStarted(desk, intent, asked);
    case 'autopilot':
    case 'auto_progress':
      return (await import('./autopilot.ts')).ordered(desk, intent, asked);
    case 'clarify':
      return (await import('./clarify.ts')).clarified(desk, intent, asked);
    default:
      return applied(desk, intent, found, asked);
  }
}

/** docket was started by one of its agents, whoever it says it is. */
async function agentsTrust({ where }: Desk, { actor: author }: Route): Promise<Trust> {
  const [{ trustIn }, { readConfig }] = await Promise.all([
    import('../../settings/trust.ts'),
    import('../../settings/read-config.ts'),
  ]);
  const config = await readConfig(where.root, where.env);
  return trustIn({ source: 'agent', author }, config) ?? { level: 'low', source: 'agent' };
}

/** Whether auto progress is on, anybody may know. */
function isQuestion(intent: ChangeIntent): boolean {
  return intent.intent === 'auto_progress' && intent.action === 'status';
}

/** One job under the lock; not a second time for the same key, nor for an answer to what was asked before. */
export async function locked(
  desk: Desk,
  intent: ChangeIntent,
  { key, digest, times, trust }: Pick<Asked, 'key' | 'digest' | 'times' | 'trust'>,
  job: (sheet: Sheet) => Done,
): Promise<Done> {
  const done = await withBoard(desk, (store) =>
    store.exclusive([], (ledger, commit, now, state): Done | { before: number } => {
      const known = key === undefined ? undefined : commit({ events: [], expect: {}, key });
      if (known?.kind === 'duplicate') return { before: known.seq };
      const task =
        times !== undefined && 'taskId' in intent && typeof intent.taskId === 'string'
          ? ledger.get(intent.taskId)
          : undefined;
      if (task && memoryOf(task).asked !== times) return refused('stale', intent, task);
      const keep: Commit = (tx) => commit(digest === undefined ? tx : { ...tx, digest });
      return job({ ledger, commit: keep, now, state, key, trust });
    }),
  );
  return 'before' in done ? again(desk, intent, done.before) : done;
}

/** The gate is asked before the board is locked: what it says counts whoever asked. */
async function applied(desk: Desk, intent: BoardIntent, found: Route, asked: Asked): Promise<Done> {
  const { actor, overrideAgent } = found;
  const handsOver = intent.intent === 'create_task' && !desk.protocol.routing.metadataOnly;
  if (handsOver && overrideAgent !== undefined)
    return locked(desk, intent, asked, (sheet) => createdFor(sheet, intent, actor, overrideAgent));
  if (intent.intent !== 'mark_done' && intent.intent !== 'approve_review')
    return locked(desk, intent, asked, (sheet) => applyTo(sheet, intent, found));
  const hasBoard = sizeAndInode(path.join(desk.where.root, logFile)) !== undefined;
  return hasBoard
    ? withBoard(desk, (store) => judged({ ...desk, store }, intent, found, asked))
    : judged(desk, intent, found, asked);
}

async function judged(
  desk: Desk,
  intent: Extract<BoardIntent, { intent: 'mark_done' | 'approve_review' }>,
  found: Route,
  asked: Asked,
): Promise<Done> {
  const { actor, overrideAgent } = found;
  // Its commands may take long: not again for what was done already.
  const before = await doneBefore(desk, intent, asked);
  if (before) return before;
  const { taskId } = intent;
  const view = (await lookAt(desk)).get(taskId);
  if (!view) return refused('not_found', intent);
  const [role, words] =
    intent.intent === 'approve_review'
      ? [view.owner ?? actor, view.review ?? '']
      : [overrideAgent ?? actor, intent.result ?? ''];
  const task = await withBoard(desk, (store) => store.get(taskId));
  const tasks = task ? [task] : [];
  const gate = await gated(role, words, noticeLocaleOf(asked), {
    ...desk,
    taskId,
    tasks,
    signal: asked.signal,
  });
  if (asked.signal.aborted && gate.verdict.kind !== 'pass')
    throw new DocketError(
      'REFUSED',
      `the checks of ${taskId} were stopped before they ended; nothing was changed`,
      'say it again when they may run to their end',
      { taskId },
    );
  const done = await locked(desk, intent, asked, (sheet) => applyTo(sheet, intent, found, gate));
  const { verdict, reasonCode, reason } = gate;
  return { ...done, acceptance: { ok: verdict.kind === 'pass', reasonCode, reason } };
}

/** What came of it, where the same key was there before. */
export async function doneBefore(
  desk: Desk,
  intent: ChangeIntent,
  { key }: Pick<Asked, 'key'>,
): Promise<Done | undefined> {
  if (key === undefined) return undefined;
  const known = await withBoard(desk, (store) => store.transact({ events: [], expect: {}, key }));
  return known.kind === 'duplicate' ? again(desk, intent, known.seq) : undefined;
}

/** A team member's own words about their task: what they mean by them decides. */
async function reported(
  desk: Desk,
  intent: Extract<Intent, { intent: 'report' }>,
  found: Route,
  asked: Asked,
): Promise<Done> {
  const { taskId, text } = intent;
  if (taskId === undefined) return { outcome: { kind: 'report_without_id' }, events: [] };
  const view = (await lookAt(desk)).get(taskId);
  switch (classifyText(text, { ...(view && { title: view.title }) })) {
    case 'done':
      return applied(desk, { intent: 'mark_done', taskId, result: text }, found, asked);
    case 'blocked':
      return applied(desk, { intent: 'block_task', taskId, reason: text }, found, asked);
    case 'progress':
      return locked(desk, intent, asked, (sheet) => progressed(sheet, taskId, text, found));
  }
}

/** Who tells how far they are still holds the task. */
export function progressed(
  sheet: Sheet,
  taskId: string,
  text: string,
  found: Pick<Route, 'actor' | 'overrideAgent'>,
): Done {
  const { ledger, commit, now, key } = sheet;
  const intent = { intent: 'report', taskId } as const;
  const task = ledger.get(taskId);
  if (!task || task.removedAt !== undefined) return refused('not_found', intent);
  const { actor, who, until } = askerOf(found.actor, found.overrideAgent, now);
  const token = 'token' in task ? task.token : undefined;
  const commands: Command[] =
    task.owner === who && hasTerm(task) && token !== undefined
      ? [{ type: 'renew', id: taskId, by: actor, token, until }]
      : [];
  const notes = [progressNote(taskId, actor, text)];
  const done = applyTogether(ledger, commands, now, commit, { key, notes });
  if (!done.ok) return refusedBy(done, intent, task);
  const view = boardTask(ledger.get(taskId) ?? task);
  return { outcome: { kind: 'moved', move: 'progress', task: view, text }, events: done.events };
}

/** The answer to what was asked and done before: the same facts, and the tasks as they are now. */
async function again(desk: Desk, intent: Intent, seq: number): Promise<Done> {
  const facts = await transactionAt(desk, seq);
  if (intent.intent === 'create_project') {
    const count = facts.filter(({ type }) => type === 'task.created').length;
    return { outcome: { kind: 'project_created', name: intent.name, count }, events: facts };
  }
  const { get } = await lookAt(desk);
  for (const { event, order, meant } of meanings(facts)) {
    const task = get(event.taskId);
    if (!task) continue;
    if (order) return { outcome: { kind: 'dispatched', task, ...order }, events: facts };
    const { now: _, ...told } = meant;
    return { outcome: { kind: 'moved', ...told, task }, events: facts };
  }
  const taskId = facts[0]?.taskId;
  const about = taskId === undefined ? {} : { taskId };
  return only({ kind: 'refused', code: 'not_found', intent: intent.intent, ...about });
}

type GiveIntent = Extract<Intent, { intent: 'run' | 'dispatch' }>;

/** `run` and `dispatch`: a task is given to somebody. */
export async function given(desk: Desk, intent: GiveIntent, asked: Asked): Promise<Done> {
  const mode = asked.mode ?? 'manual';
  if (mode === 'manual') return locked(desk, intent, asked, (sheet) => give(sheet, intent, mode, desk));
  const { spawned } = await import('./spawned.ts');
  return spawned(desk, intent, asked);
}

export function give(sheet: Sheet, intent: GiveIntent, mode: DispatchMode, { protocol }: Desk): Done {
  const task = runnable(sheet.ledger, sheet.now, intent.taskId);
  if (intent.intent === 'run') {
    if (!task)
      return intent.taskId === undefined ? only({ kind: 'nothing_to_run' }) : refused('not_found', intent);
    return dispatchTo(sheet, task, { agent: agentFor(task, protocol.agents), mode }, intent);
  }
  if (!task) return refused('not_found', intent);
  const { role: agent, text } = intent;
  return dispatchTo(sheet, task, { agent, mode, ...(text !== undefined && { text }) }, intent);
}
