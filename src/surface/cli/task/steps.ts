import type { Task } from '../../../task/schema.ts';
import type { Color } from '../style.ts';
import { wordOf } from './fields.ts';

/** A step and what became of it, as `task show` tells it. */
export interface StepView {
  step: string;
  kind: string;
  title: string;
  agent: string;
  state: string;
  /** What was said about it last. */
  said: string;
  needs: readonly string[];
  milestone?: string;
}

export const stepColors: Readonly<Record<string, Color>> = {
  running: 'cyan',
  ready: 'cyan',
  interrupted: 'yellow',
  done: 'green',
  failed: 'red',
  blocked: 'yellow',
  canceled: 'dim',
};

export function stepViews({ run, status }: Task): StepView[] {
  return (run?.steps ?? []).map(({ id, kind, title, agent, needs, milestone }) => {
    const state = run?.states[id];
    const said = state?.reason ?? wordOf(state?.report?.['summary']);
    // What no live process works on is not running.
    const isDead = state?.state === 'running' && status !== 'running';
    const word = isDead ? 'interrupted' : (state?.state ?? 'waiting');
    const about = { step: id, kind, title, agent, state: word, said, needs };
    return milestone === undefined ? about : { ...about, milestone };
  });
}
