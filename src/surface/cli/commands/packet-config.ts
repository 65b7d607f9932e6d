import * as v from 'valibot';
import { alignedRows, type AlignedRow } from '../aligned.ts';
import type { Definition } from '../command.ts';
import type { Context } from '../context.ts';
import * as json from '../json.ts';
import { configRows } from '../packet/config-rows.ts';
import { withPackets } from '../packet/packets.ts';
import { columnsOf } from '../style.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'packet', label: '[packet]', min: 0, max: 1 },
  options: [],
  notes: ['They are in configs/servant/ and configs/pipeline/; a packet may change some.'],
  examples: ['docket packet config', 'docket packet config <packet> | grep timeout'],
  answer: json.one('What is in force, and the file that each value comes from.', {
    id: json.maybe(json.id),
    config: json.described(v.record(json.text, v.unknown()), 'The format’s own settings.'),
    sources: json.described(v.record(json.text, json.text), 'By key: the file, or "default".'),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const [id] = args.operands;
  const { value, sources } = await withPackets(context, (packets) => packets.config(id));
  if (globals.json) {
    out.answer({ ...(id !== undefined && { id }), config: value, sources });
    return 0;
  }
  const paint = out.paintData;
  const cells = ['KEY', 'FROM'].map((text) => ({ text, color: 'dim' as const }));
  const heading: AlignedRow[] = [{ cells, last: () => paint('dim', 'VALUE') }];
  const rows = [...(world.stdout.isTTY === true ? heading : []), ...configRows(value, sources)];
  out.data(alignedRows(rows, columnsOf(world.stdout, world.env), paint).join('\n'));
  return 0;
}
