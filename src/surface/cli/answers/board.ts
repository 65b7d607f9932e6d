import { z } from 'zod';
import type { App } from '../../../app.ts';
import { answer, one, refusal, stream, type Published } from './answer.ts';
import { outcome } from './board-parts.ts';
import { count, dryRun, findings, flag, like, text, yes } from './parts.ts';
import { progress, withStream } from './progress.ts';

type Tools = Awaited<ReturnType<App['boardTools']>>;
type Board = Awaited<ReturnType<App['board']>>;
type Of<K extends keyof Tools> = Awaited<ReturnType<Tools[K]>>;
const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const texts = z.array(text);

/** What is wanted, and what with it: which of the fields there are depends on the intent. */
const wanted = {
  intent: text.describe('What was understood, such as create_task, claim_task, mark_done, status.'),
  taskId: opt(text),
  title: opt(text),
  needs: opt(texts),
  steal: opt(yes),
  result: opt(text),
  reason: opt(text),
  summary: opt(text),
  reviewer: opt(text),
  note: opt(text),
  full: opt(yes),
  name: opt(text),
  items: opt(texts),
  path: opt(text),
  steps: opt(count),
  action: opt(z.enum(['on', 'off', 'status'])),
  role: opt(text),
  text: opt(text),
  question: opt(text),
  raw: opt(text),
  suggestion: opt(text),
};

type Told = Awaited<ReturnType<Board['say']>>['notices'][number];
const button = z.strictObject({
  label: text,
  look: z.enum(['plain', 'good', 'bad']),
  press: z.strictObject({ taskId: text, action: text, times: count }),
});
const notice = like<Told>()(
  z.strictObject({
    key: text.describe('The same whenever it is made again.'),
    seq: count.describe('The line of the log that it comes from; 0: it stands in no log.'),
    taskId: text,
    text,
    from: opt(text),
    card: opt(z.strictObject({ title: text, lines: texts, buttons: z.array(button) })),
  }),
);

const heard = {
  ...wanted,
  outcome,
  reply: text.describe('The answer, in one to three lines.'),
  notices: z.array(notice).describe('What others are told.'),
  acceptance: opt(z.strictObject({ ok: flag, reasonCode: text, reason: text })).describe(
    'Of an attempt to finish.',
  ),
  queued: opt(flag).describe('Whether a chat passes on what stands in no log.'),
};

const route = {
  intent: z.strictObject(wanted),
  overrideAgent: opt(text),
  actor: text,
  locale: z.enum(['en', 'zh', 'ja']),
  addressed: flag.describe('The orchestrator is mentioned.'),
};

const ends = 'It fails, with the same beside the error, when the board did not do it.';
const say = (about: string, or: readonly z.ZodType[] = []) =>
  one(`${about} ${ends}`, heard, {
    beside: heard,
    or,
  });

const streamed = (about: string) =>
  stream(`${about} ${ends}`, withStream, [...progress, answer(heard), refusal(heard)]);

type Lock = Of<'unlock'>[number];
const lock = like<Lock>()(
  z.strictObject({
    path: text,
    kind: z.enum(['board', 'run']),
    owner: opt(text),
    pid: opt(count),
    createdAt: opt(text),
    expiresAtTs: opt(z.number()),
    stale: flag,
    reason: z.enum(['held', 'expired', 'dead', 'unreadable']),
    ownerDead: flag,
  }),
);

const size = z.strictObject({ events: count, bytes: count });

export const board: Readonly<Record<string, Published>> = {
  say: say('What the board understood, did and answered; with --route only what it understood.', [
    answer(route),
  ]),
  'board status': say('The board, or one of its tasks.'),
  'board synthesize': say('What came of the work.'),
  'board apply': say('As docket say.'),
  'board route': one('What a text means; nothing is done.', route),
  'board dispatch': streamed('The task that was given to an agent.'),
  'board clarify': say('The question that was asked.'),
  'board autopilot': streamed('The tasks that were given to workers.'),
  'board init': one('The files of a board.', {
    root: text,
    files: z.array(
      like<Of<'init'>[number]>()(z.strictObject({ path: text, state: z.enum(['there', 'made', 'missing']) })),
    ),
    dryRun,
  }),
  'board validate': one('What is wrong with a board.', { findings }, { beside: { findings } }),
  'board rebuild': one('How the snapshot differed from the log.', {
    ...like<Of<'rebuild'>>()(
      z.strictObject({
        path: text,
        events: count,
        tasks: count,
        missing: texts.describe('Ids that the log has and the snapshot had not.'),
        unknown: texts.describe('Ids that the snapshot had and the log has not.'),
        changed: texts,
        broken: opt(z.enum(['missing', 'unreadable'])),
        same: flag.describe('The snapshot says what the log says.'),
        written: flag,
      }),
    ).shape,
    dryRun,
  }),
  'board compact': one('The log before and after, and where the old one is.', {
    ...like<Of<'compact'>>()(z.strictObject({ before: size, after: opt(size), archive: text, written: flag }))
      .shape,
    dryRun,
  }),
  'board unlock': one('Locks that nobody has any more.', { locks: z.array(lock), dryRun }),
};
