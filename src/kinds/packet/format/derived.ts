import type { Derived } from '../../../layout/layout.ts';
import type { Task } from '../../../task/schema.ts';
import { seconds, type StageFacts } from './facts.ts';
import { failureOf } from './failure.ts';
import { isAtRest, newMarker, objectIn, paidIn } from './other-work.ts';
import { callsOf, ownOf } from './own.ts';
import { stagesOf, type StageView } from './stage-view.ts';
import { summary } from './summary.ts';

/** The files of a packet that say what its task says. Until docket runs it, another tool's may be there: they stay. */
export function derived(task: Task): Derived[] {
  if (!task.run && task.status === 'queued') return [];
  const key = String(task.rev);
  const { resolved } = ownOf(task);
  const files: Derived[] = [
    { path: 'outputs/_summary.md', key, text: () => summary(task) },
    { path: 'state/stats.json', key, text: (current) => stats(task, current) },
    { path: 'state/last_failure.json', key, text: (current) => lastFailure(task, current) },
  ];
  if (resolved !== undefined)
    files.push({ path: 'state/config.dispatch.resolved.json', key: resolved, text: () => resolved });
  return [...files, ...stagesOf(task).flatMap((view) => stageFiles(task, view))];
}

function stageFiles(task: Task, { stage, tool, state, facts }: StageView): Derived[] {
  const doneAt = state?.state === 'done' ? (facts?.other ?? seconds(state.since)) : undefined;
  const resting = isAtRest(task);
  // A marker that is no longer true is removed: other tools skip a stage because of it. One that another tool has made
  // since stays until docket takes it over.
  const keeps = (current: string | undefined): boolean =>
    current !== undefined && resting && newMarker(task, stage, current, task.updatedAt) !== undefined;
  const files: Derived[] = [
    {
      path: `done/${stage}.done`,
      key: doneAt ?? String(resting),
      text: (current) => (doneAt === undefined ? (keeps(current) ? current : undefined) : `${doneAt}\n`),
    },
  ];
  // The other tool's own files say what became of its stages.
  if (!facts || facts.other !== undefined) return files;
  const key = JSON.stringify([facts.end, facts.exit_code, facts.prompt_sha256, facts.gate]);
  const output = `outputs/${stage}.${tool}`;
  return [
    ...files,
    { path: `${output}.meta.json`, key, text: () => meta(facts) },
    { path: `${output}.prompt_sha256`, key, text: () => `${facts.prompt_sha256}\n` },
    { path: `outputs/${stage}.gate_result.json`, key, text: () => gateResult(facts) },
  ];
}

/** `state/last_failure.json`: exactly these five. Undefined when there is none any more; the journal keeps them all. */
function lastFailure(task: Task, current: string | undefined): string | undefined {
  const failure = failureOf(task);
  if (!failure) return isTriedAgain(task) ? current : undefined;
  const { class: kind, signature, exit_code, gate_result, suggested_actions } = failure;
  return json({ class: kind, signature, exit_code, gate_result, suggested_actions });
}

/** A stage has begun anew and nobody knows yet how it ends: only a success makes the last failure past. */
function isTriedAgain(task: Task): boolean {
  const open = stagesOf(task).find(({ word }) => word !== 'done');
  const attempt = open && !open.facts && task.attempts?.[open.stage];
  return Boolean(attempt && (attempt.n > 1 || attempt.end));
}

/** `state/stats.json`. The keys of `signatures` are ours (see signature.ts): by stage, class and end of stderr. */
export function stats(task: Task, current?: string): string {
  // Another tool has paid for calls since: its file stays until docket takes them over.
  if (current !== undefined && isAtRest(task) && paidIn(objectIn(current)) > callsOf(task)) return current;
  const { signatures } = ownOf(task);
  return json({
    paid_calls_used: callsOf(task),
    stages_completed: stagesOf(task)
      .filter(({ word }) => word === 'done')
      .map(({ stage }) => stage),
    ...(Object.keys(signatures).length > 0 && { signatures }),
  });
}

/** `outputs/<stage>.<tool>.meta.json`: exactly these seven, of the latest attempt. */
function meta(facts: StageFacts): string {
  const { stage, tool, exit_code, start, end, duration_sec, prompt_sha256 } = facts;
  return json({
    stage,
    tool,
    exit_code,
    start: seconds(start),
    end: seconds(end),
    duration_sec: Math.round(duration_sec),
    prompt_sha256,
  });
}

/** `outputs/<stage>.gate_result.json`. Undefined where the gate had nothing to judge, because the call itself failed. */
function gateResult({ stage, role, gate, end, failure }: StageFacts): string | undefined {
  const { result, reasons } = gate;
  const passed = result === 'pass';
  if (passed && failure) return undefined;
  return json({ stage, role, passed, reasons, timestamp: seconds(end) });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
