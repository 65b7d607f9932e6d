import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { queueTask } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  operand: queueTask,
  options: [
    { name: 'draft', summary: 'As a draft' },
    { name: 'title', summary: 'Default: the title of the task', value: { kind: 'text', label: 'TEXT' } },
    { name: 'body', summary: 'Default: what was done', value: { kind: 'text', label: 'TEXT' } },
    { name: 'remote', summary: 'Default: origin', value: { kind: 'text', label: 'NAME' } },
  ],
  notes: [
    'Through gh. Never by force. One that is open already is only told. Edits by hand',
    'in the workspace are committed, and the acceptance commands run again first.',
  ],
  examples: ['docket pr fix-login --draft'],
  answer: json.one('The pull request of a task.', {
    ...json.short,
    url: json.text,
    isNew: json.described(json.flag, 'False: it was open already, and the branch is pushed.'),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const title = last(args, 'title');
  const body = last(args, 'body');
  const { task, url, isNew } = await withDocket(context, async (docket) =>
    (await docket.finished()).pullRequest(ref, {
      remote: last(args, 'remote') ?? 'origin',
      draft: args.options.has('draft'),
      ...(title !== undefined && { title }),
      ...(body !== undefined && { body }),
    }),
  );
  if (globals.json) out.answer({ id: task.id, status: task.status, name: nameOf(task), url, isNew });
  else {
    out.data(visible(url));
    if (!isNew) out.talk('It was open already; the branch is pushed.');
  }
  return 0;
}
