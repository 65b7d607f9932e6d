import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { tellFindings } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import { onePacket } from '../frame/options.ts';
import { withPackets } from '../packet/running.ts';
import { named } from '../task/fields.ts';

export const command: Definition = {
  operand: onePacket,
  options: [],
  notes: ['Nothing is changed. Exit code: 0 no errors, 2 errors.'],
  examples: ['docket packet validate <packet>'],
  answer: json.one(
    'What is wrong with a packet.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  return tellFindings(await withPackets(context, (packets) => packets.validate(named(context))), context);
}
