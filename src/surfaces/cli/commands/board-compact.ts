import * as v from 'valibot';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { dryRun } from '../frame/options.ts';

type Tools = Awaited<ReturnType<Docket['boardTools']>>;
type Of<K extends keyof Tools> = Awaited<ReturnType<Tools[K]>>;
const size = v.strictObject({ events: json.count, bytes: json.count });

export const command: Definition = {
  options: [dryRun('Show what would be put away; change nothing')],
  notes: [
    'The old log goes to state/archive/; the new one begins with every task as it',
    'is, in lines that other tools of the format read too.',
  ],
  examples: ['docket board compact --dry-run', 'docket board compact'],
  answer: json.one('The log before and after, and where the old one is.', {
    ...json.like<Of<'compact'>>()(
      v.strictObject({ before: size, after: json.maybe(size), archive: json.text, written: json.flag }),
    ).entries,
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const done = await withDocket(context, async (docket) => (await docket.boardTools()).compact({ dryRun }));
  if (globals.json) {
    out.answer({ ...done, dryRun });
    return 0;
  }
  const { before, after, archive } = done;
  const size = ({ events, bytes }: typeof before) => `${events} events, ${bytes} bytes`;
  if (before.events === 0) out.data('state/tasks.jsonl is empty: there is nothing to put away');
  else if (after) out.data(`state/tasks.jsonl: ${size(before)} → ${size(after)}; the old log is ${archive}`);
  else out.data(`state/tasks.jsonl: ${size(before)}; it would become ${archive}, whole`);
  if (!done.written) out.talk('Nothing was changed.');
  return 0;
}
