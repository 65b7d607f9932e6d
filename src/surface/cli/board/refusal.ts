import type { App } from '../../../app.ts';
import { DocketError } from '../../../errors.ts';

type Heard = Awaited<ReturnType<Awaited<ReturnType<App['board']>>['say']>>;

/** What the board answered, as an error; undefined: it did what was said. The words are the board's own. */
export function refusalOf({ outcome, reply }: Pick<Heard, 'outcome' | 'reply'>): DocketError | undefined {
  const message = reply
    .replace(/^\[TASK\] /, '')
    .split('\n')
    .join('; ');
  switch (outcome.kind) {
    case 'refused':
      if (outcome.code === 'not_found')
        return new DocketError('NOT_FOUND', message, 'docket board status shows what is there');
      if (outcome.code === 'invalid')
        return new DocketError('INVALID', message, 'correct it, then say it again; nothing was changed');
      return new DocketError('REFUSED', message, `see how it stands: ${look(outcome.taskId)}`);
    case 'unknown':
      return new DocketError('USAGE', message, 'see what can be said: docket say help');
    case 'bad_path':
      return new DocketError('REFUSED', message, `name a folder that is there: ${outcome.path} is none`);
    case 'throttled':
      return new DocketError(
        'TOO_SOON',
        message,
        `ask again in ${outcome.retryAfterSec} s: "docket board clarify"`,
      );
    case 'moved':
      if (outcome.move !== 'gated') return undefined;
      return new DocketError('NEEDS_PERSON', message, `see what is missing: ${look(outcome.task.taskId)}`);
    case 'autopilot':
      if (outcome.blocked === 0) return undefined;
      return new DocketError('NEEDS_PERSON', message, `see what is blocked: ${look(undefined)}`);
    case 'dispatched':
      if (outcome.ended?.decision !== 'blocked') return undefined;
      return new DocketError('NEEDS_PERSON', message, `see why: ${look(outcome.task.taskId)}`);
    default:
      return undefined;
  }
}

function look(task: string | undefined): string {
  return task === undefined ? 'docket board status' : `docket board status ${task}`;
}
