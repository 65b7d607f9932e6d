import type { Told } from '../../kinds/board/told.ts';
import { notice } from '../../render/board/notice.ts';
import type { Move } from '../../render/board/outcome.ts';
import { isObject } from '../../task/json.ts';
import { answered, given, has, type Call, type Printed } from './call.ts';
import type { Opened } from './open.ts';
import type { PostMode } from './post.ts';
import { publish } from './publish.ts';
import { onBoard } from './router.ts';

/** What the group is told about each command of the board. */
const moves: Readonly<Record<string, Move>> = {
  create_task: 'created',
  claim_task: 'claimed',
  mark_done: 'done',
  block_task: 'blocked',
  escalate_task: 'escalated',
};

/** `milestones publish-apply`: the answer of an `apply` before, as the message that belongs to it. */
export async function publishApply(call: Call): Promise<Printed> {
  const applied = parsed(given(call, 'apply-json'));
  if (applied === undefined) return answered({ ok: false, error: 'invalid apply json' });
  const allowed = ['orchestrator', ...(has(call, 'allow-broadcaster') ? ['broadcaster'] : [])];
  return onBoard(call, given(call, 'mode') as PostMode, async (opened) => {
    const notices = await noticesOf(applied, opened);
    return answered(publish(notices, opened.giving.poster, given(call, 'actor'), allowed));
  });
}

async function noticesOf(applied: Record<string, unknown>, { giving }: Opened): Promise<Told[]> {
  const { ok, intent, taskId, diagTaskId } = applied;
  const move = typeof intent === 'string' && Object.hasOwn(moves, intent) ? moves[intent] : undefined;
  const id = move === 'escalated' ? diagTaskId : taskId;
  const task = typeof id === 'string' ? await giving.viewOf(id) : undefined;
  if (ok !== true || move === undefined || !task) return [];
  const text = notice({ kind: 'moved', move, task }, 'zh');
  return [{ key: '', seq: -1, taskId: task.taskId, text }]; // the log has it
}

/** The object may stand among other words. */
function parsed(text: string): Record<string, unknown> | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
