import type { StepState } from '../../../task/run.ts';
import type { Task } from '../../../task/schema.ts';
import { factsIn, type StageFacts } from './facts.ts';
import { parseStage } from './stages.ts';

/** A stage as people see it. */
export interface StageView {
  stage: string;
  tool: string;
  role: string;
  word: 'done' | 'failed' | 'pending' | 'running' | 'interrupted';
  state?: StepState;
  /** What its last attempt came to. */
  facts?: StageFacts;
}

/** The stages in their order. An id from a damaged journal must not become a path. */
export function stagesOf(task: Task): StageView[] {
  return (task.run?.steps ?? []).flatMap(({ id: stage }) => {
    const name = parseStage(stage);
    if (!name) return [];
    const state = task.run?.states[stage];
    const found = factsIn(state?.report);
    const facts = found?.stage === stage ? found : undefined;
    const word = wordFor(task, state, facts);
    const { tool, role } = name;
    return [{ stage, tool, role, word, ...(state && { state }), ...(facts && { facts }) }];
  });
}

function wordFor(task: Task, state: StepState | undefined, facts: StageFacts | undefined): StageView['word'] {
  switch (state?.state) {
    case 'done':
    case 'failed':
      return state.state;
    case 'blocked':
      return 'failed';
    case 'running':
      if (task.status === 'running' || task.status === 'review') return 'running';
      return facts?.failure ? 'failed' : 'interrupted';
    default:
      return 'pending';
  }
}

/** Where to begin anew when what was made does not pass its verification: the stage that made it. */
export function makerOfRefused(stages: readonly StageView[]): string | undefined {
  const refused = stages.findIndex(
    ({ word, role, facts }) =>
      word === 'failed' && role === 'verify' && facts?.gate.result === 'contract_violation',
  );
  const makers = stages
    .slice(0, Math.max(0, refused))
    .filter(({ role }) => role === 'impl' || role === 'runbook');
  return makers.at(-1)?.stage;
}

/** The stage whose attempt ended last. */
export function latestEnded(stages: readonly StageView[]): (StageView & { facts: StageFacts }) | undefined {
  const ended = stages.filter((view): view is StageView & { facts: StageFacts } => view.facts !== undefined);
  return ended.reduce<(typeof ended)[number] | undefined>(
    (last, view) => (last && Date.parse(view.facts.end) < Date.parse(last.facts.end) ? last : view),
    undefined,
  );
}
