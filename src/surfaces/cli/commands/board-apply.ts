import { say } from '../board/answer.ts';
import { speaker, tellHeard, textOf } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
  options: speaking,
  notes: ['"-" reads stdin. Exit code: 3 no such task, 4 refused, 5 the gate held it.'],
  examples: ['docket board apply "claim task T-001" --as ann', 'docket board apply - < message.txt'],
  answer: say('As docket say.'),
  run,
};

/** The same as say, under the name that scripts of the format know. */
async function run(context: Context): Promise<number> {
  return tellHeard({ text: await textOf(context, 'board apply'), ...speaker(context.args) }, context);
}
