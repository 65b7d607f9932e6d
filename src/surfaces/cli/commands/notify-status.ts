import * as v from 'valibot';
import type { NotifyStatus, Unsent } from '../../../project/notify/notices.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

const unsent = v.array(
  json.like<Unsent>()(
    v.strictObject({ key: json.text, text: json.text, tries: json.count, why: json.maybe(json.text) }),
  ),
);

export const command: Definition = {
  options: [],
  examples: ['docket notify status', 'docket notify status --json'],
  answer: json.one(
    'What people were told, and what could not be told.',
    json.like<NotifyStatus>()(
      v.strictObject({
        ways: v.array(v.picklist(['terminal', 'desktop', 'webhook', 'chat'])),
        waiting: v.array(v.strictObject({ key: json.text, text: json.text, since: json.time })),
        told: json.described(v.array(v.strictObject({ key: json.text, at: json.time })), 'The latest last.'),
        webhook: v.strictObject({ waiting: unsent, dead: unsent }),
      }),
    ).entries,
  ),
  run,
};

const mostShown = 10;

async function run(context: Context): Promise<number> {
  const { out, globals } = context;
  const status = await withDocket(context, async (docket) => (await docket.notices()).status());
  if (globals.json) {
    out.answer({ ...status });
    return 0;
  }
  const { ways, waiting, told, webhook } = status;
  out.data(
    `notify by: ${ways.length === 0 ? 'No notification channel configured. Add notify: to .docket/config.yaml' : ways.join(', ')}`,
  );
  for (const { text, since } of waiting.slice(0, mostShown)) out.data(`waits     ${since}  ${visible(text)}`);
  for (const { key, at } of told.slice(-mostShown)) out.data(`told      ${at}  ${visible(key)}`);
  const unsent = [...webhook.waiting, ...webhook.dead];
  for (const { text, tries, why = 'not tried yet' } of unsent.slice(0, mostShown))
    out.data(`not sent  ${visible(text.split('\n')[0] ?? '')}  (${tries} tries: ${visible(why)})`);
  if (webhook.dead.length > 0)
    out.talk('Mend the address; then docket notify test tries what was given up again.');
  return 0;
}
