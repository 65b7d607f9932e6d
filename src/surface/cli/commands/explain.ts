import { last } from '../args.ts';
import type { Definition } from '../command.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { explainLines } from '../explain/lines.ts';
import { anyTask, ofLayout } from '../options.ts';

export const command: Definition = {
  operand: anyTask,
  options: [ofLayout],
  notes: [
    'Of any task: of the queue, a task directory, a packet, the board. The story from',
    'its journal, every call with session, time and cost, what was decided and by',
    'whom, what proves it, and the commands that are possible now. Of a loop also the',
    'last two changes, side by side where the terminal is wide. Nothing is changed.',
  ],
  examples: ['docket explain fix-login', "docket explain T-001 --json | jq '.cause, .next[0].command'"],
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const found = await withApp(context, (app) => app.explain(ref, last(args, 'of')));
  const next = found.next.map(({ words, does }) => ({ command: copyable(context, ...words), does }));
  if (globals.json) out.answer({ ...found, next });
  else out.data(explainLines(found, next, context).join('\n'));
  return 0;
}
