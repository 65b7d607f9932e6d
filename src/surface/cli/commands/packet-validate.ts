import type { Context } from '../context.ts';
import { withPackets } from '../packet/packets.ts';
import { named } from '../task/directories.ts';
import { tellFindings } from '../tell-findings.ts';

export async function run(context: Context): Promise<number> {
  return tellFindings(await withPackets(context, (packets) => packets.validate(named(context))), context);
}
