import type { Packet } from '../../../kinds/packet/api.ts';
import { alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { countsOf } from '../frame/format.ts';
import { statusColors } from '../frame/statuses.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { anewCommand, nextCommand, stageRow, whyOf } from './fields.ts';

/** One packet as `key: value` lines, with its stages below their count. */
export function showLines(packet: Packet, context: Context): string[] {
  const { id, dir, goal, intent, status, stages } = packet;
  const { world, out } = context;
  const paint = out.paintData;
  const columns = columnsOf(world.stdout, world.env) - 2;
  const { standsFor } = packet.task;
  const why = whyOf(packet);
  const next = nextCommand(packet, context);
  const anew = anewCommand(packet, context);
  return [
    `id: ${visible(id)}`,
    `goal: ${visible(goal)}`,
    `intent: ${visible(intent)}`,
    `status: ${paint(statusColors[status], status)}`,
    ...(why === '' ? [] : [`why: ${visible(why)}`]),
    ...(standsFor ? [`done for: ${visible(`${standsFor.layout}:${standsFor.id}`)}`] : []),
    ...(packet.archived ? [`archived: ${archivedText(packet)}`] : []),
    `budget: ${budgetText(packet)}`,
    `stages: ${countsOf(stages.map(({ state }) => visible(state)))}`,
    ...alignedRows(stages.map(stageRow), columns, paint).map((row) => `  ${row}`),
    `folder: ${visible(dir)}`,
    ...(next === undefined ? [] : [`next: ${next}`]),
    ...(anew === undefined ? [] : [`  or: ${anew} (the agent tries again)`]),
  ];
}

function archivedText({ dir, task }: Packet): string {
  const since = task.archivedAt === undefined ? '' : ` since ${task.archivedAt}`;
  return `in ${visible(dir)}${since}`;
}

function budgetText({ calls, task }: Packet): string {
  const { seconds, tokens, money } = task.spec.budget ?? {};
  const limits = [
    `${calls.used} of ${calls.budget} calls used`,
    seconds !== undefined && `${seconds} s`,
    tokens !== undefined && `${tokens} tokens`,
    money !== undefined && `$${money}`,
  ];
  return limits.filter(Boolean).join(', ');
}
