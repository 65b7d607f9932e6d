import type { Definition } from '../frame/command.ts';
import { runOptions } from '../frame/options.ts';
import { running } from '../queue/running.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'any', label: '[task…]', min: 0, max: Infinity },
  options: [
    ...runOptions,
    { name: 'wait', summary: 'Wait for the end of limits of providers, and go on then' },
    { name: 'dry-run', summary: 'Show what would run, in that order; start nothing' },
  ],
  notes: [
    'Runs until nothing can start, by priority, dependencies and place in the file.',
    'A task that you name is tried again, also when it is blocked or failed.',
    'Ctrl-C puts running work back; the next run goes on where it was.',
    'Exit: 0 done, 1 failed, 4 one named is canceled, or another docket has it, 5 a',
    'person must act, 75 later; where nothing could start, by what stands still.',
  ],
  examples: [
    'docket run --agent claude --concurrency 3',
    'docket run fix-login --dry-run',
    'docket run --all --wait',
  ],
  answer: async () => (await import('../queue/answer.ts')).runAnswers.run,
  run: (context) => running(context, 'run'),
};
