import { z } from 'zod';
import type { EndedStray, PsEntry } from '../../../app/ps/api.ts';
import { answer, one, type Published } from './answer.ts';
import { count, dryRun, findings, flag, id, layout, like, text, time } from './parts.ts';

const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const texts = z.array(text);

const entry = like<PsEntry>()(
  z.strictObject({
    state: z
      .enum(['running', 'stray', 'suspect'])
      .describe('stray: no docket runs it. suspect: nobody can say whose it is.'),
    layout: opt(layout),
    task: opt(id),
    name: opt(text).describe('What people call a task of the queue.'),
    step: opt(text),
    attempt: opt(count),
    agent: text,
    pid: count,
    pids: z.array(count),
    since: opt(time),
    cpuSeconds: z.number(),
    cpuPercent: z.number(),
    rssBytes: count,
    ports: z.array(count).describe('TCP ports that it listens on.'),
    last: opt(z.strictObject({ what: text, at: time })).describe('The last thing that it said.'),
    why: opt(text),
    goOn: opt(text).describe('The command that goes on with it.'),
    end: opt(text).describe('The command that ends it.'),
  }),
);
const ended = like<EndedStray>()(entry.extend({ ended: flag, problem: opt(text) }));
const strays = { processes: z.array(ended), dryRun };

const words = z.looseObject({ kind: text, label: text }).describe('What may stand there.');
const option = z.strictObject({
  name: text,
  short: opt(text),
  summary: text,
  value: opt(words).describe('Absent for a flag.'),
  inline: opt(z.strictObject({ label: text })),
});
const command = z
  .strictObject({
    name: text,
    group: text,
    summary: text,
    usage: text,
    options: z.array(option),
    notes: texts,
    examples: texts,
  })
  .meta({ id: 'command' });
const group = z.strictObject({ name: text, group: text, summary: text, notes: texts, examples: texts });
const exitCodes = z.array(z.strictObject({ code: count, meaning: text }));
const errors = z.array(z.strictObject({ code: text, exitCode: opt(count), meaning: text, advice: text }));

export const around: Readonly<Record<string, Published>> = {
  ps: one(
    'What really runs for the tasks here; with --end-strays what was ended, and an error when something could not be.',
    { processes: z.array(entry) },
    { or: [answer(strays)], beside: strays },
  ),
  validate: one(
    'What is wrong with files; it fails when one is in error.',
    { findings },
    {
      beside: { findings },
    },
  ),
  completion: one('The script for a shell.', {
    shell: z.enum(['bash', 'zsh', 'fish', 'powershell']),
    script: text,
  }),
  help: one(
    'All commands; about a command, a group, exit codes or errors just those. The same with --help.',
    { commands: z.array(command), options: z.array(option), exitCodes },
    {
      or: [
        answer({ command }),
        answer({ group, commands: z.array(command) }),
        answer({ exitCodes }),
        answer({ errors }),
      ],
    },
  ),
  version: one('The version; the rest is for bug reports, and not with --version.', {
    version: text,
    node: opt(text),
    platform: opt(text),
    arch: opt(text),
  }),
};
