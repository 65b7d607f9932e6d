import type { Entry } from '../../engine/recorder.ts';
import { DocketError } from '../../errors.ts';
import { clip } from '../../report/clip.ts';
import type { Run, Step } from '../../task/run.ts';
import type { Task } from '../../task/schema.ts';
import type { AgainInput } from './api.ts';

const longest = 4000;

/**
 * What failed is done once more, in the conversation that it had; what could not begin because of it begins then. Refused
 * where nothing of that kind was named.
 */
export function redoing({ id, run, attempts = {} }: Task, { steps, note }: AgainInput): Entry[] {
  const failed = run?.steps.filter((step) => run.states[step.id]?.state === 'failed') ?? [];
  const wanted = steps ? failed.filter((step) => steps.includes(step.id)) : failed;
  const wrong = steps?.find((name) => !wanted.some((step) => step.id === name));
  if (wrong !== undefined) throw notFailed(id, run, wrong);
  const reason = 'a person wants it tried again';
  return withThoseBehind(failed, wanted).map((step): Entry => {
    const why = run?.states[step.id]?.reason ?? '';
    // What never began waits for its needs as before.
    if (!attempts[step.id] || step.kind === 'human') return { type: 'redo', step: step.id, reason };
    return { type: 'redo', step: step.id, reason, answer: told(why, note) };
  });
}

function told(why: string, note: string | undefined): string {
  const failed = why === '' ? 'It had failed.' : `It had failed: ${clip(why, longest)}`;
  return [failed, 'Try again, from where you were.', ...(note === undefined ? [] : [note])].join('\n\n');
}

/** What failed only because it needs one of these. */
function withThoseBehind(failed: readonly Step[], wanted: readonly Step[]): Step[] {
  const ids = new Set(wanted.map(({ id }) => id));
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const { id, needs } of failed) if (needs.some((need) => ids.has(need))) ids.add(id);
  }
  return failed.filter(({ id }) => ids.has(id));
}

function notFailed(id: string, run: Run | undefined, name: string): DocketError {
  const known = run?.steps.some((step) => step.id === name);
  return known
    ? new DocketError(
        'REFUSED',
        `subtask ${name} of task ${id} did not fail: it is ${run?.states[name]?.state ?? 'waiting'}`,
        `go on with what is left: docket task resume ${id}`,
        { id, step: name },
      )
    : new DocketError('NOT_FOUND', `task ${id} has no subtask ${name}`, `see them: docket task show ${id}`, {
        id,
        step: name,
      });
}
