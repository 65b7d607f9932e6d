import { resolve } from 'node:path';
import type { Docket } from '../../../project/docket.ts';
import type { Args, Globals } from './parse.ts';
import { Printer } from './printer.ts';
import type { World } from './world.ts';

/** What a command gets: its arguments, where it runs, and where to print. */
export interface Context {
  readonly args: Args;
  readonly globals: Globals;
  readonly world: World;
  readonly out: Printer;
}

export function makeContext(world: World, globals: Globals, args: Args): Context {
  return { world, globals, args, out: new Printer(world, globals) };
}

export function rootOption({ world, globals }: Context): { root?: string } {
  return globals.root === undefined ? {} : { root: resolve(world.cwd, globals.root) };
}

/** Only where somebody sits in front of it. */
function ringing({ world, globals }: Context): { ring?: (sound: string) => void } {
  const isWatched = world.stderr.isTTY === true && !globals.json && !globals.quiet;
  return isWatched ? { ring: (sound) => void world.stderr.write(sound) } : {};
}

/** Opens the docket of the root, hands it to `use`, and closes it whatever happens. */
export async function withDocket<T>(context: Context, use: (docket: Docket) => Promise<T>): Promise<T> {
  const { world, out } = context;
  const { openDocket } = await world.docket();
  const warnings: string[] = [];
  const docket = await openDocket({
    cwd: world.cwd,
    ...rootOption(context),
    warn: (text) => warnings.push(text),
    ...ringing(context),
  });
  const { found } = docket;
  if (found.how === 'workspace')
    out.talk(`note: this is the workspace of task ${found.task}; docket works on its project, ${found.root}`);
  try {
    const answer = await use(docket);
    if (found.how === 'none') (await import('./no-project.ts')).tellNoProject(found, out);
    return answer;
  } catch (error) {
    throw (await import('./no-project.ts')).withRoot(error, found, out);
  } finally {
    await docket.close();
    if (warnings.length > 0) {
      const { visible } = await import('./visible.ts');
      for (const text of warnings) out.talk(`warning: ${visible(text)}`);
    }
  }
}
