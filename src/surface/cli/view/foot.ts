import type { Cost, LayoutCount, View } from '../../../app/view/types.ts';
import { alignedRows } from '../aligned.ts';
import { clockTime } from '../clock-time.ts';
import { priceText, toldText } from '../price.ts';
import { statusNames } from '../statuses.ts';
import { visible } from '../visible.ts';
import { ahead, type Look } from './rows.ts';

/** How many there are, what they cost, and who is left alone. */
export function footLines({ layouts, cost, parked }: View, look: Look): string[] {
  const counts = layouts.map((layout) => ({
    cells: [layout.layout, String(layout.tasks).padStart(5)],
    last: countsText(layout),
  }));
  return [
    look.paint('bold', 'In all'),
    ...alignedRows(counts, look.columns - 2, look.paint).map((row) => `  ${row}`),
    cost ? `  cost   today ${costText(cost.today)}; in all ${costText(cost.all)}` : '  cost   unknown',
    ...parked.map(({ provider, kind, until, told, tried, reason }) => {
      const when = tried
        ? 'somebody tries it now'
        : `${told ? 'until' : 'tried again'} ${clockTime(until, look.now)} (${ahead(until, look.now)})`;
      const what = kind === 'limit' ? 'at its limit' : 'out of reach';
      return `  ${look.paint('yellow', visible(provider))} is ${what}, ${when}: ${visible(reason)}`;
    }),
  ];
}

function countsText({ counts }: LayoutCount): string {
  const parts = statusNames.flatMap((status) => (counts[status] ? [`${counts[status]} ${status}`] : []));
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function costText(cost: Cost): string {
  const { calls, lost, open } = cost;
  const count = calls + lost + open;
  if (count === 0) return 'nothing';
  const parts = [
    priceText(cost),
    `${count} ${count === 1 ? 'call' : 'calls'}`,
    toldText(cost),
    ...(open > 0 ? [`${open} at work`] : []),
  ];
  return parts.join(', ');
}
