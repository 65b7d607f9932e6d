import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { onePacket, textOption } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { packet } from '../packet/answer.ts';
import { packetFields } from '../packet/fields.ts';
import { withPackets } from '../packet/running.ts';
import { named } from '../task/fields.ts';

export const command: Definition = {
  operand: onePacket,
  options: [textOption('reason', 'Why, for the log')],
  notes: ['What is done stays in its folder. docket packet run takes it up again.'],
  examples: ['docket packet cancel <packet> --reason "Not wanted any more"'],
  answer: json.one('The packet that was given up.', packet),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const reason = last(args, 'reason');
  const input = reason === undefined ? {} : { reason };
  const packet = await withPackets(context, (packets) => packets.cancel(named(context), input));
  if (globals.json) out.answer(packetFields(packet));
  else out.data(`${visible(packet.id)} is ${packet.status}`);
  return 0;
}
