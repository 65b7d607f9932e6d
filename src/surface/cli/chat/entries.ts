import type { App } from '../../../app.ts';
import type { Printer } from '../printer.ts';
import { visible } from '../visible.ts';

type Entry = ReturnType<Awaited<ReturnType<App['chats']>>['status']>['outbox']['dead'][number];

const mostShown = 20;
const longest = 100;

/** Messages that are not sent yet, one line each, with the reason of the last try. */
export function tellEntries(entries: readonly Entry[], out: Printer): void {
  for (const { group, text, tries, why } of entries.slice(0, mostShown)) {
    const shown = visible(text.split('\n')[0]?.slice(0, longest) ?? '');
    const about = why === undefined ? '' : `  (${tries} ${tries === 1 ? 'try' : 'tries'}: ${visible(why)})`;
    out.data(`  ${visible(group)}  ${shown}${about}`);
  }
  if (entries.length > mostShown) out.data(`  … and ${entries.length - mostShown} more (--json has all)`);
}
