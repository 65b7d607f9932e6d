import type { ShownEvidence } from '../../../engine/evidence-book.ts';
import type { TaskDetails } from '../../../kinds/queue/show.ts';
import { changedProof } from '../../../project/tasks/evidence.ts';
import { reasonLine } from '../../../render/reason-line.ts';
import type { StepDetails } from '../../../render/steps.ts';
import { usedWords } from '../../../render/used.ts';
import type { Task } from '../../../task/schema.ts';
import { type AlignedRow, alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { age, countsOf, tokensText } from '../frame/format.ts';
import { andWhen } from '../frame/resumes.ts';
import { noteOf } from '../frame/rows.ts';
import { statusColors } from '../frame/statuses.ts';
import { columnsOf } from '../frame/style.ts';
import { trustLine } from '../frame/trust-line.ts';
import { visible, visibleLines } from '../frame/visible.ts';
import { stepColors } from '../task/fields.ts';
import { gateLines, waitingGates } from '../task/gates.ts';

/** The latest; the command beside them has all. */
const mostEvidence = 8;

/** Everything about one task, for people. Keys that have nothing to say are left out. */
export function showLines(details: TaskDetails, context: Context): string[] {
  const { task, name, steps, noted, wishes, files, actions } = details;
  const { out, world } = context;
  const paint = out.paintData;
  const now = world.now();
  const when = (time: string | undefined) => time && `${time} (${age(time, now)} ago)`;
  const names = new Map(Object.entries(details.names));
  const gates = waitingGates(task, name);
  const columns = columnsOf(world.stdout, world.env) - 2;
  return [
    `name: ${visible(name)}`,
    `id: ${visible(task.id)}`,
    `title: ${visible(task.title)}`,
    `status: ${paint(statusColors[task.status], task.status)}${task.delivery?.state === 'failed' ? ', delivery failed' : ''}`,
    ...fact('deleted', when(task.removedAt)),
    ...(gates.length > 0 ? [] : whyLines(whyOf(task, details, names), copyable(context, 'explain', name))),
    ...fact('summary', task.status === 'done' ? task.summary.trim().split('\n')[0] : undefined),
    ...fact('workflow', task.spec.workflow),
    ...fact('agent', task.spec.routing?.agent),
    ...fact('priority', task.priority === 0 ? undefined : String(task.priority)),
    ...fact('issue', wishes.issue && `#${wishes.issue}`),
    ...fact('done for', details.sides.standsFor),
    ...fact('done by', details.sides.doneBy.join(', ')),
    ...fact('trust', task.trust && trustLine(task)),
    ...deniedLines(task),
    ...fact('workspace', noted.workspace ?? workspaceOf(task)),
    ...fact('branch', branchOf(details)),
    ...fact('commit', noted.commit),
    ...fact('merged', noted.merged && `${noted.merged.commit} into ${noted.merged.into}`),
    ...fact('pull request', noted.prUrl),
    ...fact(
      'delivery failed',
      task.delivery?.state === 'failed' ? task.delivery.reason : noted.deliveryError,
    ),
    ...fact('kept as', noted.keptAs),
    ...fact('told', noted.note),
    ...fact('created', when(task.createdAt)),
    ...fact('started', when('startedAt' in task ? task.startedAt : undefined)),
    ...fact('finished', when('finishedAt' in task ? task.finishedAt : undefined)),
    ...fact('used', usedOf(details)),
    `steps: ${countsOf(steps.map(({ state }) => stateOf(state, task.status)))}`,
    ...alignedRows(
      steps.map((step) => stepRow(step, task.status)),
      columns,
      paint,
    ).map(indented),
    ...(gates.length > 0 ? ['gates:'] : []),
    ...gates.flatMap((gate) => gateLines(gate, context)).map(indented),
    ...(details.evidence.length > 0 ? [`evidence: ${copyable(context, 'evidence', name)}`] : []),
    ...alignedRows(
      details.evidence.slice(-mostEvidence).map((entry) => evidenceRow(entry, now)),
      columns,
      paint,
    ).map(indented),
    ...fact('what the proof runs', changedProof(details.evidence)),
    ...(files.length > 0 ? ['files:'] : []),
    ...alignedRows(
      files.map(({ what, path }) => ({ cells: [what], last: path })),
      Infinity,
      paint,
    ).map(indented),
    'next:',
    ...actions
      .filter((action) => action !== 'show')
      .map((action) => indented(copyable(context, action, name))),
    ...(task.removedAt === undefined ? [] : [indented(copyable(context, 'restore', name))]),
  ];
}

function fact(key: string, text: string | false | 0 | undefined): string[] {
  return text ? [`${key}: ${visible(text)}`] : [];
}

/** What its agents tried and were kept from. */
function deniedLines({ attempts = {} }: Task): string[] {
  const all = Object.values(attempts).flatMap(({ step, end }) =>
    (end?.denied ?? []).map((text) => `${step}: ${text}`),
  );
  return all.length === 0 ? [] : ['kept from:', ...all.map((text) => indented(visible(text)))];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** By all calls, and what of it the last ones were. */
function usedOf({ task, usage }: TaskDetails): string | undefined {
  if (!task.used) return usage && tokensText(usage);
  const last = usage ? ` (the last attempt of each step: ${tokensText(usage)})` : '';
  return `in all ${usedWords(task.used)}${last}`;
}

const mostWhy = 12;

/** As it was said, line by line; output of a test can be long. */
function whyLines(why: string, all: string): string[] {
  if (why === '') return [];
  const lines = why.trimEnd().split('\n');
  const left = lines.length - mostWhy;
  return [
    `why: ${visibleLines(lines.slice(0, mostWhy).join('\n'))}`,
    ...(left > 0 ? [indented(`… and ${left} more lines: ${all}`)] : []),
  ];
}

function whyOf(task: Task, { waits }: TaskDetails, names: ReadonlyMap<string, string>): string {
  const note = noteOf(task, { [task.id]: waits }, names);
  if (task.status !== 'blocked') return note;
  const { kind, resumesAt } = task.reason;
  return andWhen(reasonLine(kind, note), 'goes on', resumesAt);
}

function workspaceOf({ spec, run }: Task): string {
  const { workspace } = spec;
  if (workspace === undefined || workspace.kind === 'inplace') return 'in place';
  const place = workspace.path === undefined ? '' : `, ${workspace.path}`;
  return `a ${workspace.kind} of its own${place} (${run ? 'no longer there' : 'not made yet'})`;
}

function branchOf({ noted, wishes }: TaskDetails): string | undefined {
  const branch = noted.branch ?? wishes.branch;
  const base = noted.base ?? wishes.base;
  if (branch === undefined) return undefined;
  return base === undefined ? branch : `${branch} (from ${base})`;
}

/** One thing that docket saw, in one row: `-` is neither proved nor false. */
export function evidenceRow(entry: ShownEvidence, now: number): AlignedRow {
  const { id, at, kind, what, ok, exit, tree, note, wrong } = entry;
  const code = exit === undefined ? '' : `exit ${exit}`;
  const last = [what, wrong ?? note ?? ''].filter((part) => part !== '').join(': ');
  return { cells: [id, state(ok, wrong), kind, code, `${age(at, now)} ago`, tree], last };
}

function state(ok: boolean | null, wrong: string | undefined) {
  if (wrong !== undefined) return { text: 'refused', color: 'red' } as const;
  if (ok === null) return '-';
  return ok ? ({ text: 'ok', color: 'green' } as const) : ({ text: 'failed', color: 'red' } as const);
}

/** A step stays begun while its task waits; nobody is at work on it then. */
function stateOf(state: string, status: Task['status']): string {
  return state === 'running' && status !== 'running' && status !== 'review' ? 'stopped' : state;
}

export function stepRow(
  { step, state: begun, agent, attempt, seconds, usage, chose, said }: StepDetails,
  status: Task['status'],
) {
  const state = stateOf(begun, status);
  const facts = [
    attempt === undefined ? '' : `attempt ${attempt}`,
    seconds === undefined ? '' : `${seconds.toFixed(1)} s`,
    usage === undefined ? '' : tokensText(usage),
  ].filter(Boolean);
  const rule = chose && `→ ${chose.text} (${chose.by})`;
  return {
    cells: [step, { text: state, color: stepColors[state] ?? 'plain' }, agent, facts.join(', ')],
    last: [rule, said.trim().split('\n')[0]].filter(Boolean).join('; '),
  } as const;
}
