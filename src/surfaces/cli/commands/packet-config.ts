import * as v from 'valibot';
import { type AlignedRow, alignedRows } from '../frame/aligned.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';
import { withPackets } from '../packet/running.ts';

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

/** Every value that is in force: its key, the file that it came from, and the value. */
export function configRows(value: unknown, sources: Readonly<Record<string, string>>): AlignedRow[] {
  return leaves(value, []).map(({ keys, text }) => ({
    cells: [keys.join('.'), sourceOf(keys, sources)],
    last: text,
  }));
}

function leaves(value: unknown, keys: readonly string[]): { keys: readonly string[]; text: string }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ keys, text: textOf(value) }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...keys, key]));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value) ?? '';
  return value.map(textOf).join(', ');
}

/** A source may be told for a whole part at once. */
function sourceOf(keys: readonly string[], sources: Readonly<Record<string, string>>): string {
  for (let length = keys.length; length > 0; length--) {
    const key = keys.slice(0, length).join('.');
    if (Object.hasOwn(sources, key)) return sources[key] ?? '-';
  }
  return '-';
}
