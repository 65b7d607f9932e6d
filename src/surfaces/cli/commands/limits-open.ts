import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<provider>', min: 1, max: 1 },
  options: [],
  examples: ['docket limits open claude'],
  answer: json.one('Providers that may be asked again.', { provider: json.text, opened: v.array(json.text) }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [provider = ''] = args.operands;
  const opened = await withDocket(context, async (docket) => (await docket.spending()).openLimit(provider));
  if (opened.length === 0)
    throw new DocketError(
      'NOT_FOUND',
      `the provider "${provider}" is not left alone`,
      'docket limits shows those that are',
      { provider },
    );
  if (globals.json) out.answer({ provider, opened });
  else
    out.talk(
      `${visible(opened.join(', '))} may be asked again; what waits for it goes on with the next run.`,
    );
  return 0;
}
