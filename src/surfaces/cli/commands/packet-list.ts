import * as v from 'valibot';
import type { Packet } from '../../../kinds/packet/api.ts';
import { type AlignedRow, alignedRows, titleAndNote } from '../frame/aligned.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { warnOf } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import { statusColors } from '../frame/statuses.ts';
import { columnsOf, type Paint } from '../frame/style.ts';
import { packet } from '../packet/answer.ts';
import { packetFields, whyOf } from '../packet/fields.ts';
import { withPackets } from '../packet/running.ts';

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

/** One row per packet: id, status, stages that are done of all, intent, goal, and why it stands still. */
export function packetRows(
  packets: readonly Packet[],
  { columns, heading, paint }: { columns: number; heading: boolean; paint: Paint },
): string {
  const rows: AlignedRow[] = packets.map((packet) => ({
    cells: [
      packet.id,
      { text: packet.status, color: statusColors[packet.status] },
      `${doneOf(packet)}/${packet.stages.length}`,
      packet.intent,
    ],
    last: (rest) => titleAndNote(packet.goal, whyOf(packet), rest, paint),
  }));
  const cells = ['ID', 'STATUS', 'STAGES', 'INTENT'].map((text) => ({ text, color: 'dim' as const }));
  if (heading) rows.unshift({ cells, last: () => paint('dim', 'GOAL') });
  return alignedRows(rows, columns, paint).join('\n');
}

function doneOf({ stages }: Packet): number {
  return stages.filter(({ state }) => state === 'done').length;
}
