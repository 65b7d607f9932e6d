import { streamed } from '../board/answer.ts';
import { speaker } from '../board/heard.ts';
import { tellWatched } from '../board/watched.ts';
import { usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking, watching } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', label: '[steps | on [steps] | off | status]', min: 0, max: 2 },
  options: [...speaking, ...watching],
  notes: [
    'A number (default 3): so many steps now. on: it goes on by itself as tasks',
    'become runnable, with docket chat. Exit code: 5 some are blocked.',
  ],
  examples: ['docket board autopilot 2', 'docket board autopilot on', 'docket board autopilot status'],
  answer: streamed('The tasks that were given to workers.'),
  run,
};

/** As the board takes it where nobody says how many. */
const usualSteps = 3;
const actions = ['on', 'off', 'status'] as const;

/** Gives the next tasks to workers, one after the other; or says whether that goes on by itself. */
function run(context: Context): Promise<number> {
  const { args } = context;
  const [first, second] = args.operands;
  const action = actions.find((word) => word === first);
  const steps = stepsOf(action === undefined ? first : second);
  if (action === undefined && second !== undefined)
    throw usage(`"${second}" is one word too many`, 'give a number of steps alone', 'board autopilot');
  const { sender, locale } = speaker(args);
  const asked = { actor: sender.actor, ...(locale && { locale }) };
  const many = steps === undefined ? {} : { steps };
  return tellWatched(
    (board, control) =>
      board.act(
        action === undefined
          ? { intent: 'autopilot', ...many }
          : { intent: 'auto_progress', action, ...many },
        { ...asked, ...control },
      ),
    context,
    { command: 'board autopilot', most: action === 'off' || action === 'status' ? 0 : (steps ?? usualSteps) },
  );
}

function stepsOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(word)) return Number(word);
  throw usage(`"${word}" is no number of steps`, 'say a number, on, off or status', 'board autopilot');
}
