import { say } from '../board/answer.ts';
import { speaker, tellHeard } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'board', label: '[task]', min: 0, max: 1 },
  options: speaking,
  examples: ['docket board synthesize', 'docket board synthesize T-001'],
  answer: say('What came of the work.'),
  run,
};

/** What came of the work, a line per task. */
function run(context: Context): Promise<number> {
  const { args } = context;
  return tellHeard({ text: `synthesize ${args.operands[0] ?? ''}`.trim(), ...speaker(args) }, context);
}
