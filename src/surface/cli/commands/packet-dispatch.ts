import { resolve } from 'node:path';
import { last, needed, usage } from '../args.ts';
import type { Context } from '../context.ts';
import { printFailure, toFailure } from '../failure.ts';
import { exitCodeOf, tellRan } from '../packet/ran.ts';
import { running } from '../packet/running.ts';
import { visible } from '../visible.ts';

const command = 'packet dispatch';

/** In the place of the original dispatcher: its arguments, and its exit codes only (0 done, 1 failed, 2 bad call). */
export async function run(context: Context): Promise<number> {
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
    throw usage(`docket ${command} cannot do "${mode ?? ''}"`, 'say single or pipeline', command);
  for (const word of [...args.unknown, ...words]) out.talk(`warning: ${visible(word)} is unknown; going on`);
  const folder = resolve(world.cwd, needed(args, 'task', command));
  const stage = mode === 'single' ? needed(args, 'stage', command) : undefined;
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
