import { sidesOf } from '../../kinds/bridges/sides.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import { askedAt } from '../../render/asked.ts';
import { causeOf } from '../../render/explain/cause.ts';
import type { About, Cause, NextStep } from '../../render/explain/types.ts';
import type { Project } from '../../settings/project.ts';
import { roomNow } from '../../settings/room.ts';
import { roomText } from '../../task/caps.ts';
import type { Task } from '../../task/schema.ts';
import { waitsOf } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';
import { goOn, nextOf, nextSteps } from '../tasks/next.ts';

/** What `show` and `explain` tell of a task of any kind: how it is, why, and what can be done now. */
export async function aboutTask(found: FoundTask, where: Project, of: string | undefined): Promise<About> {
  const { kind, task, name } = found;
  const freed = await freedIn(found, where);
  return {
    kind,
    id: task.id,
    name,
    title: task.title,
    status: task.status,
    cause: {
      ...causeOf(task, waitsOf(found), nextOf(kind).idle(task, name)?.text),
      ...allAsked(task),
      ...freed?.cause,
    },
    next: freed?.next ?? (await stepsFor(found, where, of)),
    ...sidesOf(kind, task),
    ...(task.used && { used: task.used }),
  };
}

async function stepsFor(found: FoundTask, where: Project, of: string | undefined): Promise<NextStep[]> {
  const { kind, name, task } = found;
  const role = await kindNamed(kind).assignee?.(where, task);
  return nextSteps({ kind, name, task, waits: waitsOf(found), ...(role !== undefined && { role }), of });
}

/** A cap held it that has room again: then nobody has to do more than to run it. */
async function freedIn(
  { kind, task }: FoundTask,
  where: Project,
): Promise<{ cause: Pick<Cause, 'text' | 'who'>; next: NextStep[] } | undefined> {
  if (task.status !== 'blocked' || !task.reason.cap) return undefined;
  const { reason, spec } = task;
  const hasRoom = await roomNow(where, [reason]);
  if (!hasRoom(reason, spec.budget)) return undefined;
  const text = `${roomText(task.reason.cap)}: the next run goes on with it`;
  return { cause: { text, who: 'docket' }, next: [goOn(kind)] };
}

/** The reason of a block has one line for each gate; here is room for all that is asked. */
function allAsked({ status, run }: Task): { text?: string } {
  const gates = status === 'blocked' ? Object.entries(run?.gates ?? {}) : [];
  const waiting = gates.filter(([, { state }]) => state === 'blocked');
  const told = waiting.map(([id, gate]) => ({ id, gate, ...askedAt(run, gate) }));
  if (!told.some(({ questions }) => questions)) return {};
  const lines = told.flatMap(({ id, gate, questions = [], summary }) => [
    `${id}: ${summary ?? gate.reason}`,
    ...questions.map((question) => `  ${question}`),
  ]);
  return { text: lines.join('\n') };
}
