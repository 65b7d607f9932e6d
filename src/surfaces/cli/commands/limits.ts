import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import { alignedRows } from '../frame/aligned.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { clockTime } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';

type Limit = ReturnType<Awaited<ReturnType<Docket['spending']>>['limits']>[number];
const limit = json.like<Limit>()(
  v.strictObject({
    ...json.parked,
    source: json.described(json.text, 'Where it was seen: a task and its step.'),
    strikes: json.described(json.count, 'How often it was still so when somebody tried.'),
    openedAt: json.maybe(json.time),
  }),
);

export const command: Definition = {
  options: [],
  examples: ['docket limits', 'docket limits open claude'],
  answer: json.one('Providers that are left alone for a while.', { limits: v.array(limit) }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out, world } = context;
  const limits = await withDocket(context, async (docket) => (await docket.spending()).limits());
  if (globals.json) {
    out.answer({ limits });
    return 0;
  }
  if (limits.length === 0) {
    out.talk('No provider is left alone: all of them may be asked.');
    return 0;
  }
  const rows = limits.map(({ provider, until, told, tried, kind, reason, source }) => ({
    cells: [
      visible(provider),
      kind === 'limit' ? 'limit' : 'out of reach',
      tried ? 'somebody tries it now' : `${told ? 'until' : 'tried again'} ${clockTime(until, world.now())}`,
    ],
    last: `${visible(reason)} (${visible(source)})`,
  }));
  out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  return 0;
}
