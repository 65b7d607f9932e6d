import { isOver } from '../../task/allowed.ts';
import type { BlockReason, Task, TaskOf } from '../../task/schema.ts';
import type { NextStep, TaskKind } from './types.ts';

interface About {
  kind: TaskKind;
  /** What people call it in this format's commands. */
  name: string;
  task: Task;
}

/** What can be done now, the likeliest first. Each of them is a command that is taken in this state. */
export function nextSteps({ kind, name, task }: About): NextStep[] {
  const forms = commandsOf[kind](name, task);
  switch (task.status) {
    case 'queued':
      return forms.begin;
    case 'running':
    case 'review':
      return forms.watch;
    case 'done':
    case 'canceled':
      return forms.over;
    case 'failed':
      return [...forms.look, ...forms.again('try it again')];
    case 'blocked':
      return blockedSteps(task, forms);
  }
}

interface Forms {
  begin: NextStep[];
  watch: NextStep[];
  over: NextStep[];
  /** Shows what went wrong. */
  look: NextStep[];
  /** Lets it go on, when what held it is mended. */
  again: (does: string) => NextStep[];
  /** Goes on by itself when its time has come. */
  wait: NextStep[];
}

function blockedSteps(task: TaskOf<'blocked'>, forms: Forms): NextStep[] {
  const gates = Object.entries(task.run?.gates ?? {}).filter(([, { state }]) => state === 'blocked');
  if (gates.length > 0)
    return gates.flatMap(([gate, { options }]) => [
      step(
        ['gate', 'approve', task.id, gate, ...(options ? ['--choice', 'ID'] : ['--note', 'TEXT'])],
        'answer',
      ),
      step(['gate', 'reject', task.id, gate], 'say no: the step is over'),
    ]);
  const { first, does } = wayOut[task.reason.kind];
  const before = first === 'look' ? forms.look : first === 'agents' ? [agents] : [];
  if (task.reason.kind === 'limit') return [...forms.wait, ...forms.again(does)];
  return [...before, ...forms.again(does)];
}

const agents = step(['agents'], 'see whether they can be reached and are logged in');

/** What leads out of each kind of block. */
const wayOut: Readonly<Record<BlockReason['kind'], { first?: 'look' | 'agents'; does: string }>> = {
  gate: { does: 'go on, when you have seen to it' },
  limit: { does: 'try it now' },
  dependency: { first: 'look', does: 'go on, when what it needs is done' },
  budget: { does: 'go on, when you have allowed it more' },
  auth: { first: 'agents', does: 'go on, when the agent is logged in' },
  setup: { first: 'look', does: 'go on, when what it needs is there' },
  scope: { first: 'look', does: 'go on, when you have looked at what it changed' },
  verify: { first: 'look', does: 'go on, when you have looked at what is not proved' },
  conflict: { first: 'look', does: 'go on, when the conflict is settled' },
  stall: { first: 'look', does: 'try it again' },
  crash: { first: 'look', does: 'try it again' },
  provider: { first: 'agents', does: 'try it again' },
  refused: { first: 'look', does: 'try it again, in other words' },
  loop: { first: 'look', does: 'go on, with other words for it; it counts anew' },
};

const commandsOf: Readonly<Record<TaskKind, (name: string, task: Task) => Forms>> = {
  queue: (name, task) => ({
    begin: [step(['run', name], 'run it'), step(['run', '--dry-run'], 'see what would run first, and why')],
    watch: [step(['logs', name, '--follow'], 'see what its agents do'), step(['cancel', name], 'end it')],
    over: [...diffOf(name, task), step(['requeue', name], 'do it once more')],
    look: [...diffOf(name, task), ...logsOf(name, task)],
    again: (does) =>
      task.status === 'blocked' && task.reason.kind === 'conflict'
        ? [step(['merge', name], 'try to bring it in again'), step(['retry', name], does)]
        : [step(['retry', name, '--note', 'TEXT'], does)],
    wait: [step(['run', '--wait'], 'wait for the end of the limit, and go on')],
  }),
  task: (name, task) => ({
    begin: task.run
      ? resumed(name, 'go on')
      : [step(['task', 'run', name, '--goal', 'TEXT'], 'give it work')],
    watch: [
      step(['task', 'events', name, '--follow'], 'see what happens'),
      step(['task', 'cancel', name], 'end it'),
    ],
    over: [step(['task', 'show', name], 'see what came of it'), moreWork(name)],
    look: [step(['task', 'show', name], 'see its steps')],
    again: (does) => (isLeft(task) ? resumed(name, does) : [moreWork(name)]),
    wait: [step(['run', '--all', '--wait'], 'wait for the end of the limit, and go on')],
  }),
  packet: (name) => ({
    begin: [step(['packet', 'run', name], 'run it')],
    watch: [step(['packet', 'status', name], 'see its stages'), step(['packet', 'cancel', name], 'end it')],
    over: [
      step(['packet', 'status', name], 'see what came of it'),
      step(['packet', 'run', name, '--force'], 'do it once more'),
    ],
    look: [step(['packet', 'status', name], 'see its stages, and what failed')],
    again: (does) => [step(['packet', 'run', name], does)],
    wait: [step(['run', '--all', '--wait'], 'wait for the end of the limit, and go on')],
  }),
  board: (name, task) => ({
    begin: [step(['board', 'dispatch', name, task.owner ?? 'coder', '--spawn'], 'give it to a worker')],
    watch: [step(['board', 'status', name], 'see how it is')],
    over: [step(['say', `reopen ${name}`], 'do it once more')],
    look: [step(['board', 'status', name], 'see how it is')],
    again: (does) => [step(['say', `${task.status === 'failed' ? 'reopen' : 'unblock'} ${name}`], does)],
    wait: [step(['run', '--all', '--wait'], 'wait for the end of the limit, and go on')],
  }),
};

function step(words: readonly string[], does: string): NextStep {
  return { words, does };
}

function diffOf(name: string, { run, attempts }: Task): NextStep[] {
  return run || attempts ? [step(['diff', name], 'see what it changed')] : [];
}

function logsOf(name: string, { run, attempts }: Task): NextStep[] {
  return run || attempts ? [step(['logs', name], 'see what its agents said')] : [];
}

function resumed(name: string, does: string): NextStep[] {
  return [step(['task', 'resume', name], does)];
}

function moreWork(name: string): NextStep {
  return step(['task', 'run', name, '--goal', 'TEXT'], 'give it more work');
}

/** Steps that were ordered, and are not over. */
function isLeft({ status, run }: Task): boolean {
  return status === 'blocked' || (run?.steps.some(({ id }) => !isOver(run, id)) ?? false);
}
