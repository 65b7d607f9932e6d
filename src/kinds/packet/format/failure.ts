import type { BlockReason, Task } from '../../../task/schema.ts';
import type { StageFacts, TriageClass } from './facts.ts';
import { signatureOf } from './signature.ts';
import { latestEnded, stagesOf, type StageView } from './stage-view.ts';
import { actionsFor } from './triage.ts';

/** Why a packet stands still or failed last, in the words of last_failure.json. */
export interface PacketFailure {
  class: TriageClass;
  signature: string;
  exit_code: number;
  gate_result: StageFacts['gate']['result'];
  suggested_actions: string[];
  /** Where, and what its attempt came to; neither where no agent was called. */
  stage?: string;
  facts?: StageFacts;
  reason?: string;
}

const classes: Readonly<Partial<Record<BlockReason['kind'], TriageClass>>> = {
  budget: 'budget',
  limit: 'limit',
  auth: 'auth',
  scope: 'scope_violation',
  verify: 'contract_violation',
  conflict: 'contract_violation',
  setup: 'tooling',
  provider: 'transient',
  crash: 'transient',
  stall: 'timeout',
};

/** Undefined when the stage that ended last went well, and nothing else keeps the packet from going on. */
export function failureOf(task: Task): PacketFailure | undefined {
  const stages = stagesOf(task);
  const last = latestEnded(stages);
  const failed = last?.state?.state === 'done' ? undefined : last?.facts.failure;
  const reason = reasonOf(task, stages);
  // A spent budget is what people must act upon, whatever the last call that was paid for came to.
  const stopped = task.status === 'blocked' && (!failed || task.reason.kind === 'budget');
  if (stopped) return without(stages, classes[task.reason.kind] ?? 'unknown', reason);
  if (last && failed) {
    return {
      class: failed.class,
      signature: failed.signature,
      exit_code: last.facts.exit_code,
      gate_result: last.facts.gate.result,
      suggested_actions: failed.actions,
      stage: last.stage,
      facts: last.facts,
      ...(reason !== undefined && { reason }),
    };
  }
  return task.status === 'failed' ? without(stages, 'tooling', reason) : undefined;
}

/** A failure that is not of an attempt: the inputs, the configuration, a budget. */
function without(stages: readonly StageView[], kind: TriageClass, reason = ''): PacketFailure {
  const { stage, tool = '' } = stages.find(({ word }) => word !== 'done') ?? {};
  return {
    class: kind,
    signature: signatureOf({ class: kind, stage: stage ?? '', tool, tail: [], reasons: [reason] }),
    exit_code: -1,
    gate_result: 'pass',
    suggested_actions: actionsFor(kind),
    ...(stage !== undefined && { stage }),
    reason,
  };
}

function reasonOf(task: Task, stages: readonly StageView[]): string | undefined {
  if (task.status === 'blocked') return task.reason.text;
  const ofStage = stages.find(({ word }) => word === 'failed')?.state?.reason;
  return ofStage ?? (task.status === 'failed' ? task.failure.error : undefined);
}
