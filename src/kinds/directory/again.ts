import type { Entry } from '../../engine/recorder.ts';
import { DocketError } from '../../errors.ts';
import { command, CommandLine, fix } from '../../errors/command.ts';
import { clip } from '../../report/clip.ts';
import {
  failedIn,
  failedOtherwise,
  isRejected,
  rejectedSteps,
  withThoseBehind,
} from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import type { AgainInput } from './api.ts';

const longest = 4000;

/**
 * What failed is done once more, in the conversation that it had; what could not begin because of it begins then. Refused
 * where nothing of that kind was named. What a person said no to is left alone, unless it is named.
 */
export function redoing(task: Task, { steps, note }: AgainInput): Entry[] {
  const { run, attempts = {} } = task;
  const failed = failedIn(run);
  const wanted = steps ? failed.filter((step) => steps.includes(step.id)) : failedOtherwise(run);
  const wrong = steps?.find((name) => !wanted.some((step) => step.id === name));
  if (wrong !== undefined) throw notFailed(task, wrong);
  if (wanted.length === 0 && isRejected(task)) throw wasRejected(task);
  const reason = 'a person wants it tried again';
  return withThoseBehind(failed, wanted).map((step): Entry => {
    const why = run?.states[step.id]?.reason ?? '';
    // What never began waits for its needs as before.
    if (!attempts[step.id] || step.kind === 'human') return { type: 'redo', step: step.id, reason };
    const no = rejectedSteps(run).some((one) => one.step === step);
    return { type: 'redo', step: step.id, reason, answer: told(why, note, no) };
  });
}

function told(why: string, note: string | undefined, no: boolean): string {
  if (no)
    return [
      `It was ${clip(why, longest)}. Now it is wanted after all.`,
      ...(note === undefined ? [] : [note]),
    ].join('\n\n');
  const failed = why === '' ? 'It had failed.' : `It had failed: ${clip(why, longest)}`;
  return [failed, 'Try again, from where you were.', ...(note === undefined ? [] : [note])].join('\n\n');
}

/** A person said no to it: only who names it says that it is wanted after all. */
function wasRejected({ id, run }: Task): DocketError {
  const no = rejectedSteps(run);
  const names = no.map(({ step }) => step.id);
  return new DocketError(
    'REFUSED',
    `task ${id}: ${no.map(({ step, reason }) => `${step.id} was ${reason}`).join('; ')}`.slice(0, 500),
    fix`if it is wanted after all, name it: ${new CommandLine(`task retry ${id} ${names.slice(0, 5).join(' ')} --note "…"`)}`,
    { id, steps: names },
  );
}

function notFailed(task: Task, name: string): DocketError {
  const { id, run } = task;
  const known = run?.steps.some((step) => step.id === name);
  return known
    ? new DocketError(
        'REFUSED',
        `subtask ${name} of task ${id} did not fail: it is ${run?.states[name]?.state ?? 'waiting'}`,
        isRejected(task)
          ? fix`see what was said no to: ${command`task show ${id}`}`
          : fix`go on with what is left: ${command`task resume ${id}`}`,
        { id, step: name },
      )
    : new DocketError(
        'NOT_FOUND',
        `task ${id} has no subtask ${name}`,
        fix`see them: ${command`task show ${id}`}`,
        {
          id,
          step: name,
        },
      );
}
