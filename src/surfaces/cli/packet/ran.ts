import type { RanPacket } from '../../../kinds/packet/api.ts';
import { alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { anewCommand, packetFields, stageRow, whyOf } from './fields.ts';

const messages: Readonly<Record<number, string>> = {
  1: 'a stage failed',
  5: 'a person must act',
  75: 'the packet waits for something that ends by itself',
  124: 'a stage took too long',
  130: 'interrupted; what is done stays done',
};

/** What came of a run: its stages, the packet, and where to look first. */
export function tellRan(
  ran: RanPacket,
  code: number,
  context: Context,
  more: Record<string, unknown> = {},
): void {
  const { world, out, globals } = context;
  const { id, status, stages, interrupted, summary } = ran;
  const next = copyable(context, 'packet', 'resume', id);
  if (globals.json) {
    const fields = { ...packetFields(ran), interrupted, summary, ...more };
    const error = {
      code: 'RUN',
      message: because(messages[code] ?? '', whyOf(ran)),
      fix: `go on: ${next}`,
      data: { exitCode: code },
    };
    if (code === 0) out.answer(fields);
    else out.refuse(error, fields);
    return;
  }
  const rows = alignedRows(stages.map(stageRow), columnsOf(world.stdout, world.env), out.paintData);
  const why = whyOf(ran);
  out.data([...rows, `${visible(id)} is ${status}${why === '' ? '' : `: ${visible(why)}`}`].join('\n'));
  out.talk(`Look here first: ${visible(summary)}`);
  if (code !== 0) out.talk(`Next: ${code === 1 || code === 5 ? 'mend it, then ' : ''}${next}`);
  const anew = anewCommand(ran, context);
  if (anew !== undefined) out.talk(`Or let the agent try again: ${anew}`);
}

function because(what: string, why: string): string {
  return why === '' ? what : `${what}: ${why.slice(0, 500)}`;
}

/** The first of these that applies: interrupted, failed (by the clock, or else), a person must act, try later, well. */
export function exitCodeOf({ task, stages, interrupted }: RanPacket, alone?: string): number {
  if (interrupted) return 130;
  const wanted = alone === undefined ? stages : stages.filter(({ stage }) => stage === alone);
  // A stage that was run alone says nothing about the others.
  if (task.status === 'done' || (alone !== undefined && wanted.some(({ state }) => state === 'done')))
    return 0;
  if (task.status === 'blocked') return task.reason.who === 'docket' ? 75 : 5;
  const failed = wanted.filter(({ state }) => state === 'failed');
  if (failed.some(({ exitCode }) => exitCode === 124)) return 124;
  return failed.length > 0 || task.status === 'failed' || task.status === 'canceled' ? 1 : 75;
}
