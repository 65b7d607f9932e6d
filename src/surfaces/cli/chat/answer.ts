import * as v from 'valibot';
import { newsSchemas, type MailEntry } from '../../../project/chat/api.ts';
import * as json from '../frame/json.ts';
import type { Printer } from '../frame/printer.ts';
import { visible } from '../frame/visible.ts';

const news = newsSchemas.map(({ entries }) => v.strictObject({ v: json.version, at: json.time, ...entries }));
const checked = json.answer({
  dryRun: json.dryRun,
  channel: json.text,
  where: json.text,
  groups: v.array(json.text),
  roles: v.array(json.text),
  botId: json.maybe(json.text),
});
export const serve = json.stream(
  'What happens while a chat is served, until it is told to end; with --dry-run whether its settings are right.',
  'Without --dry-run a stream',
  [...news, checked, json.refusal()],
);
const mostShown = 20;
const longest = 100;

/** Messages that are not sent yet, one line each, with the reason of the last try. */
export function tellEntries(entries: readonly MailEntry[], out: Printer): void {
  for (const { group, text, tries, why } of entries.slice(0, mostShown)) {
    const shown = visible(text.split('\n')[0]?.slice(0, longest) ?? '');
    const about = why === undefined ? '' : `  (${tries} ${tries === 1 ? 'try' : 'tries'}: ${visible(why)})`;
    out.data(`  ${visible(group)}  ${shown}${about}`);
  }
  if (entries.length > mostShown) out.data(`  … and ${entries.length - mostShown} more (--json has all)`);
}
