import { randomUUID } from 'node:crypto';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { isAgent } from '../../settings/caller.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import { trustIn } from '../../settings/trust.ts';
import { execute } from '../../store/execute.ts';
import { refused } from '../refused.ts';
import type { CreateInput, TaskDirectory } from './api.ts';
import { newTask } from './format/new-task.ts';
import { placeOfTask, tasksFolder } from './place.ts';
import { shown, withStore } from './stores.ts';

const longestTitle = 200;

export async function createTask(where: Project, given: CreateInput): Promise<TaskDirectory> {
  const input = await maskWords(where, given);
  const title = input.title.trim();
  if (title === '' || title.length > longestTitle) {
    const message = title === '' ? 'the task has no title' : `the title has ${title.length} characters`;
    throw new DocketError('INVALID', message, `give --title 1 to ${longestTitle} characters`);
  }
  // Before anything is made: settings that cannot be read leave nothing behind.
  const config = await readConfig(where.root, where.env);
  const id = `task-${randomUUID().replaceAll('-', '')}`;
  const place = placeOfTask(where.root, id);
  const folder = makeOwnFolder(where.root, ...tasksFolder.split('/'), id);
  for (const name of ['shared', 'agents']) makeOwnFolder(folder, name);
  return withStore(where, place, async (store) => {
    const made = newTask({ ...input, title });
    const trust = isAgent(where.env) ? trustIn({ source: 'agent' }, config) : undefined;
    const done = await execute(
      store,
      { type: 'create', id, by: 'user', ...made, ...(trust && { trust }) },
      { now: iso(where.clock) },
    );
    if (!done.ok) throw refused(done.refusal);
    return shown(done.task);
  });
}
