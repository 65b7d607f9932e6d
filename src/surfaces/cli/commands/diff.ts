import * as v from 'valibot';
import type { Diff, Others } from '../../../kinds/queue/finished.ts';
import { usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { queueTask } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

const diff = json.like<Omit<Diff, 'task'>>()(
  v.strictObject({
    ...json.short,
    form: v.picklist(['patch', 'stat', 'names']),
    text: json.described(json.text, 'As git prints it; empty: nothing changed.'),
    base: json.described(json.text, 'What it was compared with.'),
    workspace: json.maybe(json.text),
    inPlace: json.maybe(json.yes),
    others: json.maybe(
      json.described(
        v.strictObject({
          since: json.maybe(json.yes),
          leftOut: json.maybe(json.texts),
          before: json.maybe(json.texts),
        }),
        'Where its work cannot be told from that of others.',
      ),
    ),
  }),
).entries;

export const command: Definition = {
  operand: queueTask,
  options: [
    { name: 'stat', summary: 'Count lines by file' },
    { name: 'name-only', summary: 'Names of files only' },
  ],
  notes: [
    'Since its branch began, with what is not committed yet. Of a task that ran in',
    'place: what its steps changed; files that were touched again since are named.',
  ],
  examples: ['docket diff fix-login', 'docket diff fix-login --stat'],
  answer: json.one('What a task changed.', diff),
  run,
};

/** It ran where others work, too. */
function remarks({ since, leftOut, before }: Others = {}): string[] {
  const names = (files: readonly string[]) => {
    const more = files.length > mostNames ? ` and ${files.length - mostNames} more` : '';
    return files.slice(0, mostNames).map(visible).join(', ') + more;
  };
  return [
    ...(since
      ? [
          'It ran in place, and how it left these files was not noted: if others changed them since, that is in it, too.',
        ]
      : []),
    ...(before
      ? [`It ran in place, on changes that were not committed, and they are in it, too: ${names(before)}`]
      : []),
    ...(leftOut
      ? [`It ran in place. Left out, because touched again since (see git diff): ${names(leftOut)}`]
      : []),
  ];
}

const mostNames = 20;

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const [ref = ''] = args.operands;
  const stat = args.options.has('stat');
  const names = args.options.has('name-only');
  if (stat && names) throw usage('--stat and --name-only are two answers', 'give one of them', 'diff');
  const form = stat
    ? 'stat'
    : names
      ? 'names'
      : world.stdout.isTTY === true && !globals.json
        ? 'view'
        : 'patch';
  const diff = await withDocket(context, async (docket) => (await docket.finished()).diff(ref, form));
  const { task, text, ...rest } = diff;
  if (globals.json) out.answer({ id: task.id, status: task.status, name: nameOf(task), form, text, ...rest });
  else if (text === '' && rest.others?.leftOut === undefined) out.talk('It changed nothing.');
  else if (text !== '') {
    // A file may hold anything, and a terminal obeys; a program gets what git said.
    const lines = text.replace(/\n$/, '').split('\n');
    out.data(world.stdout.isTTY === true ? lines.map(visible).join('\n') : lines.join('\n'));
  }
  if (!globals.json) for (const line of remarks(rest.others)) out.talk(line);
  return 0;
}
