import type { Context } from '../context.ts';
import { nextCommand, packetFields } from '../packet/fields.ts';
import { withPackets } from '../packet/packets.ts';
import { showLines } from '../packet/show.ts';
import { named } from '../task/directories.ts';

export async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const packet = await withPackets(context, (packets) => packets.show(named(context)));
  const next = nextCommand(packet, context);
  if (globals.json) out.answer({ ...packetFields(packet), ...(next !== undefined && { next }) });
  else out.data(showLines(packet, context).join('\n'));
  return 0;
}
