import { command } from '../../errors/command.ts';
import { follow, logs, step, waitForAll, type About, type Forms, type KindNext, titledId } from '../forms.ts';

export const packetNext: KindNext = {
  noun: 'packet',
  first: command`packet new --goal "…"`,
  label: titledId,
  run: ['run', '--all'],
  goOn: (name) => ['packet', 'run', name],
  retry: (name) => ['packet', 'run', name],
  idle: () => undefined,
  forms: packetForms,
};

function packetForms(about: About): Forms {
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
    isArchived: task.archivedAt !== undefined,
  };
}
