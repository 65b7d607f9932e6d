import { command, fix } from '../../errors/command.ts';
import { nextOf } from '../tasks/next.ts';
import type { AnsweredQuestion, BoardAnswer } from './api.ts';

/** What an agent does next, in a sentence: nobody else tells it. */
export const nextFor = {
  claim: (): string =>
    'Do the work; docket_report progress at least once a day, then done with proof, or docket_ask.',
  ask: ({ id }: BoardAnswer): string =>
    fix`Do not wait: work on something else. docket_show ${id} has the answer under questions when a person has given it (${command`say 'unblock ${id}: ANSWER'`}); then docket_claim ${id} to go on.`
      .text,
  report({ id, status, accepted }: BoardAnswer): string {
    if (accepted === true) return 'Nothing: it is done.';
    if (status === 'review') return 'Nothing: somebody else looks at it. Do not approve it yourself.';
    if (accepted === false)
      return `Bring what is missing: docket_claim ${id}, do it, and docket_report done again with the proof.`;
    return status === 'blocked'
      ? `A person has to act; docket_show ${id} tells when.`
      : 'Go on with the work.';
  },
  /** What a person does after their answer: nothing starts by it. */
  answer({ kind, id, status }: AnsweredQuestion): string {
    if (status === 'running') return 'Nothing: the run continues with the answer.';
    if (status === 'failed') return 'Nothing: the task has failed by that answer.';
    return `Tell the person to continue it: ${['docket', ...nextOf(kind).goOn(id)].join(' ')}`;
  },
};
