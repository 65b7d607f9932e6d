import { DocketError } from '../../errors.ts';
import type { AnsweredQuestion, BoardAnswer, MadeTask } from '../../project/for-agent/api.ts';
import { nextOf } from '../../project/tasks/next.ts';

type Told = BoardAnswer & { next: string };

/** What an agent does next, in a sentence. */
export const nextFor = {
  create({ kind, id, existing }: MadeTask): string {
    const made = existing ? 'It was there already: this key made it before. ' : '';
    return kind === 'queue'
      ? `${made}It waits until a person runs docket; docket_show ${id} tells how it goes.`
      : `${made}Whoever claims it does it: docket_claim ${id}, if that is you.`;
  },
  claim: (answer: BoardAnswer): Told => ({
    ...answer,
    next: 'Do the work; docket_report progress at least once a day, then done with proof, or docket_ask.',
  }),
  report: (answer: BoardAnswer): Told => ({ ...answer, next: afterReport(answer) }),
  ask: (answer: BoardAnswer): Told => ({
    ...answer,
    next:
      `Do not wait: work on something else. docket_show ${answer.id} has the answer under questions when a person has ` +
      `given it (docket say 'unblock ${answer.id}: ANSWER'); then docket_claim ${answer.id} to go on.`,
  }),
};

/** What a person does after their answer: nothing starts by it. */
export function afterAnswer({ kind, id, status }: AnsweredQuestion): string {
  if (status === 'running') return 'Nothing: the run continues with the answer.';
  if (status === 'failed') return 'Nothing: the task has failed by that answer.';
  return `Tell the person to continue it: ${['docket', ...nextOf(kind).goOn(id)].join(' ')}`;
}

function afterReport({ id, status, accepted }: BoardAnswer): string {
  if (accepted === true) return 'Nothing: it is done.';
  if (status === 'review') return 'Nothing: somebody else looks at it. Do not approve it yourself.';
  if (accepted === false)
    return `Bring what is missing: docket_claim ${id}, do it, and docket_report done again with the proof.`;
  return status === 'blocked' ? `A person has to act; docket_show ${id} tells when.` : 'Go on with the work.';
}

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
