import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import type { Outcome } from '../../render/board/outcome.ts';
import {
  assertCanGoBack,
  assertNoOptions,
  workIsInTree,
  type Act,
  type ActInput,
  type Changed,
  type KindVerbs,
  type OpenProject,
} from '../act.ts';
import type { FoundTask } from '../kind.ts';
import { isBackAlready } from '../put-back.ts';
import { makeBoard } from './board.ts';
import { deskAt, withBoard } from './desk.ts';
import type { Intent } from './format/intent.ts';
import { foreman } from './moves.ts';

export const boardVerbs: KindVerbs = {
  open: (project, _, use) => withBoard(deskAt(project), use),
  act: actOn,
  cannot: {
    delete: (name) => ({ why: 'the board keeps what was on it', fix: fix`${command`cancel ${name}`}` }),
    restore: () => ({
      why: 'a task of the board is never deleted',
      fix: fix`${command`board status`} shows them`,
    }),
    ...workIsInTree,
    run: (name) => ({
      why: 'it is a task of the board',
      fix: fix`give it to a worker: ${command`board dispatch ${name} coder --spawn`}; or to the queue: ${command`add --from ${name}`}`,
    }),
  },
};

/** As if somebody had said it to the board: the same rules hold, and the same people hear of it. */
async function actOn(project: OpenProject, found: FoundTask, act: Act, input: ActInput): Promise<Changed> {
  const { task, name } = found;
  assertNoOptions(found, input, ['from', 'moreSteps', 'budget'], fix`${command`say "reopen ${name}"`}`);
  if (act !== 'cancel') {
    assertCanGoBack(task, name, act);
    const same = isBackAlready(task, input);
    if (same) return same;
  }
  if (act === 'cancel' && task.status === 'canceled') return { status: 'canceled', changed: false };
  if (input.dryRun) return { status: 'canceled', changed: true };
  const reason = input.note ?? input.reason;
  const about = { taskId: name, ...(reason !== undefined && { reason }) };
  const intent: Intent =
    act === 'cancel'
      ? { intent: 'cancel_task', ...about }
      : { intent: task.status === 'blocked' ? 'unblock_task' : 'reopen_task', ...about };
  const { signal } = new AbortController();
  const { outcome, reply } = await makeBoard(project).act(intent, { actor: foreman, signal });
  assertDone(outcome, reply, name);
  return { status: act === 'cancel' ? 'canceled' : 'queued', changed: outcome.kind === 'moved' };
}

function assertDone({ kind }: Outcome, reply: string, name: string): void {
  if (kind === 'moved' || kind === 'already') return;
  const message = reply
    .replace(/^\[TASK\] /, '')
    .split('\n')
    .join('; ');
  throw new DocketError(
    'REFUSED',
    message,
    fix`see what can be done with it now: ${command`explain ${name}`}`,
    {
      id: name,
    },
  );
}
