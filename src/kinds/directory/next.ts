import { command } from '../../errors/command.ts';
import { isOver } from '../../task/allowed.ts';
import { isRejected, rejectedSteps } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import {
  afterAll,
  follow,
  logs,
  step,
  waitForAll,
  type About,
  type Forms,
  type KindNext,
  titledId,
} from '../forms.ts';

export const directoryNext: KindNext = {
  noun: 'task directory',
  first: command`task create --title "…" --topology swarm`,
  label: titledId,
  run: ['run', '--all'],
  goOn: (name) => ['task', 'resume', name],
  retry: (name) => ['task', 'retry', name],
  idle: ({ run, attempts }) =>
    run || attempts
      ? undefined
      : {
          kind: 'start',
          text: 'nothing was ordered for it yet',
          short: 'nothing is ordered for it yet',
        },
  forms: directoryForms,
};

function directoryForms(about: About): Forms {
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
