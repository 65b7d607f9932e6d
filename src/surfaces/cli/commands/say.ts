import { route, say } from '../board/answer.ts';
import { speaker, tellHeard, tellRoute, textOf } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
  options: [...speaking, { name: 'route', summary: 'Show what it means; do nothing' }],
  notes: [
    'English, Chinese, Japanese. "-" reads stdin. All commands: docket say help',
    'The answer is in the language of the text, or in that of --locale.',
  ],
  examples: [
    'docket say "create task: Fix the login"',
    'docket say "claim T-001" --as ann',
    'docket say 项目状态',
  ],
  answer: say('What the board understood, did and answered; with --route only what it understood.', [
    json.answer(route),
  ]),
  run,
};

/** One message to the board, in plain words. */
async function run(context: Context): Promise<number> {
  const { args } = context;
  const text = await textOf(context, 'say');
  return args.options.has('route')
    ? tellRoute(text, context)
    : tellHeard({ text, ...speaker(args) }, context);
}
