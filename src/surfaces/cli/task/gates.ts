import { wantsNote } from '../../../render/asked.ts';
import { gatesOf, type GateInfo } from '../../../render/gates.ts';
import type { Task } from '../../../task/schema.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { age } from '../frame/format.ts';
import { visible } from '../frame/visible.ts';
import { oneLine } from './fields.ts';

const over: ReadonlySet<string> = new Set(['done', 'failed', 'canceled']);

/** The gates that a person has to answer, the one that has waited longest first. A task that is over waits for nobody. */
export function waitingGates(task: Task, name: string = task.id): GateInfo[] {
  if (over.has(task.status)) return [];
  return byNeed(gatesOf(task, name)).filter(({ state }) => state === 'blocked');
}

/** What waits first, then by age. */
export function byNeed<G extends GateInfo>(gates: readonly G[]): G[] {
  return gates.toSorted(
    (a, b) =>
      Number(a.state !== 'blocked') - Number(b.state !== 'blocked') ||
      Date.parse(a.blockedAt) - Date.parse(b.blockedAt),
  );
}

/** A gate, why it is closed, and the commands that answer it. */
export function gateLines(info: GateInfo, context: Context): string[] {
  const { world, out } = context;
  const paint = out.paintData;
  const now = world.now();
  const name = `${visible(info.gate)} of ${visible(info.name)}`;
  const reason = visible(oneLine(info.reason));
  if (info.state !== 'blocked') {
    const by = `by ${visible(info.resolvedBy ?? 'somebody')}`;
    const when = info.resolvedAt === undefined ? '' : ` ${age(info.resolvedAt, now)} ago`;
    const note = info.note === undefined ? '' : `: ${visible(info.note)}`;
    return [`${name}  ${info.state} ${by}${when}${note}  ${paint('dim', `[${reason}]`)}`];
  }
  const waits = paint('yellow', `waits ${age(info.blockedAt, now)}`);
  const lines = [...asked(info), ...answers(info, context)];
  return [`${name}  ${waits}  ${reason}`, ...lines.map((line) => `  ${line}`)];
}

/** What follows a no that ended a task: how to take it back is told, and is no advice to do so. */
export function afterNo(back: readonly string[], context: Context): string {
  return `nothing; if it is wanted after all: ${copyable(context, ...back)}`;
}

/** Where the head does not say all of it. */
function asked({ questions = [], summary }: GateInfo): string[] {
  return [
    ...(summary === undefined ? [] : [`it says: ${visible(summary)}`]),
    ...(questions.length > 1 ? questions.map((question, at) => `${at + 1}. ${visible(question)}`) : []),
  ];
}

/** In a command to copy a note is only a place to write. */
function answers(info: GateInfo, context: Context): string[] {
  const { name: task, gate, options = [] } = info;
  const line = (...words: string[]) => copyable(context, 'gate', ...words);
  const choices = options.filter(({ kind }) => kind !== 'deny');
  const approve = choices.map(
    ({ id: choice, text }) =>
      `${line('approve', task, gate, `--choice=${choice}`)}${wantsNote(info, choice) ? ' --note "…"' : ''}   (${visible(text)})`,
  );
  return [
    ...(approve.length > 0 ? approve : [`${line('approve', task, gate)} --note "…"`]),
    `${line('reject', task, gate)} --note "…"`,
  ];
}
