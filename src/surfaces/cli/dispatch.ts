import { makeContext } from './frame/context.ts';
import { parseLine, peekGlobals } from './frame/parse.ts';
import { Printer } from './frame/printer.ts';
import type { World } from './frame/world.ts';

/** Runs one command line and says with which code the process should end. */
export async function dispatch(world: World): Promise<number> {
  if (world.argv[0] === '__complete') return (await import('./complete.ts')).complete(world);
  try {
    return await run(world);
  } catch (error) {
    const { printFailure, toFailure } = await import('./frame/failure.ts');
    const globals = peekGlobals(world.argv);
    const failure = toFailure(error, Boolean(world.env['DOCKET_DEBUG']));
    printFailure(failure, new Printer(world, globals), globals.json);
    return failure.exitCode;
  }
}

async function run(world: World): Promise<number> {
  const { globals, command, group, args } = await parseLine(world.argv);
  const context = makeContext(world, globals, args);
  if (globals.version) return (await import('./commands/version.ts')).printVersion(context);
  // Alone it answers what people look for first: how things stand here, and the next command.
  if (command === undefined && group === undefined && !globals.help)
    return (await import('./commands/status.ts')).command.run(context);
  if (command === undefined || globals.help) {
    const { helpFor, showHelp } = await import('./commands/help.ts');
    return showHelp(context, command ?? (group === undefined ? undefined : helpFor(group)));
  }
  // Not by the name of its constant: nobody else has to load that.
  if (world.env['DOCKET_MARK'])
    (await import('../../project/project.ts')).assertMayCall(world.env, command.name, args.options);
  return command.run(context);
}
