import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { isDirectory } from '../../io/find-up.ts';
import type { Project } from '../../settings/project.ts';
import { applyTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import type { Heard } from '../../task/link.ts';
import type { Task, TaskOf } from '../../task/schema.ts';
import { deskAt, withBoard } from '../board/desk.ts';
import { agentFor } from '../board/dispatch.ts';
import { gated } from '../board/gate.ts';
import { notedOf } from '../queue/format/record.ts';
import { boardMove, holder } from './board-move.ts';
import { readBoard } from './board-task.ts';
import { queueReport, resultText } from './queue-report.ts';

/** What is told to the board: nothing had changed, it knows now, or somebody else has decided about its task. */
export type Told =
  | { kind: 'same' }
  | { kind: 'told'; status: Task['status'] }
  | { kind: 'lost'; why: string };

const mostTries = 5;

/**
 * Tells the board what its task has come to in the queue. Done as often as anybody likes: when the task begins and when
 * it ends, when a person acts on it, and at the start of the next run for what a crash left untold.
 */
export async function tellBoard(where: Project, child: Task, signal: AbortSignal): Promise<Told> {
  const { standsFor } = child;
  if (standsFor?.layout !== 'board') return { kind: 'same' };
  const { id } = standsFor;
  const board = (await readBoard(where))?.get(id);
  if (!board) return { kind: 'lost', why: `there is no ${id} on the board` };
  for (let tries = 0, seen = board; tries < mostTries; tries += 1) {
    const move = boardMove(seen, child, iso(where.clock));
    if (move.kind === 'none') return { kind: 'same' };
    if (move.kind === 'lost') return move;
    // Before the board is locked: commands take their time.
    const gate =
      move.kind === 'gate' ? await judged(where, seen, child as TaskOf<'done'>, signal) : undefined;
    if (signal.aborted) return { kind: 'same' };
    const after = await written(where, seen, child, gate);
    if (after.rev !== seen.rev && after.doneBy?.rev === child.rev)
      return { kind: 'told', status: after.status };
    seen = after;
  }
  throw new DocketError('CONFLICT', `${id} of the board changed ${mostTries} times meanwhile`, 'try again', {
    id,
  });
}

/** One transaction of the board: what becomes of its task, by whom, and which revision of that it has heard of. */
function written(where: Project, seen: Task, child: Task, gate: Command | undefined): Promise<Task> {
  const { id } = seen;
  return withBoard(deskAt(where), (store) =>
    store.exclusive([], (ledger, commit, now) => {
      const task = ledger.get(id);
      if (!task)
        throw new DocketError('NOT_FOUND', `there is no ${id} on the board`, fix`${command`board status`}`, {
          id,
        });
      const move = task.rev === seen.rev ? boardMove(task, child, now) : undefined;
      if (move?.kind !== 'commands' && !(move?.kind === 'gate' && gate)) return task; // somebody was quicker: look again
      const commands =
        move.kind === 'gate' && gate ? [...move.before, gate] : move.kind === 'commands' ? move.commands : [];
      const doneBy: Heard = { layout: 'queue', id: child.id, rev: child.rev, as: asOf(move, gate) };
      const link: Command = { type: 'edit', id, by: holder, set: { doneBy } };
      const done = applyTogether(ledger, [link, ...commands], now, commit);
      if (!done.ok)
        throw new DocketError('REFUSED', done.message, fix`see ${command`explain ${id}`}`, { id });
      return ledger.get(id) ?? task;
    }),
  );
}

function asOf(move: ReturnType<typeof boardMove>, gate: Command | undefined): NonNullable<Heard['as']> {
  if (move.kind === 'commands') return move.as;
  return gate?.type === 'settle' && gate.verdict.kind === 'pass' ? 'done' : 'blocked';
}

/** The board's own gate, with docket's evidence: its policy judges, and its commands run where the work is. */
async function judged(
  where: Project,
  board: Task,
  child: TaskOf<'done'>,
  signal: AbortSignal,
): Promise<Command> {
  const desk = deskAt(where);
  const report = queueReport(child, where.root);
  const { owner: _, ...free } = board;
  const role = agentFor(free as Task, desk.protocol.agents);
  const { workspace } = notedOf(child);
  const cwd = workspace !== undefined && isDirectory(workspace) ? { cwd: workspace } : {};
  const about = { ...desk, taskId: board.id, tasks: [child, board], signal, ...cwd };
  const { verdict } = await gated(role, report, 'en', about);
  return { type: 'settle', id: board.id, by: holder, verdict, summary: resultText(child, report) };
}
