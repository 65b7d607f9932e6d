import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Acted } from '../../../app/act.ts';
import { answer, error, one, refusal, stream, type Published } from './answer.ts';
import { dryRun, findings, flag, id, layout, like, name, need, status, text } from './parts.ts';
import { progress, withStream } from './progress.ts';
import { attempt, delivery, task } from './task.ts';

const short = { id, status, name };

const ran = {
  tasks: z
    .array(
      z.strictObject({
        ...short,
        agent: text,
        layout: layout.exactOptional().describe('Absent: the queue.'),
        task,
        attempt: attempt.exactOptional().describe('The call of an agent that decided.'),
        unseen: z
          .array(text)
          .exactOptional()
          .describe('Of a task that is done: that no command checked it, that its agents changed nothing.'),
      }),
    )
    .describe('Those that were worked on, as they are now.'),
  findings: findings
    .exactOptional()
    .describe("What is wrong with the queue's file: such records were not run."),
};

type Planned = Awaited<ReturnType<App['plan']>>[number];
const planned = {
  tasks: z
    .array(
      like<Omit<Planned, 'task'>>()(
        z.strictObject({
          id,
          name,
          workflow: text,
          steps: z.array(z.strictObject({ step: text, agent: text, adapter: text, permission: text })),
          begins: text.describe('The step that it begins with.'),
          workspace: z.string().describe('inplace, clone or worktree.'),
          branch: text.exactOptional(),
          waitsFor: z.array(need).exactOptional(),
          problem: text.exactOptional().describe('Why it would be blocked instead.'),
        }),
      ),
    )
    .describe('With --dry-run: in the order in which they would run.'),
};

const run = (about: string) =>
  stream(
    `${about} It fails (with the same tasks beside the error) when one of them did not end well; error.data.exitCode has the exit code.`,
    withStream,
    [...progress, answer(ran), answer(planned), refusal(ran)],
  );

const left = z
  .strictObject({
    files: z.array(text),
    alone: flag.describe(
      "Nobody else's changes are in these files: docket diff TASK | git -C REPOSITORY apply -R undoes them.",
    ),
    unsure: z.literal(true).exactOptional().describe('Nobody can tell: how it left the files was not noted.'),
    repository: text.describe('The top folder of the repository that they are in.'),
  })
  .describe("Canceled: what it leaves in people's own tree, where it worked in place.");
const acted = z.union([
  like<Extract<Acted, { ok: true }>>()(
    z.strictObject({
      ok: z.literal(true),
      kind: layout,
      id,
      name,
      was: status,
      status,
      changed: flag,
      left: left.exactOptional(),
      delivery: delivery.exactOptional().describe('Only its delivery was retried: where its work is now.'),
    }),
  ),
  z.strictObject({ ok: z.literal(false), ref: text.describe('As it was typed.'), error }),
]);
const act = (about: string) => {
  const fields = {
    kind: layout.exactOptional().describe('With one task only, as its id and status.'),
    id: id.exactOptional(),
    status: status.exactOptional(),
    dryRun: dryRun.exactOptional(),
    tasks: z.array(acted).describe('What became of each that was named.'),
  };
  return one(`${about} It fails when one of them was refused; the others are done.`, fields, {
    beside: fields,
  });
};

export const queue: Readonly<Record<string, Published>> = {
  add: one('The task that was put into the queue, or was there under the same key.', {
    ...short,
    title: text,
    findings: findings.exactOptional().describe("What is wrong with the queue's file."),
  }),
  list: one('The tasks of the queue.', {
    tasks: z.array(task),
    waits: z.record(id, z.array(need)).describe('By id: what must be done first.'),
    findings: findings.describe('What is wrong with its files.'),
  }),
  run: run('What was worked on, and what became of it.'),
  watch: run('As docket run, until somebody stops it: then an error with exit code 130.'),
  retry: act('Back into the queue, to go on where it stopped.'),
  requeue: act('Back into the queue, to begin anew.'),
  cancel: act('Given up.'),
  trust: one('Whether its words are vouched for.', {
    id,
    status,
    trust: z.strictObject({
      level: z.enum(['high', 'low']),
      source: text.describe('Where the words come from: person, file, issue, chat, agent.'),
      author: text.exactOptional(),
      by: text.exactOptional().describe('The person who decided about the level.'),
    }),
  }),
};
