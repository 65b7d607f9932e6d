import type { Intent, Locale, Sender } from '../../layout/board/intent.ts';
import { boardLayout } from '../../layout/board/layout.ts';
import { allows } from '../../layout/board/protocol-allows.ts';
import { route, type Route, type RouteOptions } from '../../layout/board/route/route.ts';
import { boardTask } from '../../layout/board/task.ts';
import { notice } from '../../render/board/notice.ts';
import type { Outcome, TaskView } from '../../render/board/outcome.ts';
import { replyTo } from '../../render/board/reply.ts';
import { summarise } from '../../render/board/status.ts';
import { synthesisReport } from '../../render/board/synthesis.ts';
import { classifyText } from '../../report/classify-text.ts';
import { readStore } from '../../store/reader.ts';
import { compareIds } from '../../task/id.ts';
import type { Event } from '../../task/schema.ts';
import { applyTo, type Applied, type BoardIntent, type Sheet } from './apply.ts';
import { withBoard, type Desk } from './desk.ts';
import { dispatchNamed, ranNext } from './dispatch.ts';
import { gated } from './gate.ts';
import { projectCreated } from './projects.ts';

export interface Said {
  text: string;
  sender: Sender;
  /** The language of answers and notices, whatever the request's. */
  locale?: Locale;
  names?: Pick<RouteOptions, 'self' | 'roleOf'>;
  signal: AbortSignal;
}

/** The answer to a message. */
export interface Heard {
  route: Route;
  outcome: Outcome;
  /** One to three lines, in the language of the request. */
  reply: string;
  /** What others are told. */
  notices: readonly string[];
  events: readonly Event[];
  /** Of an attempt to finish. */
  acceptance?: { ok: boolean; reasonCode: string; reason: string };
}

/** What somebody means who writes this; nothing is done. */
export function routed(desk: Desk, { text, sender, locale, names }: Omit<Said, 'signal'>): Route {
  const known = new Set(viewsOf(desk).map(({ taskId }) => taskId));
  return route(text, sender, { ...names, ...(locale && { locale }), isTask: (id) => known.has(id) });
}

/** One message: understood, done, and answered. */
export async function say(desk: Desk, said: Said): Promise<Heard> {
  const found = routed(desk, said);
  const allowed = allows(desk.protocol, found);
  const done =
    allowed === true
      ? await acted(desk, found.intent, found, said)
      : forbidden(found.intent, allowed.reason[found.locale]);
  const { outcome, events, acceptance } = done;
  return {
    route: found,
    outcome,
    reply: replyTo(outcome, found.locale, said.locale),
    notices: done.notices ?? (outcome.kind === 'moved' ? [notice(outcome, said.locale ?? found.locale)] : []),
    events,
    ...(acceptance && { acceptance }),
  };
}

type Done = Applied & Pick<Heard, 'acceptance'> & { notices?: readonly string[] };

function locked<T>(desk: Desk, job: (sheet: Sheet) => T): Promise<T> {
  return withBoard(desk, (store) => store.alone((ledger, commit, now) => job({ ledger, commit, now })));
}

async function acted(desk: Desk, intent: Intent, found: Route, said: Said): Promise<Done> {
  switch (intent.intent) {
    case 'help':
      return only({ kind: 'help' });
    case 'ignored_loop':
      return only({ kind: 'silent' });
    case 'unknown':
      return only({
        kind: 'unknown',
        raw: intent.raw,
        ...(intent.suggestion !== undefined && { suggestion: intent.suggestion }),
      });
    case 'status':
      return only(statusOf(viewsOf(desk), intent));
    case 'synthesize':
      return only({ kind: 'synthesis', report: synthesisReport(viewsOf(desk), intent.taskId) });
    case 'report':
      return reported(desk, intent, found, said);
    case 'run':
      return locked(desk, (sheet) => ranNext(sheet, found, intent.taskId));
    case 'dispatch':
      return locked(desk, (sheet) => dispatchNamed(sheet, intent, found));
    case 'create_project':
      return locked(desk, (sheet) => projectCreated(sheet, intent, found));
    case 'start_project':
    case 'autopilot':
    case 'auto_progress':
    case 'clarify':
      return forbidden(intent, 'this docket cannot do that yet');
    default:
      return applied(desk, intent, found, said);
  }
}

/** The gate is asked before the board is locked: what it says counts whoever asked. */
async function applied(desk: Desk, intent: BoardIntent, found: Route, said: Said): Promise<Done> {
  const { locale, actor, overrideAgent } = found;
  const finishing = intent.intent === 'mark_done' || intent.intent === 'approve_review';
  const words = intent.intent === 'mark_done' ? (intent.result ?? '') : '';
  const view = finishing ? viewsOf(desk).find(({ taskId }) => taskId === intent.taskId) : undefined;
  const role = intent.intent === 'approve_review' ? (view?.owner ?? actor) : (overrideAgent ?? actor);
  const gate = finishing
    ? await gated(role, intent.intent === 'approve_review' ? (view?.review ?? '') : words, locale, {
        ...desk,
        signal: said.signal,
      })
    : undefined;
  const done = await locked(desk, (sheet) => applyTo(sheet, intent, found, gate));
  if (!gate) return done;
  const { verdict, reasonCode, reason } = gate;
  return { ...done, acceptance: { ok: verdict.kind === 'pass', reasonCode, reason } };
}

/** A team member's own words about their task: what they mean by them decides. */
function reported(
  desk: Desk,
  { taskId, text }: Extract<Intent, { intent: 'report' }>,
  found: Route,
  said: Said,
): Promise<Done> | Done {
  if (taskId === undefined) return only({ kind: 'report_without_id' });
  const view = viewsOf(desk).find((one) => one.taskId === taskId);
  switch (classifyText(text, { ...(view && { title: view.title }) })) {
    case 'done':
      return applied(desk, { intent: 'mark_done', taskId, result: text }, found, said);
    case 'blocked':
      return applied(desk, { intent: 'block_task', taskId, reason: text }, found, said);
    case 'progress':
      return view
        ? only({ kind: 'moved', move: 'progress', task: view, text })
        : forbidden({ intent: 'status', taskId }, taskId);
  }
}

/** All tasks as the board shows them, without a lock and without writing a byte. */
export function viewsOf({ where, dir }: Desk): TaskView[] {
  const { tasks } = readStore({ root: where.root, dir, layout: boardLayout, clock: where.clock });
  return tasks.toSorted((a, b) => compareIds(a.id, b.id)).map(boardTask);
}

function statusOf(
  views: readonly TaskView[],
  { taskId, full }: Extract<Intent, { intent: 'status' }>,
): Outcome {
  if (taskId === undefined) return { kind: 'status', summary: summarise(views), ...(full && { full }) };
  const task = views.find((view) => view.taskId === taskId);
  return task ? { kind: 'task', task } : { kind: 'refused', code: 'not_found', intent: 'status', taskId };
}

function only(outcome: Outcome): Done {
  return { outcome, events: [] };
}

function forbidden({ intent }: Intent, detail: string): Done {
  return only({ kind: 'refused', code: 'forbidden', intent, detail });
}
