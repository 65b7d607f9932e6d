import { DocketError } from '../../../errors.ts';
import { withApp, type Context } from '../context.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [provider = ''] = args.operands;
  const opened = await withApp(context, async (app) => (await app.spending()).openLimit(provider));
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
