import type { KindName } from '../../../task/kind-names.ts';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { layoutOption } from '../frame/options.ts';
import { viewAnswer, viewFields } from '../view/fields.ts';
import { lookOf, viewLines } from '../view/lines.ts';

export const command: Definition = {
  options: [
    layoutOption,
    { name: 'all', summary: 'Every row, also where a screen has no room for it' },
    { name: 'watch', summary: 'Go on showing it as it changes, until Ctrl-C' },
  ],
  notes: [
    'All layouts: queue, task directories, packets, board. What is stuck and what',
    'needs you come first, each with its next command. "Running" means that a',
    'live process holds the task.',
    'Exit code: 0, whatever there is to see. For scripts: docket needs-me --exit-code',
  ],
  examples: [
    'docket status',
    'docket status --all',
    'docket status --watch',
    "docket status --json | jq '.running[].name'",
    'docket status --watch --json    # one JSON value per change',
  ],
  answer: json.stream(
    'Everything of the workspace at one moment: what is stuck, what needs a person, what runs, what waits, what it cost. With --watch a line whenever something is another than before.',
    'With --watch a stream',
    [json.answer(viewAnswer), json.refusal()],
  ),
  run,
};

/** The answer is what there is: that something is stuck is no failure of this command. */
async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const query = layoutOf(context);
  if (args.options.has('watch')) return (await import('../view/watch.ts')).watch(context, query);
  const view = await withDocket(context, async (docket) => (await docket.view()).look(query));
  if (globals.json) out.answer(viewFields(view, context));
  else if (view.layouts.length === 0 && view.findings.length === 0) await teach(context, query.layout);
  else out.data(viewLines(view, lookOf(context), { all: args.options.has('all') }).join('\n'));
  return 0;
}

export function layoutOf({ args }: Context): { layout?: KindName } {
  const layout = last(args, 'layout') as KindName | undefined; // the parser let no other word pass
  return layout === undefined ? {} : { layout };
}

async function teach(context: Context, layout: KindName | undefined): Promise<void> {
  const { out } = context;
  out.data(layout === undefined ? 'Nothing here yet.' : `No ${layout} here yet.`);
  const { nextOf } = await import('../../../project/tasks/next.ts');
  if (layout !== undefined) return out.talk(`First: ${String(nextOf(layout).first)}`);
  const isSetUp = await withDocket(context, (docket) => docket.isSetUp());
  out.talk(
    [
      'First steps:',
      ...(isSetUp ? [] : ['  docket init                            settings for this project']),
      `  ${String(nextOf('queue').first)}  your first task`,
      '  docket run                             run it with your agent',
      '  docket demo                            or see all of it work first',
    ].join('\n'),
  );
}
