import * as v from 'valibot';
import { someNames } from '../../../errors/some-names.ts';
import type { Docket } from '../../../project/docket.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { dryRun } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

type Tools = Awaited<ReturnType<Docket['boardTools']>>;
type Of<K extends keyof Tools> = Awaited<ReturnType<Tools[K]>>;

export const command: Definition = {
  options: [dryRun('Show how they differ; change nothing')],
  notes: ['docket does this by itself when the snapshot is missing or broken.'],
  examples: ['docket board rebuild --dry-run', 'docket board rebuild'],
  answer: json.one('How the snapshot differed from the log.', {
    ...json.like<Of<'rebuild'>>()(
      v.strictObject({
        path: json.text,
        events: json.count,
        tasks: json.count,
        missing: json.described(json.texts, 'Ids that the log has and the snapshot had not.'),
        unknown: json.described(json.texts, 'Ids that the snapshot had and the log has not.'),
        changed: json.texts,
        broken: json.maybe(v.picklist(['missing', 'unreadable'])),
        same: json.described(json.flag, 'The snapshot says what the log says.'),
        written: json.flag,
      }),
    ).entries,
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const dryRun = args.options.has('dry-run');
  const found = await withDocket(context, async (docket) => (await docket.boardTools()).rebuild({ dryRun }));
  if (globals.json) {
    out.answer({ ...found, dryRun });
    return 0;
  }
  const { path, tasks, events, broken, missing, unknown, changed, same, written } = found;
  const told = [
    ...(broken === undefined ? [] : [`it was ${broken}`]),
    ...listed('the log has, it had not', missing),
    ...listed('it had, the log has not', unknown),
    ...listed('said otherwise', changed),
  ];
  out.data(
    `${path}: ${tasks} tasks from ${events} events; ${same ? 'it says the same' : told.map(visible).join('; ')}`,
  );
  out.talk(written ? 'Written anew.' : 'Nothing was changed.');
  return 0;
}

function listed(what: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  return [`${what}: ${someNames(ids, 10)}`];
}
