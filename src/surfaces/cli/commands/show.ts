import type { Docket } from '../../../project/docket.ts';
import { boardFields, showLines as boardLines } from '../board/show.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { commandsOf } from '../frame/copyable.ts';
import { anyTask, ofLayout } from '../frame/options.ts';
import { statusFields } from '../packet/fields.ts';
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

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const shown = await withDocket(context, (docket) => docket.show(ref, last(args, 'of')));
  const { lines, fields } = ownPart(shown, context);
  if (globals.json) out.answer({ ...fields(), kind: shown.kind, about: aboutOf(shown, context) });
  else out.data(lines().join('\n'));
  return 0;
}

/** What every task has, in the same words for all kinds. */
function aboutOf(shown: Shown, context: Context): Record<string, unknown> {
  const { ref, name, title, cause, waits, steps, gates, evidence, delivery, used, standsFor, doneBy } = shown;
  return {
    ref,
    name,
    title,
    cause,
    waits,
    steps,
    gates,
    evidence,
    ...(delivery && { delivery }),
    ...(used && { used }),
    ...(standsFor !== undefined && { standsFor }),
    doneBy,
    next: commandsOf(shown.next, context),
  };
}

/** How what only one kind has is printed, in the terminal and as JSON. */
function ownPart(
  shown: Shown,
  context: Context,
): { lines: () => string[]; fields: () => Record<string, unknown> } {
  if ('directory' in shown) {
    const { directory } = shown;
    return { lines: () => directoryLines(directory, context), fields: () => directoryFields(directory) };
  }
  if ('packet' in shown) {
    const { packet } = shown;
    return { lines: () => packetLines(packet, context), fields: () => statusFields(packet, context) };
  }
  if ('record' in shown)
    return { lines: () => boardLines(shown, context), fields: () => boardFields(shown, context) };
  const { task, ...rest } = shown.details;
  return {
    lines: () => queueLines(shown.details, context),
    fields: () => ({ id: task.id, status: task.status, ...rest, task }),
  };
}
