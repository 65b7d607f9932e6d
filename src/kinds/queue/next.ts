import { command } from '../../errors/command.ts';
import type { NextStep } from '../../render/explain/types.ts';
import { failedDelivery } from '../../task/delivery.ts';
import type { NamedNeed } from '../../task/needs.ts';
import { isRejected } from '../../task/rejected.ts';
import { afterAll, follow, logs, step, type About, type Forms, type KindNext, titledId } from '../forms.ts';
import { mergeStateOf } from './actions.ts';
import { ownOf } from './format/record.ts';

export const queueNext: KindNext = {
  noun: 'task of the queue',
  first: command`add "Fix the flaky login test"`,
  label(task) {
    const { name } = ownOf(task);
    return name === task.id ? titledId(task) : name;
  },
  namesSayTitle: true,
  run: ['run'],
  goOn: (name) => ['run', name],
  retry: (name) => ['retry', name],
  idle: () => undefined,
  forms: queueForms,
};

function queueForms(about: About): Forms {
  const { name, task } = about;
  const { toMerge } = mergeStateOf(task);
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
    lost: (waits) => lostSteps(name, waits),
    restore: [step(['restore', name], 'bring it back: it was deleted')],
  };
}

const mostNeeds = 5;

function lostSteps(name: string, waits: readonly NamedNeed[]): NextStep[] {
  const again = takenUp(waits).slice(0, mostNeeds);
  return again.length > 0 ? [...again, step(['cancel', name], 'give it up as well')] : [];
}

/** What stands still for good, each once, however many wait between. */
function takenUp(waits: readonly NamedNeed[]): NextStep[] {
  const lost = new Map(waits.flatMap((need) => (need.lost ? [[need.lost.on, need.lost]] : [])));
  return [...lost.values()].flatMap(({ on, name = on, status }) => {
    if (status === 'missing') return [];
    const words = ['retry', name, ...(status === 'canceled' ? [] : ['--note', 'TEXT'])];
    return [step(words, wanted[status])];
  });
}

const wanted = {
  canceled: 'take up again what it waits for: that was canceled',
  failed: 'try again what it waits for: that has failed',
  rejected: 'if what it waits for is wanted after all: that was rejected',
};

/** The same merge would conflict again: first somebody has to settle it. */
function conflictSteps({ name, task }: About, does: string): NextStep[] {
  if (!mergeStateOf(task).heldByMerge) return [step(['retry', name], does)];
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
