import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { CostRow } from '../../../project/money/spending.ts';
import { type AlignedRow, alignedRows } from '../frame/aligned.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { type Context, withDocket } from '../frame/context.ts';
import { priceText, toldText } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';

const sum = {
  used: json.used,
  open: json.described(json.count, 'Calls that are at work.'),
  lost: json.described(json.count, 'Calls of which nobody knows what they used, because their docket died.'),
};
const costRow = json.like<CostRow>()(
  v.strictObject({
    key: json.text,
    name: json.maybe(json.text, 'What people call a task of this queue.'),
    ...sum,
  }),
);

export const command: Definition = {
  options: [
    {
      name: 'by',
      summary: 'One row for each: task, agent, day or provider (default: task)',
      value: { kind: 'oneOf', label: 'WHAT', words: ['task', 'agent', 'day', 'provider'] },
    },
    {
      name: 'since',
      summary: 'Only since this day: 2026-01-31, or 7d (default: all)',
      value: { kind: 'text', label: 'DAY' },
    },
    { name: 'everywhere', summary: 'In all your projects' },
  ],
  notes: [
    'What nobody told is shown as unknown, never as nothing. Prices of models whose',
    'agents do not say them: prices in .docket/config.yaml.',
  ],
  examples: ['docket cost', 'docket cost --by provider --since 7d', 'docket cost --by day --json'],
  answer: json.one('What calls of agents have used.', {
    by: v.picklist(['task', 'agent', 'day', 'provider']),
    total: v.strictObject(sum),
    rows: v.array(costRow),
  }),
  run,
};

const words = ['task', 'agent', 'day', 'provider'] as const;

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const by = words.find((word) => word === last(args, 'by')) ?? 'task';
  const since = sinceDay(last(args, 'since'), world.now());
  const query = { by, everywhere: args.options.has('everywhere'), ...(since !== undefined && { since }) };
  const rows = await withDocket(context, async (docket) => (await docket.spending()).cost(query));
  const total = sumOf(rows);
  if (globals.json) {
    out.answer({ by, total, rows });
    return 0;
  }
  if (rows.length === 0) {
    out.talk('No call of an agent is in the book. What runs from now on will be.');
    return 0;
  }
  const table = [...rows.map((row) => rowText(row)), rowText({ ...total, key: 'in all' })];
  out.data(alignedRows(table, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  return 0;
}

function sumOf(rows: readonly CostRow[]): Omit<CostRow, 'key' | 'name'> {
  const sum = (of: (row: CostRow) => number | undefined) =>
    rows.reduce((all, row) => all + (of(row) ?? 0), 0);
  return {
    used: {
      calls: sum(({ used }) => used.calls),
      tokens: sum(({ used }) => used.tokens),
      money: sum(({ used }) => used.money),
      seconds: sum(({ used }) => used.seconds),
      untold: sum(({ used }) => used.untold),
      unpriced: sum(({ used }) => used.unpriced),
    },
    open: sum(({ open }) => open),
    lost: sum(({ lost }) => lost),
  };
}

function rowText({ key, name = key, used, open, lost }: CostRow): AlignedRow {
  const { calls, untold = 0 } = used;
  const notes = [
    untold > 0 ? `${untold} without reported usage` : '',
    lost > 0 ? `${lost} lost with their docket` : '',
    open > 0 ? `${open} at work` : '',
  ];
  const count = calls + lost + open;
  const sum = { ...used, lost, open };
  return {
    cells: [
      visible(name),
      `${count} ${count === 1 ? 'call' : 'calls'}`,
      toldText(sum, (tokens) => String(Math.round(tokens))),
      priceText(sum),
    ],
    last: notes.filter((text) => text !== '').join(', '),
  };
}

const dayMs = 86_400_000;

/** A day as it is written, or so many days ago. */
export function sinceDay(text: string | undefined, now: number): string | undefined {
  if (text === undefined || /^\d{4}-\d\d-\d\d$/.test(text)) return text;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined)
    throw new DocketError(
      'USAGE',
      `--since ${text} is no day`,
      'write 2026-01-31, or 7d for the last seven days',
      {
        value: text,
      },
    );
  const time = new Date(now - (Number(days) - 1) * dayMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
