import { explained } from '../explain/answer.ts';
import { explainLines } from '../explain/lines.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { commandsOf } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { anyTask, ofLayout } from '../frame/options.ts';

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
  answer: json.one(
    'Why a task is as it is, what can be done now, and how it came to that.',
    explained.entries,
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const found = await withDocket(context, (docket) => docket.explain(ref, last(args, 'of')));
  const next = commandsOf(found.next, context);
  if (globals.json) out.answer({ ...found, next });
  else out.data(explainLines(found, next, context).join('\n'));
  return 0;
}
