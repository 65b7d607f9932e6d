import * as v from 'valibot';
import { personIn, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { trustLine } from '../frame/trust-line.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  operand: { kind: 'text', names: ['any'], label: '<task> [high|low]', min: 1, max: 2 },
  options: [],
  notes: [
    'What comes from an issue, a chat or an agent is low: it runs in a sandbox,',
    'without keys, push or network beyond its provider. Read it before you say high.',
  ],
  examples: ['docket trust issue-12', 'docket trust issue-12 high'],
  answer: json.one('Whether its words are vouched for.', {
    ...json.short,
    kind: json.layout,
    trust: v.strictObject({
      level: v.picklist(['high', 'low']),
      source: json.described(json.text, 'Where the words come from: person, file, issue, chat, agent.'),
      author: json.maybe(json.text),
      by: json.maybe(json.text, 'The person who decided about the level.'),
    }),
  }),
  run,
};

/** Whether a task is vouched for; with a level, a person decides it. */
async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const [ref = '', level] = args.operands;
  if (level !== undefined && level !== 'high' && level !== 'low')
    throw usage(`"${level}" is no level of trust`, 'say high or low', 'trust');
  const by = personIn(world.env);
  const { kind, name, task } = await withDocket(context, (docket) =>
    level === undefined ? docket.find(ref) : docket.trust(ref, { level, by }),
  );
  const { id, status, trust } = task;
  if (globals.json)
    out.answer({ kind, id, name, status, trust: trust ?? { level: 'high', source: 'person' } });
  else out.data(`${visible(id)}: ${visible(trustLine(task))}`);
  return 0;
}
