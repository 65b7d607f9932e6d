import type { Task } from '../../../task/schema.ts';
import type { TriageClass } from './facts.ts';
import { failureOf } from './failure.ts';
import { packetName } from './name.ts';
import { makerOfRefused, stagesOf } from './stage-view.ts';

/** The command that comes next, whole; and behind it what a person has to do before. */
export function nextAction(task: Task): string {
  const docket = (verb: string) => `docket packet ${verb} ${packetName(task)}`;
  switch (task.status) {
    case 'done':
      return task.archivedAt === undefined ? `none, it is done (${docket('archive')} puts it away)` : 'none';
    case 'canceled':
      return 'none, it was canceled';
    case 'running':
    case 'review':
      return `${docket('status')} (it is at work)`;
    case 'queued':
      return docket(task.run ? 'resume' : 'run');
    case 'blocked':
    case 'failed': {
      const failure = failureOf(task);
      const first = failure && before(failure.class, failure.facts?.tool ?? 'the agent');
      const maker = makerOfRefused(stagesOf(task));
      const again =
        maker === undefined ? '' : `, or ${docket('run')} --from ${maker} (the agent tries again)`;
      return docket('resume') + (until(task) ?? (first === undefined ? '' : ` (first: ${first})`)) + again;
    }
  }
}

function until(task: Task): string | undefined {
  return task.status === 'blocked' && task.reason.resumesAt !== undefined
    ? ` (not before ${task.reason.resumesAt})`
    : undefined;
}

/** What resuming alone would not mend. */
function before(kind: TriageClass, tool: string): string | undefined {
  switch (kind) {
    case 'auth':
      return `log in to ${tool} again`;
    case 'tooling':
      return 'mend what the reason above says';
    case 'budget':
      return 'raise the budget in manifest.yaml';
    case 'scope_violation':
      return 'widen scope.allow in manifest.yaml, or narrow the request';
    case 'contract_violation':
      return 'look at the gate reasons above';
    case 'prompt_too_large':
      return 'shorten the inputs';
    case 'timeout':
      return 'raise budgets.max_wallclock_sec, or make the request smaller';
    case 'limit':
      return 'wait for the limit to end';
    case 'unknown':
      return 'read the .err file';
    case 'transient':
      return undefined;
  }
}
