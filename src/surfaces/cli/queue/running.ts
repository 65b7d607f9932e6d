import { messageOf } from '../../../errors.ts';
import type { Docket } from '../../../project/docket.ts';
import { needsOf } from '../../../project/notify/wants.ts';
import type { Item } from '../../../project/view/types.ts';
import { deliveryLine } from '../../../render/delivery.ts';
import type { Task } from '../../../task/schema.ts';
import { last, numberIn } from '../frame/args.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { withFirst } from '../frame/findings.ts';
import { nameOf } from '../frame/name.ts';
import { streamFor } from '../frame/stream.ts';
import { visible } from '../frame/visible.ts';
import type { Finding } from '../frame/world.ts';
import { withLive } from '../live/live.ts';
import { ProgressLines, taskWords } from '../live/progress.ts';
import { waitingGates } from '../task/gates.ts';
import {
  codeOf,
  codeOfFault,
  elsewhereLine,
  type Left,
  needsElsewhere,
  notRun,
  ranRow,
  whyNot,
} from './ran.ts';

type Ran = Awaited<ReturnType<Docket['run']>>;
/** More than these are a list. */
const mostLeft = 10;

type Planned = Awaited<ReturnType<Docket['plan']>>[number];

/** `run`: until nothing is left. `watch`: until somebody stops it. */
export async function running(context: Context, as: 'run' | 'watch'): Promise<number> {
  const { args, world } = context;
  const agent = last(args, 'agent');
  const tasks = args.operands.length > 0 ? { tasks: args.operands } : {};
  const input = { ...tasks, ...(agent !== undefined && { agent }) };
  if (args.options.has('dry-run')) return plan(context, input);
  const stop = new AbortController();
  const faults = new Map<string, unknown>();
  const parallel = numberIn(args, 'concurrency', [1, 64], as) ?? numberIn(args, 'parallel', [1, 64], as);
  const { ran, findings } = await withLive(context, async ({ shown, live, ask }) => {
    const { out } = shown;
    const deaf = world.onStop(() => {
      out.alarm('stopping: running work goes back into the queue (again to leave at once)');
      stop.abort('shutdown');
    });
    const lines = streamFor(context, as) ?? new ProgressLines(shown, live, taskWords(shown, 'queue'));
    const watch = (fault: unknown) => out.alarm(`${messageOf(fault)}; going on`);
    if (as === 'watch') out.talk('Waiting for work (Ctrl-C to stop).');
    try {
      return await withDocket(shown, async (docket) => {
        if (live && lines instanceof ProgressLines) lines.expect(await waitingIn(docket, args.operands));
        const done = await docket.run({
          ...input,
          ...(parallel !== undefined && { parallel }),
          ...(as === 'watch' && { watch }),
          ...(args.options.has('wait') && { wait: true }),
          ...(args.options.has('all') && {
            all: others(out, lines instanceof ProgressLines ? lines : {}, faults),
          }),
          signal: stop.signal,
          onProgress: (progress) => lines.tell(progress),
          ...(ask && { ask }),
        });
        return { ran: done, findings: await findingsNow(docket) };
      });
    } finally {
      deaf();
    }
  });
  const tasksOf = ran.map(({ task }) => task);
  const left = stop.signal.aborted ? [] : await notRun(context, tasksOf);
  const isIdle = args.options.has('all') && ran.length === 0 && !stop.signal.aborted;
  const needs = isIdle ? await needsElsewhere(context) : [];
  if (!context.globals.json && findings.length > 0)
    (await import('../frame/findings.ts')).warnOf(findings, context);
  return tell({ ran, left, faults, others: needs, findings }, stop.signal.aborted, context);
}

/** As the file is at the end: while the run went on, somebody may have been in the middle of a save. */
async function findingsNow(docket: Docket): Promise<Finding[]> {
  const seen = docket.findings().filter(({ severity, next }) => severity !== 'error' && next === undefined);
  return [...(await docket.list({ status: ['running'] })).findings, ...seen];
}

/** What came of a run. */
interface Came {
  ran: Ran;
  left: readonly Left[];
  /** What could not be begun, or broke off, in another layout: why, by its name. */
  faults: ReadonlyMap<string, unknown>;
  /** What only a person can do in the other layouts, where they were to be run and nothing was. */
  others: readonly Item[];
  /** What is wrong with the queue's file: records that cannot be read are not run. */
  findings: readonly Finding[];
}

/** How many may run: those that were named, or all that are queued. */
async function waitingIn(docket: Docket, named: readonly string[]): Promise<number> {
  if (named.length > 0) return named.length;
  return (await docket.list({ status: ['queued'] })).tasks.length;
}

/** What happens in task directories, packets and on the board. `faults`: with what something went wrong, and not well later. */
function others(
  out: Context['out'],
  lines: { awaits?: ProgressLines['awaits'] },
  faults: Map<string, unknown>,
): NonNullable<Parameters<Docket['run']>[0]['all']> {
  return {
    onFault: (fault, { layout, id }) => {
      faults.set(`${layout} ${id}`, fault);
      out.alarm(`${layout} ${visible(id)}: ${messageOf(fault)}`);
    },
    onWell: ({ layout, id }) => void faults.delete(`${layout} ${id}`),
    onDue: (errands) => lines.awaits?.(errands),
  };
}

function tell(came: Came, interrupted: boolean, context: Context): number {
  const { ran, left, faults, others, findings } = came;
  const { out, globals } = context;
  const code = exitCodeOf(came, interrupted);
  const elsewhere = ran.filter(({ layout }) => layout).map(({ task }) => task);
  const ofQueue = [...ran.filter(({ layout }) => !layout), ...left].map(({ task }) => task);
  const all = [...ran, ...left].map(({ task }) => task);
  if (globals.json) {
    const tasks = ran.map(({ task, agent, attempt, layout, unseen }) => ({
      id: task.id,
      status: task.status,
      name: nameOf(task),
      agent,
      ...(layout && { layout }),
      task,
      attempt,
      ...(unseen && { unseen }),
    }));
    const facts = { tasks, ...(findings.length > 0 && { findings }) };
    const named = [...faults.keys(), ...others.map(({ layout, name }) => `${layout} ${name}`)];
    if (code === 0) out.answer(facts);
    else out.refuse(errorFor(code, all, named, findings, context), facts);
    return code;
  }
  for (const one of ran) out.data(ranRow(one, out.paintData));
  const still = left.length + others.length;
  if (ran.length === 0 && still > 0 && context.args.operands.length === 0)
    out.talk(`Nothing to run: ${still} ${still === 1 ? 'task is' : 'tasks are'} waiting or blocked.`);
  // Why it did not end well is an error, which --quiet does not silence.
  for (const one of left.slice(0, mostLeft)) out[codeOf(one) === 0 ? 'talk' : 'alarm'](whyNot(one, context));
  if (left.length > mostLeft) out.talk(`and ${left.length - mostLeft} more: docket list`);
  for (const item of others.slice(0, mostLeft)) out.alarm(elsewhereLine(item, context));
  for (const hint of hintsFor(ofQueue)) out.talk(hint);
  if (others.length > mostLeft || elsewhere.some((task) => needsOf(task, -Infinity).length > 0))
    out.talk('What needs you, each with its command: docket needs-me');
  if (ran.length === 0 && still === 0 && faults.size === 0 && !interrupted)
    out.talk(
      isBroken(findings)
        ? `Nothing to run. Check the file: ${copyable(context, 'validate')}`
        : 'Nothing to run: no queued task can start. See them: docket list',
    );
  else if (isBroken(findings)) out.talk(`Check the file: ${copyable(context, 'validate')}`);
  return code;
}

/** What a person can do about those that stand still. */
function hintsFor(tasks: readonly Task[]): string[] {
  const still = tasks.filter(
    (task) => task.status === 'failed' || (task.status === 'blocked' && task.reason.who !== 'docket'),
  );
  const undelivered = tasks.filter((task) => deliveryLine(task) !== undefined);
  const asks = still.filter((task) => waitingGates(task).length > 0);
  const capped = still.filter((task) => task.status === 'blocked' && task.reason.cap);
  return [
    ...(tasks.some(waitsForTime) ? ['To go on with it when its time has come: docket run --wait'] : []),
    ...(asks.length > 0 ? ['What is asked, and how to answer: docket gate list'] : []),
    ...(capped.length > 0 ? ['When a cap is raised: docket run goes on with what it held.'] : []),
    ...(undelivered.length > 0
      ? ['Work that was not delivered is safe on its branch. Fix the cause, then: docket retry <task>']
      : []),
    ...(still.length > asks.length + capped.length ? ['Fix the cause, then: docket retry <task>'] : []),
  ];
}

function waitsForTime(task: Task): boolean {
  return task.status === 'blocked' && task.reason.who === 'docket';
}

/** A person who cancels one has decided, and nothing failed. The first of these that applies: interrupted, failed, a person must act, try later, given up before or at work elsewhere, all well. */
function exitCodeOf({ ran, left, faults, others, findings }: Came, interrupted: boolean): number {
  if (interrupted) return 130;
  const tasks = ran.map(({ task }) => task);
  const wrong = [...faults.values()].map(codeOfFault);
  if (wrong.includes(1) || tasks.some(({ status }) => status === 'failed')) return 1;
  const held = ran.filter(({ task }) => task.status === 'blocked').map(({ task }) => ({ task, waits: [] }));
  const needsPerson =
    others.length > 0 || isBroken(findings) || tasks.some((task) => deliveryLine(task) !== undefined);
  const codes = [...wrong, ...(needsPerson ? [5] : []), ...[...held, ...left].map(codeOf)];
  return ([5, 75, 4] as const).find((code) => codes.includes(code)) ?? 0;
}

function isBroken(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function errorFor(
  code: number,
  tasks: readonly Task[],
  faults: readonly string[],
  findings: readonly Finding[],
  context: Context,
) {
  const messages: Record<number, string> = {
    1: 'some tasks failed',
    4: 'a task that was named is canceled, or at work elsewhere',
    5: 'a person must act',
    75: 'some tasks have to wait',
    130: 'interrupted; running work went back into the queue',
  };
  const still = tasks.filter((task) => task.status !== 'done' || deliveryLine(task) !== undefined);
  const broke = faults.map((name) => `${name} (cannot go on)`);
  const names = [...still.map((task) => `${nameOf(task)} (${stateOf(task)})`), ...broke].join(', ');
  if (names === '' && isBroken(findings)) {
    const { fix } = findings.find(({ severity }) => severity === 'error') ?? { fix: '' };
    const about = { code: 'RUN', message: messages[code] ?? '', fix, data: { exitCode: code } };
    return withFirst(about, findings);
  }
  return {
    code: 'RUN',
    message: `${messages[code] ?? ''}${names === '' ? '' : `: ${names}`}`,
    fix: still[0]
      ? `see why and what to do: ${copyable(context, 'explain', nameOf(still[0]))}`
      : `see them: docket ${faults.length > 0 ? 'status' : 'list'}`,
    data: { exitCode: code },
  };
}

function stateOf(task: Task): string {
  return deliveryLine(task) === undefined ? task.status : `${task.status}, delivery failed`;
}

async function plan(context: Context, input: { tasks?: readonly string[]; agent?: string }): Promise<number> {
  const { out, globals } = context;
  const planned = await withDocket(context, (docket) => docket.plan(input));
  if (globals.json)
    out.answer({ tasks: planned.map(({ task, ...rest }) => ({ id: task.id, name: nameOf(task), ...rest })) });
  else if (planned.length === 0) out.talk('Nothing is queued. See all: docket list');
  const called = new Map(planned.map(({ task }) => [task.id, nameOf(task)]));
  if (!globals.json) for (const one of planned) out.data(planText(one, called));
  // Stages and steps of the others are planned by their own commands.
  if (context.args.options.has('all'))
    out.talk(`This is the queue. What else waits: ${copyable(context, 'status')}`);
  return 0;
}

function planText(
  { task, workflow, steps, begins, workspace, branch, waitsFor, problem }: Planned,
  called: ReadonlyMap<string, string>,
): string {
  const head = [
    visible(nameOf(task)),
    `${visible(workflow)}${begins === '' ? '' : ` from ${visible(begins)}`}`,
    workspace === 'inplace' ? 'in place' : `in a ${workspace}`,
    branch === undefined ? '' : `on ${visible(branch)}`,
    waitsFor === undefined
      ? ''
      : `waits for ${waitsFor.map(({ on }) => visible(called.get(on) ?? on)).join(', ')}`,
    problem === undefined ? '' : `would be blocked: ${visible(problem)}`,
  ];
  const rows = steps.map(
    ({ step, agent, permission }) => `    ${visible(step)}  with ${visible(agent)} (${permission})`,
  );
  return [head.filter((text) => text !== '').join('  '), ...rows].join('\n');
}
