import { command, fix } from '../../errors/command.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Task } from '../../task/schema.ts';
import { follow, logs, step, waitForAll, type About, type Forms, type KindNext, titledId } from '../forms.ts';
import { isOrdered } from './format/extras.ts';

export const boardNext: KindNext = {
  noun: 'task of the board',
  first: command`say "create task: Mend the gate"`,
  label: titledId,
  run: ['run', '--all'],
  goOn: () => ['board', 'autopilot'],
  retry: (name) => ['say', `reopen ${name}`],
  /** A run takes what is ordered; a task of the board is not, until somebody claims it or it is given to somebody. */
  idle: (task, name) =>
    isOrdered(task) || openAttempts(task).length > 0
      ? undefined
      : {
          kind: 'claim',
          text: 'nobody has claimed it, and it was given to nobody: a run takes it only while board autopilot is on',
          short: fix`nobody has claimed it; how to give it to somebody: ${command`explain ${name}`}`.text,
        },
  forms: boardForms,
};

function boardForms(about: About): Forms {
  const { name, task, role = 'coder' } = about;
  const status = step(['board', 'status', name], 'see how it is');
  const isFree = task.owner === undefined || task.owner === role;
  const say = (words: string, does: string) => step(['say', `${words} ${name}`], does);
  return {
    begin: isFree
      ? [
          step(['board', 'dispatch', name, role, '--spawn'], 'give it to a worker'),
          ...(task.owner === undefined && !isOrdered(task)
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
}

function isByProcess(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'process';
}
