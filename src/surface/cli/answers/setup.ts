import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { DemoEnd } from '../../../app/demo/play.ts';
import { agents } from './agents.ts';
import { one, type Published } from './answer.ts';
import { count, dryRun, flag, like, next, text } from './parts.ts';

type Done = Awaited<ReturnType<App['init']>>;
type Seen = Awaited<ReturnType<App['doctor']>>[number];
type Repaired = Awaited<ReturnType<App['repair']>>[number];
const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const texts = z.array(text);

const git = like<Done['git']>()(
  z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('missing') }),
    z.strictObject({ state: z.literal('none') }),
    z.strictObject({ state: z.literal('refused'), why: text }),
    z.strictObject({
      state: z.literal('ok'),
      top: text,
      branch: opt(text),
      hasCommit: flag,
      busy: opt(text).describe('A merge or rebase that is half done.'),
    }),
  ]),
);

const init = like<Done>()(
  z.strictObject({
    git,
    tooling: z.strictObject({ managers: texts, tests: texts }),
    agents,
    files: z.array(
      z.strictObject({
        path: text,
        state: z.enum(['made', 'updated', 'there']),
        text: opt(text).describe('What a dry run would have written.'),
      }),
    ),
    notes: texts,
    next: z.array(next),
  }),
).shape;

const about = { check: text, what: text, where: opt(text) };
const seen = like<Seen>()(
  z.discriminatedUnion('state', [
    z.strictObject({ ...about, state: z.literal('ok') }),
    z.strictObject({
      ...about,
      state: z.enum(['warn', 'bad']),
      fix: text,
      command: text.describe(
        'A line to type in the root: it mends it, or opens the place where only a person can.',
      ),
    }),
  ]),
);
const doctor = { root: text, findings: z.array(seen) };

const repaired = like<Repaired>()(
  z.strictObject({
    name: text,
    path: text,
    events: count.describe('Those that can be read.'),
    missing: count.describe('Events that docket had acknowledged and that are not there any more.'),
    dropped: z
      .array(z.strictObject({ line: count, text, file: text.exactOptional() }))
      .describe('Lines that are set aside.'),
    byHand: texts.describe('Tasks that become done by hand, not proved.'),
    lost: texts.describe('Tasks that only people’s files still know.'),
    needed: flag,
    applied: flag,
    copies: texts.describe('Where what was replaced is kept.'),
  }),
);

const demo = {
  ...like<Omit<DemoEnd, 'problem'>>()(
    z.strictObject({
      outcome: z.enum(['done', 'failed', 'stopped']),
      agent: text,
      folder: text,
      repository: text,
      kept: flag.describe('The folder is there to be looked at.'),
      command: text.describe('What to type for docket there.'),
      env: z.record(text, text).describe('What docket needs in its environment there.'),
    }),
  ).shape,
  seconds: z.number(),
  commands: z.array(z.strictObject({ line: text, code: z.int(), seconds: z.number() })),
  checked: texts.describe('What was looked at, and is so.'),
};

const skillFiles = {
  files: z.array(
    z.strictObject({
      path: text,
      state: z.enum(['made', 'same', 'updated', 'kept', 'replaced']),
      backup: opt(text),
    }),
  ),
  dryRun,
};

export const setup: Readonly<Record<string, Published>> = {
  init: one('What was made and found, and which commands come next.', { root: text, dryRun, ...init }),
  doctor: one('What is well and what is not; it fails when something is bad.', doctor, { beside: doctor }),
  repair: one('Logs that lost something, and what was or would be done.', { logs: z.array(repaired) }),
  demo: one('What the demonstration did; it fails when something was not as it should be.', demo, {
    beside: demo,
  }),
  mcp: one(
    'With --print-config only: how clients are told of the server. Else docket mcp speaks the Model Context Protocol on stdin and stdout.',
    { root: text, configs: z.array(z.strictObject({ client: text, how: text, text })) },
  ),
  'skill install': one('The files that teach agents; it fails when one was edited and is left.', skillFiles, {
    beside: skillFiles,
  }),
  'skill show': one('What docket skill install writes.', { name: text, text }),
};
