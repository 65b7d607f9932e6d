import type { AgentEvent } from '../../adapters/adapter.ts';
import type { StepProgress as BoardProgress } from '../../engine/run-workflow.ts';
import type { StepProgress } from '../../kinds/directory/api.ts';
import type { StageProgress } from '../../kinds/packet/api.ts';

/** What happens in one step of an errand, for who watches. */
export type ErrandStep = { name: string; step: string } & (
  | { kind: 'step'; agent: string; attempt: number }
  | { kind: 'event'; attempt: number; event: AgentEvent }
  | { kind: 'stepped'; state: string; summary: string }
);

export function ofDirectory(name: string, progress: StepProgress): ErrandStep {
  const { step, agent } = progress;
  if (progress.kind === 'started') return { name, step, kind: 'step', agent, attempt: progress.attempt };
  if (progress.kind === 'ended') return { name, step, ...ended(progress) };
  return { name, step, kind: 'event', attempt: progress.attempt, event: progress.event };
}

export function ofPacket(name: string, progress: StageProgress): ErrandStep {
  const { stage: step } = progress;
  if (progress.kind === 'started')
    return { name, step, kind: 'step', agent: progress.what.replace(/^run /, ''), attempt: 1 };
  if (progress.kind === 'ended') return { name, step, ...ended(progress) };
  return { name, step, kind: 'event', attempt: 1, event: progress.event };
}

export type { BoardProgress };

export function ofBoard(name: string, progress: BoardProgress): ErrandStep {
  const step = progress.step.id;
  if (progress.kind === 'ended') return { name, step, ...ended(progress) };
  const { attempt } = progress;
  return progress.kind === 'started'
    ? { name, step, kind: 'step', agent: progress.agent, attempt }
    : { name, step, kind: 'event', attempt, event: progress.event };
}

function ended({ state, summary }: { state: string; summary: string }) {
  return { kind: 'stepped', state, summary } as const;
}
