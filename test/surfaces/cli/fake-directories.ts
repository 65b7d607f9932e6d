import { DocketError } from '../../../src/errors.ts';
import type { LogLine, RanDirectory, RunControl, TaskDirectory } from '../../../src/kinds/directory/api.ts';
import type { TaskDirectories } from '../../../src/kinds/directory/directories.ts';
import type { Docket } from '../../../src/project/docket.ts';
import { gatesOf } from '../../../src/render/gates.ts';
import type { Finding } from '../../../src/surfaces/cli/frame/world.ts';
import type { Gate, Run, Step } from '../../../src/task/run.ts';
import type { Task } from '../../../src/task/schema.ts';

interface Start {
  tasks?: TaskDirectory[];
  findings?: Finding[];
  events?: LogLine[];
  /** What a run or a resume of a task comes to, after it has told its progress. */
  run?: (directory: TaskDirectory, control: RunControl) => Promise<RanDirectory> | RanDirectory;
}

/** Task directories in memory: they keep what they are told, refuse what is not there, and remember the calls. */
export function fakeDirectories(start: Start = {}) {
  const calls: [name: string, ...args: unknown[]][] = [];
  const all = new Map((start.tasks ?? []).map((one) => [one.id, one]));
  const get = (id: string): TaskDirectory => {
    const found = all.get(id);
    if (found === undefined)
      throw new DocketError('NOT_FOUND', `there is no task ${id}`, 'see docket task list', { id });
    return found;
  };
  /** As docket says it that looks for a task of any kind. */
  const known = (id: string): TaskDirectory => {
    const found = all.get(id);
    if (found) return found;
    throw new DocketError('NOT_FOUND', `there is no task "${id}"`, 'see docket list', { ref: id });
  };
  const keep = (directory: TaskDirectory): TaskDirectory => {
    all.set(directory.id, directory);
    return directory;
  };
  const go = async (id: string, control: RunControl): Promise<RanDirectory> =>
    start.run?.(get(id), control) ?? { ...get(id), steps: [], interrupted: false };
  const wanted = (prefix = '') => (start.events ?? []).filter(({ type }) => String(type).startsWith(prefix));

  const directories: TaskDirectories = {
    create: async (input) => {
      calls.push(['create', input]);
      return keep(directory({ id: 'task-new', title: input.title }, { ...input, state: 'created' }));
    },
    list: async () => ({ tasks: [...all.values()], findings: start.findings ?? [] }),
    show: async (id) => get(id),
    events: async (id, query) => {
      calls.push(['events', get(id).id, query]);
      return wanted(query.prefix).slice(query.offset, query.offset + query.limit);
    },
    async *follow(id, { prefix, signal }) {
      calls.push(['follow', get(id).id, { prefix }]);
      yield* wanted(prefix);
      while (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    run: async (id, { signal, onProgress, ...input }) => {
      calls.push(['run', id, input]);
      return go(id, { signal, ...(onProgress && { onProgress }) });
    },
    resume: async (id, { signal, onProgress, ...input }) => {
      calls.push(['resume', id, input]);
      return go(id, { signal, ...(onProgress && { onProgress }) });
    },
    retry: async (id, { signal, onProgress, ...input }) => {
      calls.push(['retry', id, input]);
      return go(id, { signal, ...(onProgress && { onProgress }) });
    },
    join: async (id) => {
      const { task } = get(id);
      const run = { ...(task.run ?? runOf([])), joinedAt: '2026-03-01T12:00:00Z' };
      return keep({ ...get(id), task: { ...task, run } });
    },
    cancel: async (id, input) => {
      calls.push(['cancel', id, input]);
      const { file, task } = get(id);
      const over = {
        canceledBecause: input.reason ?? 'no longer wanted',
        finishedAt: '2026-03-01T12:00:00Z',
      };
      return keep({
        ...get(id),
        file: { ...file, state: 'canceled' },
        task: { ...task, status: 'canceled', ...over },
      });
    },
    export: async (id, { file }) => {
      calls.push(['export', get(id).id, file]);
      return { file, files: 12, left: ['agents/a/codex_home', 'locks'] };
    },
    import: async (input) => {
      calls.push(['import', input]);
      if (!input.dryRun) keep(directory({ id: 'task-old' }));
      return { id: 'task-old', files: 12 };
    },
    validate: async (id) => {
      calls.push(['validate', get(id).id]);
      return start.findings ?? [];
    },
  };
  const gates: Pick<Docket, 'gates' | 'answer'> = {
    gates: async (id) =>
      [...(id === undefined ? all.values() : [known(id)])].flatMap(({ id: name, task }) =>
        gatesOf(task, name).map((one) => ({ ...one, taskKind: 'task' })),
      ),
    answer: async (id, name, answer) => {
      calls.push(['answer', id, name, answer]);
      const { task } = known(id);
      const { run } = task;
      const gate = run?.gates[name];
      if (run === undefined || gate === undefined)
        throw new DocketError('NOT_FOUND', `task ${id} has no gate ${name}`, 'see docket gate list', {});
      if (gate.state !== 'blocked')
        throw new DocketError('REFUSED', `gate ${name} was ${gate.state} already`, 'nothing to do', {});
      const gates = { ...run.gates, [name]: { ...gate, state: answer.decision, resolvedBy: answer.by } };
      return {
        kind: 'task',
        name: id,
        task: keep({ ...get(id), task: { ...task, run: { ...run, gates } } }).task,
      };
    },
  };
  return { directories, calls, gates };
}

const card = {
  id: 'task-1',
  rev: 1,
  title: 'Port the parser',
  spec: { body: '' },
  priority: 0,
  needs: [],
  createdAt: '2026-03-01T11:00:00Z',
  createdBy: 'user',
  updatedAt: '2026-03-01T11:30:00Z',
  queuedAt: '2026-03-01T11:00:00Z',
  extras: {},
  status: 'queued',
};

/** A task directory with these facts; the fields of a status are the test's business. */
export function directory(
  facts: Record<string, unknown> = {},
  file: Record<string, unknown> = {},
): TaskDirectory {
  const task = { ...card, ...facts } as Task;
  const { id, title } = task;
  return {
    id,
    dir: `.agentmesh/tasks/${id}`,
    task,
    file: { id, title, topology: 'swarm', state: 'created', ...file },
  };
}

export function runOf(steps: readonly (Partial<Step> & { id: string })[], more: Partial<Run> = {}): Run {
  const usual: Omit<Step, 'id'> = { kind: 'work', title: 'A step', role: 'coder', agent: 'codex', needs: [] };
  return {
    n: 1,
    goal: 'Port it',
    startedAt: card.createdAt,
    steps: steps.map((step) => ({ ...usual, ...step })),
    orders: [],
    rounds: [],
    states: {},
    gates: {},
    ...more,
  };
}

export function gate(facts: Partial<Gate> = {}): Gate {
  return {
    kind: 'human-approval',
    reason: 'Which port?',
    state: 'blocked',
    times: 1,
    blockedAt: '2026-03-01T11:48:00Z',
    ...facts,
  };
}

/** A task that waits for a person at these gates. */
export function waiting(gates: Record<string, Gate>, facts: Record<string, unknown> = {}): TaskDirectory {
  const reason = { kind: 'gate', text: 'a gate waits', who: 'human' };
  const run = runOf([{ id: 'a' }, { id: 'b' }], {
    states: {
      a: { state: 'done', since: card.createdAt, report: { summary: 'Parsed it.' } },
      b: { state: 'blocked', since: card.createdAt, reason: 'Which port?' },
    },
    gates,
  });
  return directory({ status: 'blocked', reason, run, ...facts }, { state: 'input-required' });
}
