import { clip } from '../../../report/clip.ts';
import { parseJson } from '../../../schema/json.ts';
import type { CommandOf } from '../../../task/command.ts';
import { isTaskId } from '../../../task/id.ts';
import { objectOf, type Json } from '../../../task/json.ts';
import type { Step } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { builtInAdapters } from './action-fields.ts';
import { byFile } from './adopt.ts';
import { gateOf } from './milestones.ts';
import { ownOf } from './own.ts';
import { resultFrom, type Result } from './result.ts';
import type { FileGate, RosterEntry } from './task-file.ts';

/** Reads a file of the task directory; undefined: there is none, or it cannot be read. */
export type ReadFile = (path: string) => string | undefined;

type Adopt = CommandOf<'adopt'>;
type End = Adopt['ends'][number];
type Opened = Adopt['gates'][number];

const longest = 2000;

/**
 * What another tool began in this directory and docket does not know yet: workers become steps, open gates become
 * questions. A worker without a result is a question too, never a success. Undefined: there is nothing new.
 */
export function adoptionOf(task: Task, read: ReadFile): Adopt | undefined {
  if ('token' in task || task.removedAt !== undefined || task.archivedAt !== undefined) return undefined;
  const own = ownOf(task);
  const known = new Set(task.run?.steps.map(({ id }) => id));
  const workers = own.roster
    .filter(({ instance }) => !known.has(instance) && isTaskId(instance))
    .map((entry) => workerOf(entry, own.gates, read))
    .filter(({ entry, result }) => entry.state !== 'pending' || result !== undefined);
  const isOver = task.status === 'done' || task.status === 'failed' || task.status === 'canceled';
  const late = lateResults(task, read);
  const ends = [...workers.flatMap(({ end }) => end ?? []), ...late];
  const blocked = workers.filter(({ end }) => end?.state === 'blocked');
  const gates = isOver
    ? []
    : [
        ...blocked.map((worker) => questionOf(worker, own.said?.updatedAt)),
        ...otherGates(task, own.gates, workers),
      ];
  const goesOn = workers.flatMap(({ entry, answered }) => (answered ? [entry.instance] : []));
  if (workers.length === 0 && late.length === 0 && gates.length === 0) return undefined;
  return {
    type: 'adopt',
    id: task.id,
    by: byFile,
    goal: task.run?.goal ?? task.title,
    steps: workers.map(({ step }) => step),
    ends,
    answered: goesOn,
    gates,
  };
}

interface Worker {
  entry: RosterEntry;
  step: Step;
  gate: FileGate | undefined;
  result: Result | undefined;
  end?: End;
  /** Its question was answered in the file: it may go on. */
  answered: boolean;
}

function workerOf(entry: RosterEntry, gates: readonly FileGate[], read: ReadFile): Worker {
  const { instance } = entry;
  const folder = `agents/${instance}`;
  const final = jsonIn(read(`${folder}/artifacts/final.json`));
  const result = resultFrom(final);
  const gate = gates.find(({ id }) => id === gateOf(instance));
  const end = endOf(entry, gate, result, final);
  const answered = end?.state === 'blocked' && gate?.state === 'approved';
  const step = stepOf(entry, jsonIn(read(`${folder}/session.json`)));
  return { entry, step, gate, result, answered, ...(end && { end }) };
}

function stepOf({ instance, agent, assignedMilestone }: RosterEntry, session: Json | undefined): Step {
  const { adapter, vendorSession } = objectOf(session);
  const { threadId } = objectOf(vendorSession);
  const isSession = typeof threadId === 'string' && /^[\w:@+][\w.:@+=-]{0,511}$/.test(threadId);
  return {
    id: instance,
    kind: 'work',
    title: `${instance}, begun by another tool`,
    role: agent || instance,
    agent: builtInAdapters.find((known) => known === adapter) ?? 'codex-exec',
    needs: [],
    ...(assignedMilestone !== null && isTaskId(assignedMilestone) && { milestone: assignedMilestone }),
    ...(isSession && { session: { kind: 'resume', id: threadId } }),
    foreign: true,
  };
}

/** The roster's own failed counts above a result: that tool cancels workers so. */
function endOf(
  { instance, state }: RosterEntry,
  gate: FileGate | undefined,
  result: Result | undefined,
  final: Json | undefined,
): End | undefined {
  const report = result && { report: { ...objectOf(final) } };
  const about = { step: instance, ...report };
  if (gate?.state === 'rejected') return { ...about, state: 'failed', reason: 'rejected in task.yaml' };
  if (state === 'failed' || result?.status === 'failed')
    return { ...about, state: 'failed', reason: failureOf(result) };
  if (result?.status === 'success') return { ...about, state: 'done' };
  const reason =
    gate?.state === 'blocked' && gate.reason !== '' ? gate.reason : reasonOf(instance, state, result);
  return { ...about, state: 'blocked', reason: clip(reason, longest) };
}

function failureOf(result: Result | undefined): string {
  const said = result ? [result.summary, ...result.errors].filter((line) => line !== '').join('\n') : '';
  return clip(said || 'another tool says that it failed', longest);
}

function reasonOf(instance: string, state: RosterEntry['state'], result: Result | undefined): string {
  const [first, ...more] = result?.questions ?? [];
  if (first !== undefined) return more.length === 0 ? first : `${first} (+${more.length} more)`;
  if (result && result.summary !== '') return result.summary;
  const was = state === 'completed' ? 'is called completed' : `was left ${state}`;
  return `${instance} ${was} by another tool and has no result. Approve to let docket continue it (make sure that tool has stopped), or reject it`;
}

/** `said`: when the other tool last wrote the task. */
function questionOf({ entry, gate, end }: Worker, said: string | undefined): Opened {
  const { instance } = entry;
  return {
    gate: gateOf(instance),
    kind: gate?.type ?? 'human-approval',
    reason: end?.reason ?? instance,
    step: instance,
    ...(gate?.state === 'blocked' ? whenOf(gate) : said === undefined ? {} : { when: said }),
  };
}

/** Gates that belong to no worker: a person opens them. */
function otherGates(task: Task, gates: readonly FileGate[], workers: readonly Worker[]): Opened[] {
  const taken = new Set([
    ...Object.keys(task.run?.gates ?? {}),
    ...workers.map(({ entry }) => gateOf(entry.instance)),
  ]);
  return gates
    .filter(({ id, state }) => state === 'blocked' && isTaskId(id) && !taken.has(id))
    .map((gate) => ({
      gate: gate.id,
      kind: gate.type,
      reason: gate.reason || `${gate.id} is blocked in task.yaml`,
      ...whenOf(gate),
    }));
}

function whenOf(gate: FileGate | undefined): { when?: string } {
  return gate?.state === 'blocked' && gate.blockedAt !== null ? { when: gate.blockedAt } : {};
}

/** Workers that had none when docket first looked, and that docket did not run itself. */
function lateResults({ run, attempts }: Task, read: ReadFile): End[] {
  const open = run?.steps.filter(({ id, foreign }) => {
    const { state, report } = run.states[id] ?? {};
    return foreign && !attempts?.[id] && state === 'blocked' && report === undefined;
  });
  return (open ?? []).flatMap(({ id }) => {
    const final = jsonIn(read(`agents/${id}/artifacts/final.json`));
    const result = resultFrom(final);
    if (!result || result.status === 'blocked') return [];
    const failed = result.status === 'failed' ? { reason: failureOf(result) } : {};
    return [
      { step: id, state: failed.reason ? 'failed' : 'done', report: { ...objectOf(final) }, ...failed },
    ];
  });
}

function jsonIn(text: string | undefined): Json | undefined {
  const parsed = text === undefined ? undefined : parseJson(text.replace(/^\uFEFF/, ''));
  return parsed && 'value' in parsed ? (parsed.value as Json) : undefined;
}
