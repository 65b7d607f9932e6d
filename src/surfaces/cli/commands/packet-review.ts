import { join, resolve } from 'node:path';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { packetExits } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { oneRun } from '../packet/answer.ts';
import { exitCodeOf, tellRan } from '../packet/ran.ts';
import { running } from '../packet/running.ts';

export const command: Definition = {
  operand: { kind: 'file', label: '<context-pack> <report> [out]', min: 2, max: 3 },
  options: [],
  notes: ['Makes a packet of its own. Results go to .tmp/post-impl, or where you say.', packetExits],
  examples: ['docket packet review context_pack.md report.md'],
  answer: oneRun('The packet that reviewed; `results` is the folder with what it found.'),
  run,
};

async function run(context: Context): Promise<number> {
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
