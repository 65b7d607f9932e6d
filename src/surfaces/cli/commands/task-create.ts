import type { CreateInput } from '../../../kinds/directory/api.ts';
import { last, needed } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { visible } from '../frame/visible.ts';
import { taskFields, withTasks } from '../task/fields.ts';
import { directory, openAnswer, openOne } from '../task/schema.ts';

export const command: Definition = {
  options: [
    { name: 'title', summary: 'What it is about', value: { kind: 'text', label: 'TEXT' } },
    {
      name: 'topology',
      summary: 'swarm: all at once; squad: milestone after milestone',
      value: { kind: 'oneOf', label: 'NAME', words: ['swarm', 'squad'] },
    },
    { name: 'description', summary: 'More about it', value: { kind: 'text', label: 'TEXT' } },
  ],
  notes: ['Prints its id. --title and --topology are needed.'],
  examples: [
    'docket task create --title "Port the parser" --topology swarm',
    'id=$(docket task create --title "Audit" --topology squad --quiet)',
  ],
  answer: openOne('The task directory that was made.', openAnswer(directory.about)),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const title = needed(args, 'title', 'task create');
  const topology = needed(args, 'topology', 'task create') as CreateInput['topology']; // the parser let no other word pass
  const description = last(args, 'description');
  const input = { title, topology, ...(description !== undefined && { description }) };
  const made = await withTasks(context, (tasks) => tasks.create(input));
  if (globals.json) out.answer(taskFields(made));
  else {
    out.data(visible(made.id));
    out.talk(`It is in ${visible(made.dir)}. Next: ${copyable(context, 'task', 'run', made.id)} --goal "…"`);
  }
  return 0;
}
