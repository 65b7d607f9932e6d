import { z } from 'zod';
import type { App } from '../../../app.ts';
import { answer, one, refusal, stream, type Published } from './answer.ts';
import { findings, id, layout, like, name, need, status, text } from './parts.ts';
import { progress, withStream } from './progress.ts';
import { attempt, task } from './task.ts';

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

export const queue: Readonly<Record<string, Published>> = {
  list: one('The tasks of the queue.', {
    tasks: z.array(task),
    waits: z.record(id, z.array(need)).describe('By id: what must be done first.'),
    findings: findings.describe('What is wrong with its files.'),
  }),
  run: run('What was worked on, and what became of it.'),
  watch: run('As docket run, until somebody stops it: then an error with exit code 130.'),
};
