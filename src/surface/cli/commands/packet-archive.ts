import { numberIn, usage } from '../args.ts';
import type { Context } from '../context.ts';
import { withPackets } from '../packet/packets.ts';
import { visible } from '../visible.ts';

const command = 'packet archive';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const days = numberIn(args, 'older-than', [0, Infinity], command);
  if ((days === undefined) === (args.operands.length === 0))
    throw usage(`docket ${command} needs packets or --older-than`, 'give one of them', command);
  const which = days === undefined ? args.operands : { olderThanDays: days };
  const archived = await withPackets(context, (packets) => packets.archive(which, dryRun));
  if (globals.json) out.answer({ archived, dryRun });
  else {
    if (archived.length > 0) out.data(archived.map(visible).join('\n'));
    out.talk(saidOf(archived.length, dryRun));
  }
  return 0;
}

function saidOf(count: number, dryRun: boolean): string {
  if (count === 0) return 'No packet is finished and old enough.';
  return dryRun ? 'These would go to .tmp/archive/; nothing was moved.' : 'Moved to .tmp/archive/.';
}
