import type { Derived } from '../../../layout/layout.ts';
import type { Task } from '../../../task/schema.ts';
import { lastFailure } from './last-failure.ts';
import { isAtRest, newMarker } from './other-work.ts';
import { ownOf } from './own.ts';
import { gateResult, meta } from './stage-file.ts';
import { stagesOf, type StageView } from './stage-view.ts';
import { stats } from './stats.ts';
import { summary } from './summary.ts';
import { seconds } from './time.ts';

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
