import { resolve } from 'node:path';
import type { RunTaskInput } from '../../../kinds/directory/api.ts';
import { last, numberIn, readStdin, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { control, oneTask, taskExits } from '../frame/options.ts';
import { named } from '../task/fields.ts';
import { running } from '../task/running.ts';
import { runAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: oneTask,
  options: [
    {
      name: 'actions',
      summary: 'Orchestrator actions as JSON ("-": from stdin)',
      value: { kind: 'file', label: 'FILE' },
    },
    {
      name: 'goal',
      summary: 'Let an agent plan, round after round, until it says done',
      value: { kind: 'text', label: 'TEXT' },
    },
    {
      name: 'agent',
      summary: 'Who plans, with --goal (default: defaultAgent)',
      value: { kind: 'text', names: 'agent', label: 'NAME' },
    },
    {
      name: 'max-rounds',
      summary: 'Rounds with --goal, 1 to 100 (default 5)',
      value: { kind: 'integer', label: 'N' },
    },
    ...control,
  ],
  notes: [
    'With neither it goes on with what was ordered before. Everything is checked',
    'before anything starts. A blocked agent closes a gate: docket gate list.',
    taskExits,
  ],
  examples: [
    'docket task run <task> --actions actions.json',
    'docket task run <task> --goal "Port the parser" --agent claude --max-rounds 3',
  ],
  answer: runAnswer('The task after its steps.'),
  run,
};

/** More than any good actions have, so that a prompt that is too long is named by its place in them. */
const longestActions = 64 * 1024 * 1024;

async function run(context: Context): Promise<number> {
  const order = await orderOf(context);
  return running(context, 'task run', (tasks, control) =>
    tasks.run(named(context), { ...control, ...order }),
  );
}

type Order =
  | Pick<Extract<RunTaskInput, { kind: 'actions' }>, 'kind' | 'actions' | 'source'>
  | Pick<Extract<RunTaskInput, { kind: 'goal' }>, 'kind' | 'goal' | 'agent' | 'maxRounds'>
  | { kind: 'rest' };

async function orderOf(context: Context): Promise<Order> {
  const { args } = context;
  const file = last(args, 'actions');
  const goal = last(args, 'goal');
  const agent = last(args, 'agent');
  const maxRounds = numberIn(args, 'max-rounds', [1, 100], 'task run');
  if (file !== undefined && goal !== undefined)
    throw usage('--actions says what to do, --goal lets an agent say it', 'give one of them', 'task run');
  if (goal !== undefined)
    return { kind: 'goal', goal, maxRounds: maxRounds ?? 5, ...(agent !== undefined && { agent }) };
  if (agent !== undefined || maxRounds !== undefined)
    throw usage(
      `--${agent === undefined ? 'max-rounds' : 'agent'} is about planning`,
      'add --goal',
      'task run',
    );
  if (file === undefined) return { kind: 'rest' };
  return { kind: 'actions', ...(await actionsFrom(file, context)) };
}

async function actionsFrom(
  file: string,
  { world, out }: Context,
): Promise<{ actions: string; source: string }> {
  if (file !== '-') {
    const actions = await (await world.docket()).readText(resolve(world.cwd, file), longestActions);
    return { actions, source: file };
  }
  if (world.stdin.isTTY === true) out.talk('Type the actions as JSON; end with Ctrl-D.');
  return { actions: await readStdin(world.stdin, longestActions), source: 'stdin' };
}
