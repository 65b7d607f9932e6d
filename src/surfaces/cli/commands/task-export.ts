import { resolve } from 'node:path';
import * as v from 'valibot';
import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { oneTask } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { named, withTasks } from '../task/fields.ts';

export const command: Definition = {
  operand: oneTask,
  options: [
    {
      name: 'output',
      summary: 'Write it here (default: <task>.tar.gz in this folder)',
      value: { kind: 'file', label: 'FILE' },
    },
  ],
  notes: ['Vendor homes, logins and locks stay behind. Prints the name of the archive.'],
  examples: ['docket task export <task>', 'docket task export <task> --output /tmp/parser.tar.gz'],
  answer: json.one('The archive that was written.', {
    id: json.id,
    file: json.text,
    files: json.count,
    left: json.described(v.array(json.text), 'What was left behind: logins, locks.'),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const id = named(context);
  const output = resolve(world.cwd, last(args, 'output') ?? `${id}.tar.gz`);
  const { file, files, left } = await withTasks(context, (tasks) => tasks.export(id, { file: output }));
  if (globals.json) out.answer({ id, file, files, left });
  else {
    out.data(visible(file));
    const behind = left.length === 0 ? '' : `; left behind: ${left.map(visible).join(', ')}`;
    out.talk(`${files} files${behind}`);
  }
  return 0;
}
