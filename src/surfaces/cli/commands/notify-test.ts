import * as v from 'valibot';
import type { Tried } from '../../../project/notify/notices.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

const tried = {
  tried: v.array(
    json.like<Tried>()(
      v.strictObject({
        way: v.picklist(['terminal', 'desktop', 'webhook', 'chat']),
        ok: json.flag,
        text: json.text,
      }),
    ),
  ),
};

export const command: Definition = {
  options: [],
  notes: ['Exit code 1: one of them does not work, and it says why.'],
  examples: ['docket notify test', 'docket notify test --json'],
  answer: json.one('Every way by which people are told, tried once.', tried, { beside: tried }),
  run,
};

async function run(context: Context): Promise<number> {
  const { out, globals } = context;
  const tried = await withDocket(context, async (docket) => (await docket.notices()).test());
  const failed = tried.filter(({ ok }) => !ok);
  if (globals.json) {
    if (failed.length === 0) out.answer({ tried });
    else
      out.refuse(
        {
          code: 'IO',
          message: `not every way works: ${failed.map(({ way, text }) => `${way} (${text})`).join(', ')}`,
          fix: 'mend "notify" in .docket/config.yaml (docs/notify.md), then try again: docket notify test',
          data: {},
        },
        { tried },
      );
    return failed.length === 0 ? 0 : 1;
  }
  for (const { way, ok, text } of tried)
    out.data(`${way.padEnd(8)}  ${ok ? 'ok' : 'failed'}  ${visible(text)}`);
  if (tried.length === 0)
    out.talk('No way is set up from here: write "notify:" into .docket/config.yaml (docs/notify.md)');
  return failed.length === 0 ? 0 : 1;
}
