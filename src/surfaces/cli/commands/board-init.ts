import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { dryRun } from '../frame/options.ts';

type Tools = Awaited<ReturnType<Docket['boardTools']>>;
type Of<K extends keyof Tools> = Awaited<ReturnType<Tools[K]>>;

export const command: Definition = {
  options: [
    { name: 'settings', summary: 'Also write the files with settings, as shipped' },
    dryRun('Show what would be made; change nothing'),
  ],
  notes: [
    'Settings: config/acceptance-policy.json and docs/protocol-config.json. Without',
    'them the defaults apply.',
  ],
  examples: ['docket board init', 'docket board init --settings --dry-run'],
  answer: json.one('The files of a board.', {
    root: json.text,
    files: v.array(
      json.like<Of<'init'>[number]>()(
        v.strictObject({ path: json.text, state: v.picklist(['there', 'made', 'missing']) }),
      ),
    ),
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const settings = args.options.has('settings');
  const { files, root } = await withDocket(context, async (docket) => ({
    files: await (await docket.boardTools()).init({ settings, dryRun }),
    root: docket.root,
  }));
  if (globals.json) {
    out.answer({ root, files, dryRun });
    return 0;
  }
  const words = {
    there: 'is there',
    made: dryRun ? 'would be made' : 'made',
    missing: 'not found; using defaults',
  };
  for (const { path, state } of files) out.data(`${path}: ${words[state]}`);
  if (files.some(({ state }) => state === 'missing')) out.talk('To write them: docket board init --settings');
  return 0;
}
