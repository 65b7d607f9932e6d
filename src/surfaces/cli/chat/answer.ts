import * as v from 'valibot';
import type { ChatNews, MailEntry } from '../../../project/chat/api.ts';
import type { Docket } from '../../../project/docket.ts';
import * as json from '../frame/json.ts';
import type { Printer } from '../frame/printer.ts';
import { visible } from '../frame/visible.ts';

const line = <K extends ChatNews['kind'], S extends v.ObjectEntries>(kind: K, fields: S) =>
  v.strictObject({ v: json.version, at: json.time, kind: v.literal(kind), ...fields });
const news = [
  line('ready', { where: json.text }),
  line('connection', { state: v.picklist(['lost', 'back']) }),
  line('ignored', { why: v.picklist(['group', 'own', 'unreadable']), group: json.text }),
  line('refused', { why: json.text }),
  line('trouble', { text: json.text }),
  line('retry', { group: json.text, why: json.text, inMs: v.number() }),
  line('given-up', { group: json.text, why: json.text }),
  line('unreadable', { file: json.text }),
  line('heard', {
    id: json.text,
    group: json.text,
    by: json.text,
    intent: json.text,
    outcome: json.text,
    taskId: json.maybe(json.text),
  }),
  line('told', { group: json.text, key: json.text, taskId: json.text }),
  line('autopilot', { taskId: json.text, outcome: json.text }),
] as const;
const allNews = json.like<ChatNews>()(v.union(news));
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
  [...allNews.options, checked, json.refusal()],
);
const entry = json.like<MailEntry>()(
  json.named(
    'mail',
    v.strictObject({
      key: json.text,
      group: json.text,
      text: json.text,
      tries: json.count,
      why: json.maybe(json.text),
    }),
    'A message, and why it has not come through.',
  ),
);
export const entries = v.array(entry);

type Entry = ReturnType<Awaited<ReturnType<Docket['chats']>>['status']>['outbox']['dead'][number];

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
