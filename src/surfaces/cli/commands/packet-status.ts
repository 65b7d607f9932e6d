import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { onePacket } from '../frame/options.ts';
import { packet } from '../packet/answer.ts';
import { statusFields } from '../packet/fields.ts';
import { withPackets } from '../packet/running.ts';
import { showLines } from '../packet/show.ts';
import { named } from '../task/fields.ts';

export const command: Definition = {
  operand: onePacket,
  options: [],
  notes: ['Also one that is archived. Nothing is changed.'],
  examples: ['docket packet status <packet>', 'docket packet status <packet> --json | jq .stages'],
  answer: json.one('A packet and its stages.', {
    ...packet,
    next: json.maybe(json.text, 'The command that goes on with it.'),
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const packet = await withPackets(context, (packets) => packets.show(named(context)));
  if (globals.json) out.answer(statusFields(packet, context));
  else out.data(showLines(packet, context).join('\n'));
  return 0;
}
