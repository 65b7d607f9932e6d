import path from 'node:path';
import type { Prover } from '../../engine/prove.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { proverFor } from '../../settings/prove.ts';
import type { Task } from '../../task/schema.ts';
import { nodeOf } from '../../workflow/next.ts';
import { ownOf } from './format/record.ts';
import type { TaskRun } from './task-run.ts';

/** What proves a task of the queue, in the tree that its steps are watched in. */
export function queueProver(
  task: Task,
  { places, config, cwd, graph, tree, masking }: Omit<TaskRun, 'prover'>,
): Prover {
  const { name } = ownOf(task);
  return proverFor(
    { ...places, config },
    {
      cwd,
      masking,
      attempts: { attemptsBy: 'step', attempts: path.join(places.dir, 'attempts', task.id) },
      folder: () => makeOwnFolder(places.dir, 'evidence', task.id),
      scratch: () => makeOwnFolder(places.dir, 'proof', task.id),
      look: (fresh) => tree.now(fresh),
      writes: (step) => nodeOf(graph, step)?.permission !== 'read',
      back: ({ run }) => {
        const last = run?.steps.at(-1);
        const node = last && nodeOf(graph, last);
        return last?.kind === 'work' && !last.sub && node?.permission !== 'read' ? last.id : undefined;
      },
      name,
      goOn: `docket retry ${name}`,
    },
  );
}
