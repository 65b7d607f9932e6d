import type { Definition } from '../frame/command.ts';
import { onePacket, packetExits } from '../frame/options.ts';
import { streamed } from '../packet/answer.ts';
import { run, runOptions } from './packet-run.ts';

export const command: Definition = {
  operand: onePacket,
  options: runOptions,
  notes: ['The same as docket packet run.', packetExits],
  examples: ['docket packet resume <packet>'],
  answer: streamed('The same as docket packet run.'),
  run,
};
