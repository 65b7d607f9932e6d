import type { StepProgress } from '../../engine/run-workflow.ts';
import type { Task } from '../../task/schema.ts';
import type { TaskRun } from './task-run.ts';

/** The lines of `logs/*.jsonl`, in the words that readers of this format know. A log, not a truth: that is the journal. */
export function sessionLog(run: TaskRun, task: Task) {
  const { folder, graph, places } = run;
  const now = () => places.clock.now();
  folder.log({ type: 'workflow_start', task: task.title, workflowName: graph.name }, now());
  let iteration = 0;
  return {
    step(progress: StepProgress): void {
      const { step } = progress;
      const about = { step: step.title, persona: step.role };
      if (progress.kind === 'started') {
        iteration += 1;
        folder.log({ type: 'step_start', ...about, iteration, attempt: progress.attempt }, now());
      }
      if (progress.kind === 'ended') {
        const { state, summary } = progress;
        folder.log({ type: 'step_complete', ...about, iteration, status: state, content: summary }, now());
      }
    },
    end(after: Task | undefined): void {
      const status = after?.status ?? 'removed';
      if (status === 'done') folder.log({ type: 'workflow_complete', iterations: iteration }, now());
      else folder.log({ type: 'workflow_abort', iterations: iteration, reason: reasonOf(after) }, now());
    },
  };
}

function reasonOf(task: Task | undefined): string {
  if (task?.status === 'failed') return task.failure.error;
  if (task?.status === 'blocked') return task.reason.text;
  return task?.status ?? 'removed';
}
