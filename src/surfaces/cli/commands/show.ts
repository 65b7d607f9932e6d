import type { Docket } from '../../../project/docket.ts';
import { boardFields, showLines as boardLines } from '../board/show.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { anyTask, ofLayout } from '../frame/options.ts';
import { nextCommand, packetFields } from '../packet/fields.ts';
import { showLines as packetLines } from '../packet/show.ts';
import { showLines as queueLines } from '../queue/show.ts';
import { directoryFields } from '../task/fields.ts';
import { showLines as directoryLines } from '../task/show.ts';

export const command: Definition = {
  operand: anyTask,
  options: [ofLayout],
  notes: [
    'Of any task: of the queue, a task directory, a packet, the board. Status and',
    'why, steps with agent, time and tokens, gates, branch, files, and the commands',
    'that are possible now. How it came there: docket explain.',
  ],
  examples: ['docket show fix-login', 'docket show T-001', "docket show fix-login --json | jq '.steps'"],
  answer: async () => (await import('../explain/show-answer.ts')).showAnswer,
  run,
};

type Shown = Awaited<ReturnType<Docket['show']>>;

/** Of any task, in the terms of its format. */
async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const shown = await withDocket(context, (docket) => docket.show(ref, last(args, 'of')));
  if (globals.json) out.answer({ ...fieldsOf(shown, context), kind: shown.kind });
  else out.data(linesOf(shown, context).join('\n'));
  return 0;
}

/** What the format's own command prints. */
function fieldsOf(shown: Shown, context: Context): Record<string, unknown> {
  switch (shown.kind) {
    case 'queue': {
      const { task, ...rest } = shown.details;
      return { id: task.id, status: task.status, ...rest, task };
    }
    case 'task':
      return directoryFields(shown.directory);
    case 'packet': {
      const next = nextCommand(shown.packet, context);
      return { ...packetFields(shown.packet), ...(next !== undefined && { next }) };
    }
    case 'board':
      return boardFields(shown.details, context);
  }
}

function linesOf(shown: Shown, context: Context): string[] {
  switch (shown.kind) {
    case 'queue':
      return queueLines(shown.details, context);
    case 'task':
      return directoryLines(shown.directory, context);
    case 'packet':
      return packetLines(shown.packet, context);
    case 'board':
      return boardLines(shown.details, context);
  }
}
