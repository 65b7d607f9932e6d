import { isOver } from './allowed.ts';
import { stepsBehind } from './proof-question.ts';
import type { Run, Step } from './run.ts';
import type { Task } from './schema.ts';

/** A no to this gate is the end of its task: nothing else of it is left to do, to be answered or to be planned. */
export function endsIt(task: Pick<Task, 'run' | 'status'>, gate: string): boolean {
  const { run, status } = task;
  const step = run?.gates[gate]?.step;
  if (!run || step === undefined || status !== 'blocked' || run.planner) return false;
  const waits = Object.entries(run.gates).some(([id, { state }]) => id !== gate && state === 'blocked');
  return !waits && run.steps.every(({ id }) => id === step || isOver(run, id));
}

/** A step that a person said no to, and that nobody has wanted again since. */
interface Rejected {
  step: Step;
  gate: string;
  reason: string;
}

export function rejectedSteps(run: Run | undefined): Rejected[] {
  return Object.entries(run?.gates ?? {}).flatMap(([gate, facts]) =>
    stepsBehind(facts).flatMap((id) => {
      const step = run?.steps.find((one) => one.id === id);
      const now = step && run?.states[step.id];
      return step && facts.state === 'rejected' && now?.state === 'failed' && now.since === facts.resolvedAt
        ? [{ step, gate, reason: now.reason ?? `rejected at ${gate}` }]
        : [];
    }),
  );
}

export function rejectedStep(run: Run | undefined): Rejected | undefined {
  return rejectedSteps(run)[0];
}

/** It failed because people said no, and for nothing else: it needs nobody until somebody wants it after all. */
export function isRejected({ status, run }: Pick<Task, 'status' | 'run'>): boolean {
  return status === 'failed' && rejectedStep(run) !== undefined && failedOtherwise(run).length === 0;
}

/** Steps that failed by themselves: nobody said no to them, or to one that they need. */
export function failedOtherwise(run: Run | undefined): Step[] {
  const failed = failedIn(run);
  const no = withThoseBehind(
    failed,
    rejectedSteps(run).map(({ step }) => step),
  );
  return failed.filter((step) => !no.includes(step));
}

/** With what failed only because it needs one of these. */
export function withThoseBehind(failed: readonly Step[], wanted: readonly Step[]): Step[] {
  const ids = new Set(wanted.map(({ id }) => id));
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const { id, needs } of failed) if (needs.some((need) => ids.has(need))) ids.add(id);
  }
  return failed.filter(({ id }) => ids.has(id));
}

export function failedIn(run: Run | undefined): Step[] {
  return run?.steps.filter(({ id }) => run.states[id]?.state === 'failed') ?? [];
}

const mostNamed = 5;
const longest = 300;

/** Which steps failed and why, in one line: whoever reads only this knows what to mend. */
export function whyFailed({ states }: Pick<Run, 'states'>, failed: readonly Step[]): string {
  const named = failed.slice(0, mostNamed).map(({ id }) => `${id}: ${firstOf(states[id]?.reason)}`);
  const more = failed.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** A line that only announces is told with the one below it. */
function firstOf(reason = ''): string {
  const [first = '', second = ''] = reason.split('\n').flatMap((line) => line.trim() || []);
  const words = first.endsWith(':') ? `${first} ${second}`.trim() : first;
  if (words === '') return 'it failed';
  return words.length <= longest ? words : `${words.slice(0, longest)}…`;
}
