import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { visible } from '../frame/visible.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<cap> <number|none>', min: 2, max: 2 },
  options: [{ name: 'user', summary: 'In your own settings: a day there counts all projects' }],
  notes: [
    'A cap is SCOPE.UNIT. Scopes: attempt (one call), step, run, task, day, and',
    'providers.NAME (a day). Units: calls, tokens, money (US dollars), seconds.',
    'Tasks that it had blocked go on with: docket requeue <task>.',
  ],
  examples: [
    'docket budget set day.money 20',
    'docket budget set providers.claude.calls 100',
    'docket budget set task.tokens none',
  ],
  answer: json.one('The cap that holds now.', {
    key: json.text,
    value: json.described(v.nullable(v.number()), 'null: no cap.'),
    file: json.text,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [key = '', text = ''] = args.operands;
  const value = text === 'none' ? null : Number(text);
  if (value !== null && (text.trim() === '' || !Number.isFinite(value) || value < 0))
    throw new DocketError('USAGE', `"${text}" is no number`, 'write a number of 0 or more, or none', {
      value: text,
    });
  const scope = args.options.has('user') ? 'user' : 'project';
  const { file } = await withDocket(context, async (docket) =>
    (await docket.spending()).setBudget(key, value, scope),
  );
  if (globals.json) out.answer({ key, value, file });
  else out.talk(`${visible(key)} is ${value === null ? 'without a cap' : value} now (${visible(file)}).`);
  return 0;
}
