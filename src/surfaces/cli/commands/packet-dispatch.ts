import { resolve } from 'node:path';
import { last, needed, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { printFailure, toFailure } from '../frame/failure.ts';
import { textOption } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { oneRun } from '../packet/answer.ts';
import { exitCodeOf, tellRan } from '../packet/ran.ts';
import { running } from '../packet/running.ts';

export const command: Definition = {
  operand: { kind: 'text', label: 'single|pipeline', min: 0, max: Infinity },
  lenient: true,
  options: [
    { name: 'task', summary: 'The folder of the packet', value: { kind: 'directory', label: 'DIR' } },
    textOption('stage', 'With single: the stage', 'STAGE'),
    textOption('plan', 'With pipeline: auto, or a profile', 'PROFILE'),
  ],
  notes: ['What it does not know it warns of, and goes on.', 'Exit code: 0 done, 1 failed, 2 bad call.'],
  examples: [
    'docket packet dispatch pipeline --task .tmp/task/<packet> --plan auto',
    'docket packet dispatch single --task .tmp/task/<packet> --stage codex_impl',
  ],
  answer: oneRun('As docket packet run, with the exit codes of the original dispatcher.'),
  run,
};

/** In the place of the original dispatcher: its arguments, and its exit codes only (0 done, 1 failed, 2 bad call). */
async function run(context: Context): Promise<number> {
  const { out, globals, world } = context;
  try {
    return await dispatch(context);
  } catch (error) {
    const failure = toFailure(error, Boolean(world.env['DOCKET_DEBUG']));
    printFailure(failure, out, globals.json);
    return failure.code === 'USAGE' || failure.code === 'NOT_FOUND' ? 2 : 1;
  }
}

async function dispatch(context: Context): Promise<number> {
  const { args, out, world } = context;
  const [mode, ...words] = args.operands;
  if (mode !== 'single' && mode !== 'pipeline')
    throw usage(
      `docket packet dispatch cannot do "${mode ?? ''}"`,
      'say single or pipeline',
      'packet dispatch',
    );
  for (const word of [...args.unknown, ...words]) out.talk(`warning: ${visible(word)} is unknown; going on`);
  const folder = resolve(world.cwd, needed(args, 'task', 'packet dispatch'));
  const stage = mode === 'single' ? needed(args, 'stage', 'packet dispatch') : undefined;
  const profile = mode === 'pipeline' ? last(args, 'plan') : undefined;
  const ran = await running(context, async (packets, control) => {
    const id = await packets.at(folder);
    const plan = profile === undefined || profile === 'auto' ? {} : { plan: profile };
    return packets.run(id, { ...control, ...plan, ...(stage !== undefined && { stage }) });
  });
  const code = exitCodeOf(ran, stage) === 0 ? 0 : 1;
  tellRan(ran, code, context);
  return code;
}
