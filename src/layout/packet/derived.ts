import type { Task } from '../../task/schema.ts';
import type { Derived } from '../layout.ts';
import { lastFailure } from './files/last-failure.ts';
import { gateResult, meta } from './files/stage.ts';
import { stats } from './files/stats.ts';
import { summary } from './files/summary.ts';
import { ownOf } from './own.ts';
import { stagesOf, type StageView } from './stage-view.ts';
import { seconds } from './time.ts';

/** The files of a packet that say what its task says. Until docket runs it, another tool's may be there: they stay. */
export function derived(task: Task): Derived[] {
  if (!task.run && task.status === 'queued') return [];
  const key = String(task.rev);
  const { resolved } = ownOf(task);
  const files: Derived[] = [
    { path: 'outputs/_summary.md', key, text: () => summary(task) },
    { path: 'state/stats.json', key, text: () => stats(task) },
    { path: 'state/last_failure.json', key, text: (current) => lastFailure(task, current) },
  ];
  if (resolved !== undefined)
    files.push({ path: 'state/config.dispatch.resolved.json', key: resolved, text: () => resolved });
  return [...files, ...stagesOf(task).flatMap(stageFiles)];
}

function stageFiles({ stage, tool, state, facts }: StageView): Derived[] {
  const doneAt = state?.state === 'done' ? seconds(state.since) : undefined;
  const files: Derived[] = [
    // A marker that is no longer true goes: others take it for the only word on what need not run.
    { path: `done/${stage}.done`, key: doneAt ?? '', text: () => doneAt && `${doneAt}\n` },
  ];
  if (!facts) return files;
  const key = JSON.stringify([facts.end, facts.exit_code, facts.prompt_sha256, facts.gate]);
  const output = `outputs/${stage}.${tool}`;
  return [
    ...files,
    { path: `${output}.meta.json`, key, text: () => meta(facts) },
    { path: `${output}.prompt_sha256`, key, text: () => `${facts.prompt_sha256}\n` },
    { path: `outputs/${stage}.gate_result.json`, key, text: () => gateResult(facts) },
  ];
}
