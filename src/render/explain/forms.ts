import { isOver } from '../../task/allowed.ts';
import { isRejected, rejectedSteps } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import { failedDelivery } from '../../task/undelivered.ts';
import type { About } from './next.ts';
import type { NextStep, TaskKind } from './types.ts';

/** What each format calls the same thing. */
export interface Forms {
  begin: NextStep[];
  watch: NextStep[];
  /** Somebody else has to look at what was handed in. */
  review: NextStep[];
  over: NextStep[];
  /** Shows what went wrong. */
  look: NextStep[];
  /** Lets it go on, when what held it is mended. */
  again: (does: string) => NextStep[];
  /** Raises its own budget, and goes on. */
  allow: (cap: string) => NextStep[];
  /** Goes on by itself when its time has come. */
  wait: NextStep[];
}

export function formsOf(about: About): Forms {
  return commandsOf[about.kind](about);
}

export function step(words: readonly string[], does: string): NextStep {
  return { words, does };
}

const afterAll = 'take the no back: it is wanted after all';

/** Runs it, and whatever else waits for nobody. */
export function goOn(kind: TaskKind): NextStep {
  return step(['run', ...(kind === 'queue' ? [] : ['--all'])], 'go on with it');
}

const waitForAll = [step(['run', '--all', '--wait'], 'wait for the end of the limit, and go on')];

const commandsOf: Readonly<Record<TaskKind, (about: About) => Forms>> = {
  queue(about) {
    const { name, task, toMerge } = about;
    const watch = [follow(about), step(['cancel', name], 'end it')];
    const isConflict = task.status === 'blocked' && task.reason.kind === 'conflict';
    return {
      begin: [step(['run', name], 'run it'), step(['run', '--dry-run'], 'see what would run first, and why')],
      watch,
      review: watch,
      over: [
        ...diff(about),
        ...deliverySteps(about),
        ...(toMerge ? [step(['merge', name], 'bring it in')] : []),
        step(['requeue', name], 'do it once more'),
      ],
      look: [...diff(about), ...logs(about)],
      again: (does) =>
        isConflict
          ? conflictSteps(about, does)
          : [step(['retry', name, '--note', 'TEXT'], isRejected(task) ? afterAll : does)],
      allow: (cap) => [step(['retry', name, '--budget', cap], 'allow it more, and go on')],
      wait: [step(['run', '--wait'], 'wait for the end of the limit, and go on')],
    };
  },
  task(about) {
    const { name, task } = about;
    const watch = [follow(about), step(['task', 'cancel', name], 'end it')];
    const show = (does: string) => step(['task', 'show', name], does);
    const more = (does: string) => step(['task', 'run', name, '--goal', 'TEXT'], does);
    const goOn = (does: string, otherwise: string) =>
      isLeft(task) ? step(['task', 'resume', name], does) : more(otherwise);
    const given = has(task, 'canceled')
      ? step(['task', 'retry', name], 'reopen it')
      : goOn('go on with what is left', 'give it more work');
    return {
      begin: [goOn('go on', 'give it work')],
      watch,
      review: watch,
      over: [show('see what came of it'), given],
      look: [show('see its steps'), ...logs(about)],
      again: (does) =>
        isRejected(task)
          ? [step(['task', 'retry', name, ...rejected(task), '--note', 'TEXT'], afterAll)]
          : task.status === 'failed' && has(task, 'failed')
            ? [step(['task', 'retry', name], `${does}: what failed`)]
            : [goOn(does, 'give it more work')],
      allow: () => [goOn('go on, when you have allowed it more', 'give it more work')],
      wait: waitForAll,
    };
  },
  packet(about) {
    const { name, task } = about;
    const watch = [follow(about), step(['packet', 'cancel', name], 'end it')];
    const status = (does: string) => step(['packet', 'status', name], does);
    return {
      begin: [step(['packet', 'run', name], 'run it')],
      watch,
      review: watch,
      over: [
        status('see what came of it'),
        task.status === 'canceled'
          ? step(['packet', 'run', name], 'take it up again')
          : step(['packet', 'run', name, '--force'], 'do it once more'),
      ],
      look: [status('see its stages, and what failed'), ...logs(about)],
      again: (does) => [step(['packet', 'resume', name], does)],
      allow: () => [step(['packet', 'resume', name], 'go on, when you have raised it in its manifest')],
      wait: waitForAll,
    };
  },
  board(about) {
    const { name, task, role = 'coder', ordered = task.run !== undefined } = about;
    const status = step(['board', 'status', name], 'see how it is');
    const isFree = task.owner === undefined || task.owner === role;
    const say = (words: string, does: string) => step(['say', `${words} ${name}`], does);
    return {
      begin: isFree
        ? [
            step(['board', 'dispatch', name, role, '--spawn'], 'give it to a worker'),
            ...(task.owner === undefined && !ordered
              ? [
                  step(['add', '--from', name], 'let the queue do it'),
                  step(['board', 'autopilot', '1'], 'give the next task of the board to a worker'),
                ]
              : []),
          ]
        : [status, say('cancel', 'end it')],
      watch: isByProcess(task) ? [follow(about)] : [status],
      review: [say('approve', 'agree: it is done'), say('request changes', 'give it back')],
      over: [say('reopen', 'do it once more')],
      look: [status, ...logs(about)],
      again: (does) => [say(task.status === 'failed' ? 'reopen' : 'unblock', does)],
      allow: () => [say('unblock', 'go on, when you have allowed it more')],
      wait: waitForAll,
    };
  },
};

/** The same merge would conflict again: first somebody has to settle it. */
function conflictSteps({ name, heldByMerge = false }: About, does: string): NextStep[] {
  if (!heldByMerge) return [step(['retry', name], does)];
  return [
    step(['retry', name], 'have its agent settle the conflict; it is told of it'),
    step(['merge', name], 'bring it in, when you have settled it on its branch'),
  ];
}

/** The commands that deliver finished work. */
function deliverySteps({ name, task }: About): NextStep[] {
  const failed = failedDelivery(task);
  if (!failed) return [];
  if (failed.cause === 'author')
    return [step(['pr', name], 'push it and open a pull request, once you have reviewed it')];
  return [step(['retry', name], 'deliver it again without calling an agent, once the cause is fixed')];
}

function diff({ name, task }: About): NextStep[] {
  return task.run || task.attempts ? [step(['diff', name], 'see what it changed')] : [];
}

function logs({ name, task, of }: About): NextStep[] {
  return task.attempts ? [step(['logs', name, ...which(of)], 'see what its agents said')] : [];
}

function follow({ name, of }: About): NextStep {
  return step(['logs', name, '--follow', ...which(of)], 'see what its agents do');
}

function which(of: string | undefined): string[] {
  return of === undefined ? [] : ['--of', of];
}

/** A no is taken back only in so many words. */
function rejected({ run }: Task): string[] {
  return rejectedSteps(run).map(({ step: { id } }) => id);
}

/** Steps that were ordered, and are not over. */
function isLeft({ run }: Task): boolean {
  return run?.steps.some(({ id }) => !isOver(run, id)) ?? false;
}

function has({ run }: Task, wanted: 'failed' | 'canceled'): boolean {
  return Object.values(run?.states ?? {}).some(({ state }) => state === wanted);
}

function isByProcess(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'process';
}
