import type { Companion, MirrorLayout } from '../../../layout/layout.ts';
import type { Task } from '../../../task/schema.ts';
import { adopt, adoptAgain } from './adopt.ts';
import { describe } from './describe.ts';
import { queueFile } from './file.ts';
import { join } from './join.ts';
import { metaOf } from './meta.ts';
import { parse, remarks } from './parse.ts';
import { patch } from './patch.ts';
import { byFile } from './path.ts';
import { ownOf, stateKeys } from './record.ts';
import { refOf } from './ref.ts';
import { render } from './render.ts';
import { revise } from './revise.ts';
import { taskDirPattern } from './slug.ts';
import { split } from './split.ts';

/** The queue: many tasks that wait for a batch run, listed in one file that people and other tools write too. */
export const queueLayout: MirrorLayout = {
  name: 'queue',
  mirror: queueFile,
  lock: `${queueFile}.lock`,
  stateKeys,
  remembersVersions: true,
  split,
  join,
  parse,
  remarks,
  ref,
  describe,
  render,
  patch,
  adopt,
  adoptAgain,
  revise,
  companions,
  derived: metaOf,
};

function ref(task: Task): string {
  const { name, nth } = ownOf(task);
  return refOf(name, nth);
}

/** The text of a task that docket made. Where somebody wrote the record, the file is theirs already. */
function companions(task: Task): Companion[] {
  const { task_dir: folder } = ownOf(task).kept;
  if (task.createdBy === byFile || typeof folder !== 'string' || !taskDirPattern.test(folder)) return [];
  return [{ path: `${folder}/order.md`, text: task.spec.body }];
}
