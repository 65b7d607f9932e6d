import { join, resolve } from 'node:path';
import type { Context } from '../context.ts';
import { exitCodeOf, tellRan } from '../packet/ran.ts';
import { running } from '../packet/running.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, world, out } = context;
  const [contextPack = '', report = '', target] = args.operands.map((path) => resolve(world.cwd, path));
  const ran = await running(context, (packets, control, { root }) =>
    packets.review({ contextPack, report, out: target ?? join(root, '.tmp', 'post-impl'), ...control }),
  );
  const code = exitCodeOf(ran);
  tellRan(ran, code, context, { results: ran.results });
  out.talk(`The results: ${visible(ran.results)}`);
  return code;
}
