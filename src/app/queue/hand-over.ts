import path from 'node:path';
import type { Entry } from '../../engine/recorder.ts';
import { withNoted } from '../../layout/queue/noted.ts';
import type { Task } from '../../task/schema.ts';
import { deliver } from './deliver.ts';
import type { TaskRun } from './task-run.ts';

/** The end of a run that went well: its work is handed over, and what proves it is named. */
export async function handedOver(task: Task, run: TaskRun): Promise<Entry[]> {
  const { places, folder } = run;
  const { noted, held } = await deliver(task, places);
  const note: Entry[] =
    Object.keys(noted).length > 0 ? [{ type: 'edit', set: { extras: withNoted(task.extras, noted) } }] : [];
  if (held) return [...note, { type: 'settle', verdict: { kind: 'hold', reason: held }, summary: '' }];
  const evidence = [path.relative(places.root, folder.dir)];
  return [...note, { type: 'settle', verdict: { kind: 'pass', evidence }, summary: summaryOf(task) }];
}

function summaryOf({ run }: Task): string {
  const last = run?.steps.at(-1);
  const summary = last && run?.states[last.id]?.report?.['summary'];
  return typeof summary === 'string' && summary !== '' ? summary : 'worked on by an agent';
}
