import { whyFailed } from '../task/failed.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { failedSteps } from '../workflow/advance.ts';
import { gateOf } from './questions.ts';
import type { Entry } from './recorder.ts';

export function holding(reason: BlockReason): Entry {
  return { type: 'settle', verdict: { kind: 'hold', reason }, summary: '' };
}

/** A step that a person does: it is blocked by its own gate. */
export function closing({ id, title }: Step, notes: string | undefined): Entry[] {
  return [
    { type: 'finish', step: id, state: 'blocked', reason: title },
    {
      type: 'ask',
      gate: id.startsWith('gate-') ? id : gateOf(id),
      kind: 'milestone-gate',
      step: id,
      reason: title,
      ...(notes !== undefined && { notes }),
    },
  ];
}

/** What the end of a run means for its task. `evidence` is where people look, `ids` what docket saw. */
export function settling(
  task: Task,
  as: 'done' | 'failed' | 'blocked' | 'unfinished',
  evidence: string,
  ids: readonly string[] = [],
): Entry {
  const { run } = task;
  const steps = run?.steps.filter(({ kind }) => kind === 'work') ?? [];
  const summary = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, brought together in ${evidence}`;
  if (as === 'unfinished') return { type: 'requeue', reason: 'what was asked for is done' };
  if (as === 'done')
    return { type: 'settle', verdict: { kind: 'pass', evidence: [evidence, ...ids] }, summary };
  if (as === 'failed') {
    const reason = run ? whyFailed(run, failedSteps(run)) : 'it failed';
    return { type: 'settle', verdict: { kind: 'fail', reason }, summary };
  }
  const closed = Object.entries(run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  const text = closed
    .map(([id, { reason }]) => `${id}: ${reason}`)
    .join('\n')
    .slice(0, 8000);
  const reason = { kind: 'gate' as const, text: text || 'a person must act', who: 'a person' };
  return { type: 'settle', verdict: { kind: 'hold', reason }, summary };
}
