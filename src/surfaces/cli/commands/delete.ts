import * as v from 'valibot';
import type { Removed } from '../../../kinds/queue/finished.ts';
import { last, personIn } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { showOnly } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

const removed = json.like<Omit<Removed, 'task'>>()(
  v.strictObject({
    ...json.short,
    workspace: json.maybe(json.text),
    branch: json.maybe(json.text),
    keptAs: json.maybe(json.text, 'The branch or file that has everything of it.'),
    already: json.maybe(json.yes),
    dryRun: json.dryRun,
  }),
);

export const command: Definition = {
  operand: { kind: 'text', names: 'queue', label: '<task…>', min: 1, max: Infinity },
  options: [
    {
      name: 'keep-as',
      summary: 'Save all of it but what git ignores under this name first',
      value: { kind: 'text', label: 'REF' },
    },
    showOnly,
  ],
  notes: [
    'All of them are looked at before the first one goes.',
    'Refused while somebody is at work in the workspace, and where work in it is not',
    'committed, or neither merged nor pushed. --keep-as saves all of it (but not what',
    'git ignores) to refs/docket/kept/REF; docket restore brings it back.',
  ],
  examples: ['docket delete fix-login fix-logout --dry-run', 'docket delete fix-login --keep-as fix-login'],
  answer: json.one('What was deleted; with one task its fields also stand by themselves.', {
    ...v.partial(removed).entries,
    tasks: v.array(removed),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const keepAs = last(args, 'keep-as');
  const dryRun = args.options.has('dry-run');
  const by = personIn(world.env);
  const removed = await withDocket(context, async (docket) =>
    (await docket.finished()).remove(args.operands, { dryRun, by, ...(keepAs !== undefined && { keepAs }) }),
  );
  if (globals.json) {
    const tasks = removed.map(asJson);
    out.answer({ ...(tasks.length === 1 && tasks[0]), tasks });
    return 0;
  }
  for (const one of removed) tell(one, context);
  if (dryRun) out.talk('Nothing was changed.');
  else {
    const ids = removed.map(({ task }) => task.id);
    out.talk(
      `To bring ${ids.length === 1 ? 'it' : 'one'} back: ${copyable(context, 'restore', ids[0] ?? '')}`,
    );
  }
  return 0;
}

function asJson({ task, ...done }: Removed): Record<string, unknown> {
  return { id: task.id, status: task.status, name: nameOf(task), ...done };
}

function tell({ task, dryRun, ...done }: Removed, { out }: Context): void {
  const name = nameOf(task);
  const word = dryRun ? 'would delete' : 'deleted';
  const parts = [done.workspace && `workspace ${done.workspace}`, done.branch && `branch ${done.branch}`];
  const more = parts.filter((part) => part !== undefined).join(', ');
  if (done.already) out.data(visible(`${name} was deleted already`));
  else out.data(visible(`${word} ${task.id} ${name}${more === '' ? '' : `: ${more}`}`));
  if (done.keptAs !== undefined)
    out.talk(
      visible(
        `${dryRun ? 'It would be kept' : 'It is kept'} as ${done.keptAs}, but for files that git ignores.`,
      ),
    );
}
