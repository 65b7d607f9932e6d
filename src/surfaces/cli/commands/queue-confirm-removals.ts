import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { AnsweredRemoval } from '../../../store/store.ts';
import { personIn } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

export const answeredRemoval = json.like<AnsweredRemoval>()(
  v.strictObject({
    id: json.id,
    name: json.text,
    refused: json.maybe(json.text, 'Why the task was not removed.'),
  }),
);

export const command: Definition = {
  options: [],
  notes: [
    'docket puts a missing record back when the saved file may be older than the',
    'record, when more than three or all are missing, or when the file was cut off.',
    'docket needs-me names them. This command cancels and removes those tasks;',
    'docket restore <task> brings one back.',
  ],
  examples: ['docket queue confirm-removals'],
  answer: json.one(
    'The tasks that were removed; it fails when one could not be.',
    { tasks: v.array(answeredRemoval) },
    { beside: { tasks: v.array(answeredRemoval) } },
  ),
  run,
};

function run(context: Context): Promise<number> {
  return answer(context, true);
}

export async function answer(context: Context, confirm: boolean): Promise<number> {
  const { globals, out, world } = context;
  const tasks = await withDocket(context, async (docket) =>
    (await docket.queueFiles()).answerRemovals(confirm, personIn(world.env)),
  );
  const done = tasks.filter((task) => task.refused === undefined);
  const error = refusal(tasks, context);
  if (globals.json) {
    if (error) out.refuse(error, { tasks });
    else out.answer({ tasks });
    return error?.exitCode ?? 0;
  }
  for (const { name } of done) out.data(`${confirm ? 'removed' : 'kept'} ${visible(name)}`);
  if (error) out.alarm(`${error.message}. ${error.fix}`);
  if (tasks.length === 0) out.talk('No removal waits for an answer.');
  else if (confirm && done.length > 0)
    out.talk(`To bring one back: ${copyable(context, 'restore', done[0]?.name ?? '')}`);
  return error?.exitCode ?? 0;
}

function refusal(
  tasks: readonly { name: string; refused?: string }[],
  context: Context,
): DocketError | undefined {
  const kept = tasks.filter((task) => task.refused !== undefined);
  const [first] = kept;
  if (!first) return undefined;
  const message = kept
    .map(({ name, refused = '' }) => `${visible(name)} was not removed: ${refused}`)
    .join('; ');
  return new DocketError('REFUSED', message, `To cancel it: ${copyable(context, 'cancel', first.name)}`);
}
