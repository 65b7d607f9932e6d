import { readEvidence, type ShownEvidence } from '../../engine/evidence-book.ts';
import type { BoardTask } from '../../kinds/board/format/intent.ts';
import { boardTask } from '../../kinds/board/format/task.ts';
import { sidesOf, type Sides } from '../../kinds/bridges/sides.ts';
import type { TaskDirectory } from '../../kinds/directory/api.ts';
import { shown as shownDirectory } from '../../kinds/directory/stores.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import type { Packet } from '../../kinds/packet/api.ts';
import { makePackets } from '../../kinds/packet/packets.ts';
import { detailsOf, type StepDetails, stepsOf, type TaskDetails } from '../../kinds/queue/show.ts';
import type { NextStep } from '../../render/explain/types.ts';
import type { Project } from '../../settings/project.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { findTask } from '../tasks/find.ts';
import { stepsFor } from './steps-for.ts';

/** All about one task, each format in its own terms. */
export type ShownTask =
  | { kind: 'queue'; details: TaskDetails }
  | { kind: 'task'; directory: TaskDirectory }
  | { kind: 'packet'; packet: Packet }
  | { kind: 'board'; details: BoardDetails };

interface BoardDetails {
  task: Task;
  /** As the board lists it. */
  record: BoardTask;
  waits: readonly UnmetNeed[];
  steps: StepDetails[];
  evidence: ShownEvidence[];
  /** Tasks of other layouts that belong to it. */
  sides: Sides;
  next: NextStep[];
}

/** Takes no lock and changes nothing. */
export async function showTask(where: Project, ref: string, of: string | undefined): Promise<ShownTask> {
  const found = await findTask(where, ref, of);
  const { kind, task, name, view, store } = found;
  switch (kind) {
    case 'queue':
      return { kind, details: detailsOf(task, view, { root: where.root, dir: store.dir }) };
    case 'task':
      return { kind, directory: shownDirectory(task) };
    case 'packet':
      return { kind, packet: await makePackets(where).show(name) };
    case 'board':
      return { kind, details: await boardDetails(found, where, of) };
  }
}

async function boardDetails(found: FoundTask, where: Project, of: string | undefined): Promise<BoardDetails> {
  const { task, view } = found;
  return {
    task,
    record: boardTask(task),
    waits: view.waits[task.id] ?? [],
    steps: stepsOf(task),
    evidence: readEvidence(where.root, `.docket/board/evidence/${task.id}`, task.id),
    sides: sidesOf('board', task),
    next: await stepsFor(found, where, of),
  };
}
