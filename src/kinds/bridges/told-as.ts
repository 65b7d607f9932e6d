import type { StepProgress } from '../../engine/run-workflow.ts';
import type { Step } from '../../task/run.ts';
import type { StageProgress } from '../packet/api.ts';

/** A packet's stages are told as passes of the step that it does: who watches sees who is at work. */
export function toldAs(
  step: Step,
  tell: ((progress: StepProgress) => void) | undefined,
): (progress: StageProgress) => void {
  return (progress) => {
    const now = { step: { ...step, title: `${step.title}/${progress.stage}` } };
    switch (progress.kind) {
      case 'started':
        return tell?.({ ...now, kind: 'started', attempt: 1, agent: progress.what.replace(/^run /, '') });
      case 'event':
        return tell?.({ ...now, kind: 'event', attempt: 1, event: progress.event });
      case 'ended':
        return tell?.({ ...now, kind: 'ended', state: progress.state, summary: progress.summary });
    }
  };
}
