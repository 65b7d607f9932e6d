import type { Packet } from '../../../app/packet/api.ts';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { noteOf } from '../rows.ts';

/** What --json says about a packet. */
export function packetFields(packet: Packet): Record<string, unknown> {
  const { id, status, dir, goal, intent, stages, calls } = packet;
  const why = whyOf(packet);
  return { id, status, dir, goal, intent, stages, calls, ...(why !== '' && { why }) };
}

/** Why it stands still; who works on it is no reason for anything. */
export function whyOf({ task }: Packet): string {
  const still = task.status === 'blocked' || task.status === 'failed' || task.status === 'canceled';
  return still ? noteOf(task, {}, new Map()) : '';
}

/** The command that comes next; undefined while somebody works on it. */
export function nextCommand({ id, status }: Packet, context: Context): string | undefined {
  const line = (word: string) => copyable(context, 'packet', word, id);
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
