import * as v from 'valibot';
import type { BudgetRow } from '../../../project/money/spending.ts';
import { alignedRows, type AlignedRow } from '../frame/aligned.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';

const cap = json.like<BudgetRow>()(
  v.strictObject({
    key: json.described(json.text, 'What it caps: attempt, step, run, task, day, providers.NAME.'),
    unit: v.picklist(['calls', 'tokens', 'money', 'seconds']),
    cap: v.number(),
    from: v.picklist(['project', 'user']),
    used: json.maybe(v.number(), 'Of caps of a day.'),
    unknown: json.maybe(json.count, 'Calls of the day of which nobody knows how much of it they used.'),
    assumed: json.maybe(v.number(), 'So much of what is used is assumed for calls that told nothing.'),
  }),
);

export const command: Definition = {
  options: [],
  notes: ['A cap that is reached blocks its tasks, with the command that raises it.'],
  examples: ['docket budget', 'docket budget set day.money 20'],
  answer: json.one('The caps that hold here, and what is used of them.', { caps: v.array(cap) }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out, world } = context;
  const caps = await withDocket(context, async (docket) => (await docket.spending()).budgets());
  if (globals.json) {
    out.answer({ caps });
    return 0;
  }
  if (caps.length === 0)
    out.talk('No cap is set: agents may use what they like. Set one: docket budget set day.money 20');
  else out.data(alignedRows(caps.map(rowOf), columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  return 0;
}

function rowOf({ key, unit, cap, from, used, unknown = 0, assumed = 0 }: BudgetRow): AlignedRow {
  const amount = (value: number) => (unit === 'money' ? `$${value.toFixed(2)}` : String(Math.round(value)));
  const so = used === 0 && unknown > 0 ? 'unknown' : amount(used ?? 0);
  const of = used === undefined ? amount(cap) : `${so} of ${amount(cap)}`;
  const calls = `${unknown} ${unknown === 1 ? 'call' : 'calls'}`;
  const what = unit === 'money' ? 'cost' : unit;
  const notes = [
    from === 'user' ? 'your own settings, all projects' : '',
    unknown > 0 ? `${calls} did not tell ${unknown === 1 ? 'its' : 'their'} ${what}` : '',
    assumed > 0 ? `${amount(assumed)} is assumed for what was not told` : '',
  ];
  const state = used !== undefined && used >= cap ? 'used up' : '';
  return {
    cells: [visible(`${key}.${unit}`), of, state],
    last: notes.filter((note) => note !== '').join('; '),
  };
}
