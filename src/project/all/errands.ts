import type { OnProgress } from '../../engine/progress.ts';
import { waitOf } from '../../kinds/requeue.ts';
import type { Meter } from '../../meter/meter.ts';
import type { Project } from '../../settings/project.ts';
import { roomNow, type Ways } from '../../settings/room.ts';
import { isOver } from '../../task/allowed.ts';
import type { BlockReason, Task } from '../../task/schema.ts';

/** Work of a layout other than the queue that can be done, or gone on with, now. */
export interface Errand {
  layout: 'task' | 'packet' | 'board';
  id: string;
  title: string;
  /** What it looked like: the same errand is not run twice for the same state. */
  state: string;
  /** Docket left it in the middle: its agent may still be at work in the people's tree. */
  begun: boolean;
  work(signal: AbortSignal, onProgress: OnProgress | undefined): Promise<Task | undefined>;
}

export interface Errands {
  due: Errand[];
  /** In so many milliseconds there may be more; absent: only if somebody acts. */
  nextMs?: number;
}

const lookAgainMs = 5_000;

/** What is ordered in task directories, packets and on the board, and waits for nobody. Reads only. */
export async function findErrands(where: Project, meter: Meter): Promise<Errands> {
  const found = [...(await directories(where)), ...(await packets(where))];
  const board = await boardTasks(where);
  const reasons = [...found.map(({ task }) => task), ...board].map(reasonOf);
  const line = new Line(where, { meter, hasRoom: await roomNow(where, reasons) });
  for (const errand of found) line.add(errand);
  const ordered = [
    ...board.flatMap((task) => line.stateOf(task) ?? []),
    ...(await stepsLeftOn(where, board)),
  ];
  const due = [...line.due, ...(ordered.length > 0 ? [boardErrand(where, board, ordered.join())] : [])];
  return { due: due.toSorted((a, b) => Number(b.begun) - Number(a.begun)), ...line.next() };
}

/** `mended`: nothing of what held it before it began is wrong any more. */
type Candidate = Omit<Errand, 'state' | 'begun'> & { task: Task; mended?: boolean };

/** Who may go on. Of those that wait for the same provider one finds out whether it answers. */
class Line {
  readonly due: Errand[] = [];
  readonly #tries = new Set<string>();
  readonly #now: number;
  readonly #ways: Ways;
  #nextMs = Infinity;

  constructor({ clock }: Project, ways: Ways) {
    this.#now = clock.now();
    this.#ways = ways;
  }

  add({ task, mended, ...errand }: Candidate): void {
    const state = mended ? `${task.id} ${task.rev} mended` : this.stateOf(task);
    if (state !== undefined) this.due.push({ ...errand, state, begun: isBegun(task) });
  }

  /** What makes it due: with every wait that is over that is something else. Undefined: it is not. */
  stateOf(task: Task): string | undefined {
    const state = `${task.id} ${task.rev}`;
    if (task.status === 'queued') return state;
    const wait = waitOf(task, this.#now, this.#ways);
    if (wait?.kind === 'until') this.#nextMs = Math.min(this.#nextMs, wait.time - this.#now);
    if (wait?.kind === 'tried') this.#nextMs = Math.min(this.#nextMs, lookAgainMs);
    if (wait?.kind === 'over') return `${state} ${wait.text}`;
    if (wait?.kind !== 'try' || this.#tries.has(wait.provider)) return undefined;
    this.#tries.add(wait.provider);
    return `${state} ${wait.text} ${this.#ways.meter.parked(wait.provider)?.parked.until}`;
  }

  next(): Pick<Errands, 'nextMs'> {
    return Number.isFinite(this.#nextMs) ? { nextMs: this.#nextMs } : {};
  }
}

function reasonOf(task: Task): BlockReason | undefined {
  return task.status === 'blocked' ? task.reason : undefined;
}

function isBegun({ status, attempts = {} }: Task): boolean {
  return status === 'queued' && Object.keys(attempts).length > 0;
}

/** Something was ordered for them that is not done. */
async function directories(where: Project): Promise<Candidate[]> {
  const { listTasks } = await import('../../kinds/directory/directories.ts');
  return (await listTasks(where)).tasks.flatMap(({ id, task }): Candidate[] => {
    const { run } = task;
    // Queued with nothing left to do: docket died while the end was proved.
    if (!run || (task.status !== 'queued' && run.steps.every((step) => isOver(run, step.id)))) return [];
    const work: Errand['work'] = async (signal, onProgress) => {
      const { resumeTask } = await import('../../kinds/directory/run.ts');
      return (await resumeTask(where, id, { signal, onProgress })).task;
    };
    return [{ layout: 'task', id, title: task.title, task, work }];
  });
}

async function packets(where: Project): Promise<Candidate[]> {
  const { makePackets } = await import('../../kinds/packet/packets.ts');
  const all = makePackets(where);
  const { packets: found } = await all.list();
  // What does a part of another task's work is run by that one.
  const alone = found.filter(({ task }) => task.standsFor === undefined);
  const candidates: Candidate[] = [];
  for (const { id, task } of alone) {
    const work: Errand['work'] = async (signal, onProgress) => {
      try {
        return (await all.run(id, { signal, patient: true, onProgress })).task;
      } catch (error) {
        const held = await (await import('../../kinds/packet/check.ts')).holdUnsound(where, id, error);
        if (held) return held;
        throw error;
      }
    };
    const mended = await isMended(where, id, task);
    candidates.push({ layout: 'packet', id, title: task.title, task, work, ...(mended && { mended }) });
  }
  return candidates;
}

/** What it was held for before it began is there now. */
async function isMended(where: Project, id: string, task: Task): Promise<boolean> {
  if (task.status !== 'blocked' || task.reason.kind !== 'setup') return false;
  return (await import('../../kinds/packet/check.ts')).isSoundAgain(where, id, task);
}

async function boardTasks(where: Project): Promise<Task[]> {
  const { readBoard } = await import('../../kinds/bridges/board-task.ts');
  return (await readBoard(where))?.list({ status: ['queued', 'blocked'] }) ?? [];
}

/** Steps of an `autopilot N` that a machine's death, or a stop, left undone, where there is a task for them. */
async function stepsLeftOn({ root, clock }: Project, tasks: readonly Task[]): Promise<string[]> {
  const free = tasks.filter(({ status, owner }) => status === 'queued' && owner === undefined);
  if (free.length === 0) return [];
  const [{ autopilotIn, autopilotName }, { readBoard }] = await Promise.all([
    import('../../kinds/board/autopilot-state.ts'),
    import('../../kinds/board/look.ts'),
  ]);
  const { stepsLeft } = autopilotIn(await readBoard({ root, clock }).state(autopilotName));
  return stepsLeft > 0 ? [`${stepsLeft} steps for ${free.map(({ id, rev }) => `${id}@${rev}`).join()}`] : [];
}

/** One pass of what is ordered on the board: its own slots say how many workers. */
function boardErrand(where: Project, tasks: readonly Task[], state: string): Errand {
  return {
    layout: 'board',
    id: 'board',
    title: 'what is ordered on the board',
    state,
    begun: tasks.some(isBegun),
    async work(signal, onProgress) {
      const [{ deskAt }, { autopilot }] = await Promise.all([
        import('../../kinds/board/desk.ts'),
        import('../../kinds/board/autopilot.ts'),
      ]);
      await autopilot(deskAt(where), { signal, locale: 'en', onProgress });
      return undefined;
    },
  };
}
