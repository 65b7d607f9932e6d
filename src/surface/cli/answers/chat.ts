import { z } from 'zod';
import type { ChatNews, MailEntry, MailStatus } from '../../../app/chat/api.ts';
import { answer, one, refusal, stream, v, type Published } from './answer.ts';
import { count, dryRun, flag, like, text, time } from './parts.ts';

const opt = <S extends z.ZodType>(schema: S) => schema.exactOptional();
const line = <K extends ChatNews['kind'], S extends z.ZodRawShape>(kind: K, fields: S) =>
  z.strictObject({ v, at: time, kind: z.literal(kind), ...fields });

const news = [
  line('ready', { where: text }),
  line('connection', { state: z.enum(['lost', 'back']) }),
  line('ignored', { why: z.enum(['group', 'own', 'unreadable']), group: text }),
  line('refused', { why: text }),
  line('trouble', { text }),
  line('retry', { group: text, why: text, inMs: z.number() }),
  line('given-up', { group: text, why: text }),
  line('unreadable', { file: text }),
  line('heard', {
    id: text,
    group: text,
    by: text,
    intent: text,
    outcome: text,
    taskId: opt(text),
  }),
  line('told', { group: text, key: text, taskId: text }),
  line('autopilot', { taskId: text, outcome: text }),
] as const;
const allNews = like<ChatNews>()(z.union(news));

const checked = answer({
  dryRun,
  channel: text,
  where: text,
  groups: z.array(text),
  roles: z.array(text),
  botId: opt(text),
});
const serve = stream(
  'What happens while a chat is served, until it is told to end; with --dry-run whether its settings are right.',
  'Without --dry-run a stream',
  [...allNews.options, checked, refusal()],
);

const entry = like<MailEntry>()(
  z
    .strictObject({ key: text, group: text, text, tries: count, why: opt(text) })
    .meta({ id: 'mail', description: 'A message, and why it has not come through.' }),
);
const entries = z.array(entry);

export const chat: Readonly<Record<string, Published>> = {
  'chat feishu': serve,
  'chat webhook': serve,
  'chat status': one(
    'What of the board’s mail is on its way, and what was given up.',
    like<MailStatus>()(
      z.strictObject({
        served: flag.describe('A docket serves a chat for this board now.'),
        inbox: z.strictObject({ waiting: count, dead: entries }),
        outbox: z.strictObject({ waiting: entries, dead: entries }),
        toldUpTo: opt(count).describe('The last line of the log that was told.'),
      }),
    ).shape,
  ),
  'chat retry': one('What was given up waits again.', {
    dryRun,
    retried: z.strictObject({ sent: count, heard: count }),
    messages: entries,
    heard: entries,
  }),
};
