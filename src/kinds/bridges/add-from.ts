import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import { isSameLink, type Link, linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { isActive } from '../../task/status.ts';
import type { AddPlaces } from '../add-input.ts';
import { flowBack } from './flow-back.ts';
import { tellBoard } from './tell-board.ts';

/** A task that was made from the same one and has not ended badly: there is no second one beside it. */
export async function assertFirst(store: Store, link: Link, places: AddPlaces): Promise<void> {
  const before = (await store.list()).find(
    (task) => isSameLink(task.standsFor, link) && isActive(task.status),
  );
  if (!before) return;
  await flowBack(places, before); // a docket that died before it told the board
  const { id } = before;
  throw new DocketError(
    'REFUSED',
    `${linkText(link)} is in the queue already: task ${id}`,
    fix`see it with ${command`show ${id}`}`,
    {
      id,
      [link.layout]: link.id,
    },
  );
}

/** The other side knows of it before anybody is told that it is there. Where somebody was quicker, it is given up. */
export async function takenFrom(store: Store, task: Task, places: AddPlaces): Promise<Task> {
  const told = await tellBoard(places, task, new AbortController().signal);
  if (told.kind !== 'lost') return task;
  const about = { id: task.id, by: 'docket' };
  await execute(store, { ...about, type: 'cancel', reason: told.why }, { now: iso(places.clock) });
  throw new DocketError('REFUSED', told.why, `what was added is canceled; try again when it is free`, {
    id: task.id,
  });
}
