import { say } from '../board/answer.ts';
import { ownLocale, speaker, tellHeard } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'board', label: '[task]', min: 0, max: 1 },
  options: [...speaking, { name: 'all', summary: 'A longer list' }],
  notes: ['In your language: Chinese or Japanese where LANG says so, else English.'],
  examples: ['docket board status', 'docket board status T-001 --locale en'],
  answer: say('The board, or one of its tasks.'),
  run,
};

/** The board in a few lines, or one of its tasks. Nobody said anything whose language could be answered in. */
function run(context: Context): Promise<number> {
  const { args, world } = context;
  const about = args.operands[0] ?? (args.options.has('all') ? 'all' : '');
  const text = `status ${about}`.trim();
  return tellHeard({ text, locale: ownLocale(world.env), ...speaker(args) }, context);
}
