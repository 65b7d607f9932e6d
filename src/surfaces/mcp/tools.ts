import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { DocketError } from '../../errors.ts';
import type { AgentSide } from '../../project/for-agent/api.ts';
import * as inputs from './inputs.ts';
import { longestTitle } from './limits.ts';
import * as outputs from './outputs.ts';
import { listAnswer, showAnswer } from './shown.ts';

/** What an agent may call. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  changes: boolean;
  /** Calling it again with the same words changes nothing more. */
  idempotent: boolean;
  run: (side: AgentSide, input: unknown, signal: AbortSignal) => Promise<Record<string, unknown>>;
}

interface Typed<I extends z.ZodType, O extends z.ZodType> extends Omit<Tool, 'input' | 'output' | 'run'> {
  input: I;
  output: O;
  run: (side: AgentSide, input: z.infer<I>, signal: AbortSignal) => Promise<z.infer<O>>;
}

function tool<I extends z.ZodType, O extends z.ZodType>(typed: Typed<I, O>): Tool {
  return {
    ...typed,
    run: async (side, input, signal) =>
      (await typed.run(side, input as z.infer<I>, signal)) as Record<string, unknown>,
  };
}

export const tools: readonly Tool[] = [
  tool({
    name: 'docket_list',
    title: 'List tasks',
    description:
      'Tasks of this project, whatever their kind: what waits for somebody first. Default: what is not over.',
    input: inputs.listInput,
    output: outputs.listOutput,
    changes: false,
    idempotent: true,
    run: async (side, input) => listAnswer(await side.list(input), input),
  }),
  tool({
    name: 'docket_show',
    title: 'Show a task',
    description:
      'One task: its text, why it is as it is, questions and answers, what happened, what docket saw as evidence.',
    input: inputs.showInput,
    output: outputs.showOutput,
    changes: false,
    idempotent: true,
    run: async (side, input) => showAnswer(await side.show(input.id, input.kind), input),
  }),
  tool({
    name: 'docket_create',
    title: 'Create a task',
    description:
      'Adds a task; nothing starts by it. It is marked as words of an agent: low trust, unless a person vouches for it.',
    input: inputs.createInput,
    output: outputs.createOutput,
    changes: true,
    idempotent: false,
    run: async (side, { where = 'queue', key = randomUUID(), text, needs, worktree }) => {
      if (where === 'board' && text.length > longestTitle)
        throw new DocketError(
          'TOO_LARGE',
          `a task of the board may have ${longestTitle} characters`,
          'shorten it',
          {},
        );
      try {
        return { ...(await side.create({ where, text, key, needs, worktree })), key };
      } catch (error) {
        throw retryNote(error, key);
      }
    },
  }),
  tool({
    name: 'docket_claim',
    title: 'Claim a board task',
    description:
      'Takes a task of the board for you; nobody else works on it while your claim holds. Report progress to renew it.',
    input: inputs.claimInput,
    output: outputs.boardOutput,
    changes: true,
    idempotent: false,
    run: (side, { id }) => side.claim(id),
  }),
  tool({
    name: 'docket_report',
    title: 'Report on your board task',
    description:
      'Tells how far a task is that you hold. Done counts only when docket’s own checks pass; they may take minutes. Else it says what is missing.',
    input: inputs.reportInput,
    output: outputs.boardOutput,
    changes: true,
    idempotent: false,
    run: (side, report, signal) => side.report({ ...report, signal }),
  }),
  tool({
    name: 'docket_ask',
    title: 'Ask a person',
    description:
      'Puts a question to the people of this project and returns at once. Look for the answer later with docket_show.',
    input: inputs.askInput,
    output: outputs.boardOutput,
    changes: true,
    idempotent: false,
    run: (side, question) => side.ask(question),
  }),
];

/** Offered only with --answers. */
export const answerTool = tool({
  name: 'docket_answer',
  title: 'Pass on a person’s answer',
  description:
    'Answers an open question of a task (docket_show lists them) with what a person has told you. Never decide it yourself.',
  input: inputs.answerInput,
  output: outputs.answerOutput,
  changes: true,
  idempotent: false,
  run: (side, { decision, ...answer }) =>
    side.answer({ ...answer, decision: decision === 'approve' ? 'approved' : 'rejected' }),
});

/** Where nobody knows whether it was made, calling again with the same key finds out and makes no second one. */
export function retryNote(error: unknown, key: string): unknown {
  const isPlainNo = error instanceof DocketError && error.exitCode >= 2 && error.exitCode <= 5;
  if (isPlainNo) return error;
  const { code, fix, data } =
    error instanceof DocketError ? error : { code: 'INTERNAL' as const, fix: '', data: {} };
  const again = `the task may have been made: call docket_create again with the same text and key ${JSON.stringify(key)}; that makes no second one`;
  const message = error instanceof Error ? error.message : String(error);
  return new DocketError(
    code,
    message,
    fix === '' ? again : `${again}; ${fix}`,
    { ...data, key },
    { cause: error },
  );
}
