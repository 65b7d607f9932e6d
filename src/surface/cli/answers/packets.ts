import { z } from 'zod';
import type { PacketPlan, Retained } from '../../../kinds/packet/api.ts';
import { answer, one, refusal, stream, type Published } from './answer.ts';
import { packet } from './packet-parts.ts';
import { count, dryRun, findings, flag, id, like, text } from './parts.ts';
import { progress, withStream } from './progress.ts';

const ran = {
  ...packet,
  interrupted: flag,
  summary: text.describe('The file to look at first.'),
  results: text.exactOptional(),
};
const plan = {
  id,
  ...like<PacketPlan>()(
    z.strictObject({
      profile: text,
      stages: z.array(z.strictObject({ stage: text, model: text, runs: flag, why: text })),
    }),
  ).shape,
};
const retained = like<Retained>()(
  z.strictObject({
    id,
    from: z.enum(['task', 'archive']),
    action: z.enum(['archive', 'delete', 'keep']),
    why: text,
  }),
);

const ends = 'It fails, with the packet beside the error, when a stage did not end well.';
const streamed = (about: string) =>
  stream(`${about} ${ends}`, withStream, [...progress, answer(ran), answer(plan), refusal(ran)]);
const run = (about: string) =>
  one(`${about} ${ends}`, ran, {
    beside: ran,
    or: [answer(plan)],
  });

export const packets: Readonly<Record<string, Published>> = {
  'packet new': one('The packet that was made.', packet),
  'packet run': streamed('The packet after its stages; with --dry-run what each of them would do.'),
  'packet resume': streamed('The same as docket packet run.'),
  'packet cancel': one('The packet that was given up.', packet),
  'packet status': one('A packet and its stages.', {
    ...packet,
    next: text.exactOptional().describe('The command that goes on with it.'),
  }),
  'packet list': one('All packets.', { packets: z.array(z.strictObject(packet)), findings }),
  'packet review': run('The packet that reviewed; `results` is the folder with what it found.'),
  'packet config': one('What is in force, and the file that each value comes from.', {
    id: id.exactOptional(),
    config: z.record(text, z.unknown()).describe('The format’s own settings.'),
    sources: z.record(text, text).describe('By key: the file, or "default".'),
  }),
  'packet validate': one('What is wrong with a packet.', { findings }, { beside: { findings } }),
  'packet archive': one(
    'The packets that went to .tmp/archive; with --policy what the policy makes of each.',
    { archived: z.array(id), dryRun },
    { or: [answer({ packets: z.array(retained), dryRun })] },
  ),
  'packet delete': one('The packet that is gone for good.', { id, files: count, dryRun }),
  'packet dispatch': run('As docket packet run, with the exit codes of the original dispatcher.'),
};
