import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';

export const command: Definition = {
  options: [],
  examples: ['docket skill show', 'docket skill show > SKILL.md'],
  answer: json.one('What docket skill install writes.', { name: json.text, text: json.text }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const text = await withDocket(context, async (docket) => (await docket.skill()).text());
  if (globals.json) out.answer({ name: 'docket', text });
  else out.data(text.trimEnd());
  return 0;
}
