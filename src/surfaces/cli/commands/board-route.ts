import { route } from '../board/answer.ts';
import { tellRoute, textOf } from '../board/heard.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { speaking } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '<text…>', min: 0, max: Infinity },
  options: speaking,
  examples: ['docket board route "@debugger create task: look into T-001" --json'],
  answer: json.one('What a text means; nothing is done.', route),
  run,
};

async function run(context: Context): Promise<number> {
  return tellRoute(await textOf(context, 'board route'), context);
}
