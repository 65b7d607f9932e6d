import type { Definition } from '../frame/command.ts';
import { runOptions } from '../frame/options.ts';
import { running } from '../queue/running.ts';

export const command: Definition = {
  options: runOptions,
  notes: [
    'Goes on until you stop it: what is added, edited or put back meanwhile runs',
    'too, and what waits for a limit goes on when that ends. --json prints one value',
    'when it is stopped; with --stream a line for all that happens before it.',
  ],
  examples: ['docket watch', 'docket watch --concurrency 4'],
  answer: async () => (await import('../queue/answer.ts')).runAnswers.watch,
  run: (context) => running(context, 'watch'),
};
