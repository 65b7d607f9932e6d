import type { Packet } from '../../../kinds/packet/api.ts';
import { alignedRows, type AlignedRow } from '../aligned.ts';
import { statusColors } from '../statuses.ts';
import type { Paint } from '../style.ts';
import { titleAndNote } from '../title-note.ts';
import { whyOf } from './fields.ts';

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
