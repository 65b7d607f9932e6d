import path from 'node:path';
import type { Entry } from '../../engine/recorder.ts';
import { ignoredSeen } from '../../gate/seen.ts';
import type { Task } from '../../task/schema.ts';
import { deliver, type NotedSet } from './deliver.ts';
import { withNoted } from './format/noted.ts';
import type { TaskRun } from './task-run.ts';

/** The end of a run that went well: its work is handed over, and what proves it is named. */
export async function handedOver(task: Task, run: TaskRun, proved: readonly string[]): Promise<Entry[]> {
  const { places, folder } = run;
  const { noted, held, delivery, ignored } = await deliver(task, places, run.config);
  const noting = (set: NotedSet): Entry => ({
    type: 'edit',
    set: { extras: withNoted(task.extras, set), ...(delivery && { delivery }) },
  });
  // Its run is not at its end yet: once a person has seen to it, it goes on with the delivery.
  if (held) return [noting(noted), { type: 'settle', verdict: { kind: 'hold', reason: held }, summary: '' }];
  if (ignored) run.prover.saw(task, `${noted.commit?.slice(0, 12)}-clean`, ignoredSeen(ignored));
  const evidence = [path.relative(places.root, folder.dir), ...proved, ...committed(task, run, noted)];
  const ended = task.run?.steps.at(-1)?.id;
  return [
    noting({ ...noted, ended }),
    { type: 'settle', verdict: { kind: 'pass', evidence }, summary: summaryOf(task) },
  ];
}

/** What was committed is what was proved, and nothing was left over. */
function committed(task: Task, { prover }: TaskRun, { commit, branch = '' }: NotedSet): string[] {
  if (commit === undefined) return [];
  const note = `committed on ${branch}, and nothing is left uncommitted`;
  return [prover.saw(task, `${commit.slice(0, 12)}-clean`, { kind: 'tree', what: commit, ok: true, note })];
}

function summaryOf({ run }: Task): string {
  const last = run?.steps.at(-1);
  const summary = last && run?.states[last.id]?.report?.['summary'];
  return typeof summary === 'string' && summary !== '' ? summary : 'worked on by an agent';
}
