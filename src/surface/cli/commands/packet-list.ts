import * as v from 'valibot';
import type { Definition } from '../command.ts';
import type { Context } from '../context.ts';
import { warnOf } from '../findings.ts';
import * as json from '../json.ts';
import { packet } from '../packet/answer.ts';
import { packetFields } from '../packet/fields.ts';
import { withPackets } from '../packet/packets.ts';
import { packetRows } from '../packet/rows.ts';
import { columnsOf } from '../style.ts';

export const command: Definition = {
  options: [{ name: 'archived', summary: 'Those in the archive' }],
  notes: ['Columns: id, status, stages (done/all), intent, goal, and why it stands still.'],
  examples: ['docket packet list', "docket packet list --json | jq -r '.packets[].id'"],
  answer: json.one('All packets.', { packets: v.array(v.strictObject(packet)), findings: json.findings }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const archived = args.options.has('archived');
  const { packets, findings } = await withPackets(context, (all) => all.list({ archived }));
  if (globals.json) {
    out.answer({ packets: packets.map(packetFields), findings });
    return 0;
  }
  warnOf(findings, context);
  const { stdout, env } = world;
  const look = { columns: columnsOf(stdout, env), heading: stdout.isTTY === true, paint: out.paintData };
  if (packets.length > 0) out.data(packetRows(packets, look));
  else if (archived) out.talk('No packets in the archive.');
  else out.talk('No packets yet. Make one: docket packet new --goal "…"');
  return 0;
}
