import type { Docket } from '../../../project/docket.ts';
import { unprovedText } from '../../../render/unmet.ts';
import { usedWords } from '../../../render/used.ts';
import { alignedRows } from '../frame/aligned.ts';
import type { Context } from '../frame/context.ts';
import { commandsOf, copyable } from '../frame/copyable.ts';
import { age, countsOf } from '../frame/format.ts';
import { statusColors } from '../frame/statuses.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { evidenceRow, stepRow } from '../queue/show.ts';

type Details = Extract<Awaited<ReturnType<Docket['show']>>, { kind: 'board' }>;

/** One task of the board, as `key: value` lines. What has nothing to say is left out. */
export function showLines(
  { task, record, waits, steps, evidence, doneBy, next }: Details,
  context: Context,
): string[] {
  const { out, world } = context;
  const paint = out.paintData;
  const columns = columnsOf(world.stdout, world.env) - 2;
  const when = (time: string) => `${time} (${age(time, world.now())} ago)`;
  const needs = waits.map(({ on, status }) => `${on} (${status})`).join(', ');
  const unproved = task.status === 'done' && task.unproved ? unprovedText : undefined;
  const rows = (list: Parameters<typeof alignedRows>[0], most = columns) =>
    alignedRows(list, most, paint).map((row) => `  ${row}`);
  return [
    `id: ${visible(task.id)}`,
    `title: ${visible(task.title)}`,
    `status: ${paint(statusColors[task.status], visible(record.status))}`,
    ...fact('why', record.blockedReason ?? (needs === '' ? unproved : `waits for ${needs}`)),
    ...fact('result', record.result),
    ...fact('review', record.review),
    ...fact('owner', record.owner),
    ...fact('meant for', record.owner === null ? record.assigneeHint : null),
    ...fact('done by', doneBy.join(', ')),
    ...fact('related to', record.relatedTo),
    ...fact('project', record.projectId),
    `created: ${when(task.createdAt)} by ${visible(task.createdBy)}`,
    `updated: ${when(task.updatedAt)}`,
    ...fact('used', task.used && usedWords(task.used)),
    `steps: ${countsOf(steps.map(({ state }) => state))}`,
    ...rows(steps.map((step) => stepRow(step, task.status))),
    ...(evidence.length > 0 ? [`evidence: ${copyable(context, 'evidence', task.id)}`] : []),
    ...rows(evidence.slice(-8).map((entry) => evidenceRow(entry, world.now()))),
    'next:',
    ...rows(
      next.map(({ words, does }) => ({ cells: [copyable(context, ...words)], last: does })),
      Infinity,
    ),
  ];
}

export function boardFields(
  { task, record, waits, steps, evidence, standsFor, doneBy, next }: Details,
  context: Context,
): Record<string, unknown> {
  return {
    id: task.id,
    status: task.status,
    title: task.title,
    record,
    waits,
    steps,
    evidence,
    sides: { ...(standsFor !== undefined && { standsFor }), doneBy },
    next: commandsOf(next, context),
    task,
  };
}

function fact(key: string, text: string | null | undefined): string[] {
  return text ? [`${key}: ${visible(text.trim().split('\n')[0] ?? '')}`] : [];
}
