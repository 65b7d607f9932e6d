import { loopWords } from '../render/loop.ts';
import { loopIn } from '../task/loop.ts';
import type { BlockReason, Task } from '../task/schema.ts';

/** When a run counts as turning in circles, and how a person lets it go on. */
export interface Loops {
  /** So many rounds without anything new; 0: never. */
  times: number;
  /** The command for that, in the words of the layout. */
  goOn: string;
  /** What people call the task, where that is not its id. */
  name?: string;
}

const longest = 2000;

/** Why a run goes no further although more is due: what it does, it has done before. */
export function stuckIn(task: Task, loops: Loops | undefined): BlockReason | undefined {
  if (!loops || task.status !== 'running') return undefined;
  const loop = loopIn(task.run?.trail, loops.times);
  if (!loop) return undefined;
  const text = `${loopWords(loop, task).slice(0, longest)} See docket explain ${loops.name ?? task.id}; then: ${loops.goOn}`;
  return { kind: 'loop', text, who: 'a person' };
}
