import * as v from 'valibot';
import type { DiskUse } from '../../../project/disk.ts';
import { alignedRows, type AlignedRow } from '../frame/aligned.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { sizeText } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';

const kinds = v.picklist(['workspace', 'attempts', 'evidence', 'runs', 'files']);
const disk = json.like<DiskUse>()(
  v.strictObject({
    layout: json.layout,
    id: json.id,
    name: json.maybe(json.name),
    status: json.maybe(json.status, 'Absent: it was not looked up, or there is no such task any more.'),
    deleted: json.maybe(json.yes, 'There is no such task any more.'),
    bytes: json.count,
    parts: v.array(v.strictObject({ kind: kinds, path: json.text, bytes: json.count })),
  }),
);

export const command: Definition = {
  options: [
    {
      name: 'by',
      summary: 'One row for each task (default) or kind',
      value: { kind: 'oneOf', label: 'WORD', words: ['task', 'kind'] },
    },
  ],
  notes: [
    'Workspaces, attempts (prompts and output), evidence, runs, and the files of task',
    'directories, packets and the board, the largest first. Changes nothing.',
  ],
  examples: ['docket disk', 'docket disk --by kind', "docket disk --json | jq '.tasks[0]'"],
  answer: json.one('What tasks take up on the disk, the largest first.', {
    bytes: json.count,
    kinds: json.described(v.record(kinds, json.count), 'Bytes by what they are for.'),
    tasks: v.array(disk),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const tasks = await withDocket(context, async (docket) => docket.disk());
  const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0);
  const kinds = byKind(tasks);
  if (globals.json) {
    out.answer({ bytes, kinds: Object.fromEntries(kinds), tasks });
    return 0;
  }
  const rows = last(args, 'by') === 'kind' ? kinds.map(kindRow) : tasks.map(taskRow);
  if (rows.length > 0)
    out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  const workspaces = new Map(kinds).get('workspace') ?? 0;
  out.talk(`${sizeText(bytes)} in all, ${sizeText(workspaces)} of it in workspaces.`);
  if (workspaces > 0)
    out.talk(`To free some: ${copyable(context, 'clean', '--older-than', '14d', '--dry-run')}`);
  return 0;
}

function byKind(tasks: readonly DiskUse[]): [kind: string, bytes: number][] {
  const sums = new Map<string, number>();
  for (const { kind, bytes } of tasks.flatMap(({ parts }) => parts))
    sums.set(kind, (sums.get(kind) ?? 0) + bytes);
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

function kindRow([kind, bytes]: [string, number]): AlignedRow {
  return { cells: [sizeText(bytes)], last: kind };
}

/** The folders are in --json: four absolute paths make no row. */
function taskRow({ layout, id, name, status, deleted, bytes, parts }: DiskUse): AlignedRow {
  const each = parts
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((part) => `${part.kind} ${sizeText(part.bytes)}`);
  const state = status ?? (deleted ? 'deleted' : layout);
  return { cells: [sizeText(bytes), name ?? id, state], last: each.join(', ') };
}
