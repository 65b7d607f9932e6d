import { z } from 'zod';
import { kindNames } from '../../task/kind-names.ts';
import * as limits from './limits.ts';

export const statuses = ['queued', 'running', 'review', 'blocked', 'done', 'failed', 'canceled'] as const;

const id = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/, 'letters, digits, ".", "_" and "-" only')
  .describe('Id of a task, as docket_list shows it');
const kind = z
  .enum(kindNames)
  .describe(
    'queue: docket runs it; board: claimed by whoever does it; packet and task: docket runs its stages',
  );
const key = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/, 'letters, digits, ".", "_", ":" and "-" only')
  .describe(
    'A name of your choice for this one request; calling again with it, after a time-out too, does nothing twice',
  );
const offset = z.int().min(0).max(1_000_000).describe('Skip so many; an answer that was cut says which');

function text(most: number): z.ZodString {
  return z.string().min(1).max(most);
}

export const listInput = z.strictObject({
  kind: kind.optional(),
  status: z
    .array(z.enum(statuses))
    .min(1)
    .max(statuses.length)
    .optional()
    .describe('Default: everything but done and canceled'),
  limit: z.int().min(1).max(limits.mostRows).optional().describe(`Default: ${limits.usualRows}`),
  offset: offset.optional(),
});

const parts = ['summary', 'text', 'timeline', 'evidence'] as const;

export const showInput = z.strictObject({
  id,
  kind: kind.optional().describe('Only where two tasks have the same name'),
  part: z.enum(parts).optional().describe('Default: summary, with a piece of each'),
  offset: offset.optional(),
});

export const createInput = z.strictObject({
  text: text(limits.longestText).describe(
    'What is to be done: one line as a title, then what, where and how it is proved. On the board the title is all there is',
  ),
  where: z
    .enum(['queue', 'board'])
    .optional()
    .describe(
      'queue (default): docket runs it with an agent when a person starts docket; board: somebody claims it',
    ),
  needs: z
    .array(id)
    .max(limits.mostNeeds)
    .optional()
    .describe('Ids of the same kind that must be done first'),
  worktree: z
    .boolean()
    .optional()
    .describe('queue: work in a clone of its own (default true); false: in the people’s work tree'),
  key: key.optional(),
});

export const claimInput = z.strictObject({ id });

export const reportInput = z.strictObject({
  id,
  outcome: z
    .enum(['progress', 'done', 'blocked'])
    .describe('progress renews your claim; done is judged by docket; blocked waits for a person'),
  text: text(limits.longestReport).describe(
    'What you did. For done: changed files, commands you ran with their result, links; no proof, no done',
  ),
  key: key.optional(),
});

export const answerInput = z.strictObject({
  id,
  gate: id
    .optional()
    .describe('Name of the question, as docket_show has it; needed only where several are open'),
  decision: z.enum(['approve', 'reject']).describe('What the person decided; reject ends that work'),
  choice: text(200).optional().describe('One of the choices that docket_show lists for this question'),
  note: text(limits.longestText)
    .optional()
    .describe('The person’s answer or reason, in their words. The agent that asked reads it'),
});

export const askInput = z.strictObject({
  question: text(limits.longestQuestion).describe(
    'One question that a person can answer in a sentence, with the choices',
  ),
  id: id
    .optional()
    .describe('The task of yours that waits for the answer; absent: the question becomes a task'),
  key: key.optional(),
});
