import * as v from 'valibot';
import { alignedRows } from '../frame/aligned.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { ofLayout } from '../frame/options.ts';
import { columnsOf } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { evidenceRow } from '../queue/show.ts';

export const command: Definition = {
  operand: { kind: 'text', names: ['any'], label: '<task> [entry]', min: 1, max: 2 },
  options: [ofLayout],
  notes: [
    'A task is done only with it. An entry says on which tree it was made; what was',
    'made on another one, or is of another task, proves nothing. With an entry: what',
    'its command printed, exactly, or an error if the file is not what it was.',
  ],
  examples: ['docket evidence fix-login', 'docket evidence fix-login ev-3f2a9c1d > test.log'],
  answer: json.one(
    'What docket itself saw of a task’s work; with an entry, what its command printed.',
    {
      layout: json.layout,
      id: json.id,
      folder: json.described(json.text, 'Where it is kept, from the root.'),
      entries: v.array(json.evidence),
    },
    { or: [json.answer({ layout: json.layout, id: json.id, entry: json.evidence, output: json.text })] },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const [ref = '', entry] = args.operands;
  const { found, opened } = await withDocket(context, (docket) =>
    docket.evidence(ref, { of: last(args, 'of'), entry }),
  );
  const { id, layout, entries } = found;
  if (globals.json) out.answer(opened ? { id, layout, ...opened } : { ...found });
  else if (opened) tell(opened.output, context);
  else if (entries.length === 0) out.talk('Nothing was proved yet.');
  else {
    const rows = entries.map((one) => evidenceRow(one, world.now()));
    out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  }
  return 0;
}

/** Into a file the bytes go as they are; a terminal would obey them. */
function tell(output: string, { world, out }: Context): void {
  if (world.stdout.isTTY === true) out.data(output.trimEnd().split('\n').map(visible).join('\n'));
  else world.stdout.write(output);
}
