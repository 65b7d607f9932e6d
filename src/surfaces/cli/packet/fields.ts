import type { Packet, StageView } from '../../../kinds/packet/api.ts';
import type { AlignedRow } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { noteOf } from '../frame/rows.ts';
import type { Color } from '../frame/style.ts';

/** What --json says about a packet. */
export function packetFields(packet: Packet): Record<string, unknown> {
  const { id, status, dir, goal, intent, stages, calls, archived, makeAnewFrom } = packet;
  const why = whyOf(packet);
  return {
    id,
    status,
    dir,
    goal,
    intent,
    stages,
    calls,
    ...(why !== '' && { why }),
    ...(archived && { archived }),
    ...(makeAnewFrom !== undefined && { makeAnewFrom }),
  };
}

/** The same with the command that comes next. */
export function statusFields(packet: Packet, context: Context): Record<string, unknown> {
  const next = nextCommand(packet, context);
  return { ...packetFields(packet), ...(next !== undefined && { next }) };
}

/** Why it stands still; who works on it is no reason for anything. */
export function whyOf({ task }: Packet): string {
  const still = task.status === 'blocked' || task.status === 'failed' || task.status === 'canceled';
  // That it failed stands before it.
  return still ? noteOf(task, {}, new Map()).replace(/^failed: /, '') : '';
}

/** What lets the agent try again where its work was refused. */
export function anewCommand({ id, makeAnewFrom, archived }: Packet, context: Context): string | undefined {
  return archived
    ? undefined
    : makeAnewFrom && copyable(context, 'packet', 'run', id, '--from', makeAnewFrom);
}

/** The command that comes next; undefined while somebody works on it, and when it is archived. */
export function nextCommand({ id, status, archived }: Packet, context: Context): string | undefined {
  const line = (word: string) => copyable(context, 'packet', word, id);
  if (archived) return undefined;
  switch (status) {
    case 'queued':
      return line('run');
    case 'blocked':
    case 'failed':
      return line('resume');
    case 'done':
    case 'canceled':
      return line('archive');
    default:
      return undefined;
  }
}

const colors: Readonly<Record<string, Color>> = {
  running: 'cyan',
  done: 'green',
  failed: 'red',
  interrupted: 'yellow',
  blocked: 'yellow',
  canceled: 'dim',
};

/** A stage, what became of it, and why. */
export function stageRow({ stage, state, exitCode, seconds, reasons }: StageView): AlignedRow {
  return {
    cells: [
      stage,
      { text: state, color: colors[state] ?? 'plain' },
      exitCode === undefined ? '' : `exit ${exitCode}`,
      seconds === undefined ? '' : wholeSeconds(seconds),
    ],
    last: reasons.join('; '),
  };
}

export function wholeSeconds(seconds: number): string {
  return `${Math.round(seconds)}s`;
}
