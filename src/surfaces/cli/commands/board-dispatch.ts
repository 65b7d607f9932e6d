import { streamed } from '../board/answer.ts';
import { speaker } from '../board/heard.ts';
import { tellWatched } from '../board/watched.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { speaking, watching } from '../frame/options.ts';

export const command: Definition = {
  operand: { kind: 'text', names: ['board'], label: '<task> <role> [text…]', min: 2, max: Infinity },
  options: [
    ...speaking,
    { name: 'spawn', summary: 'Start the worker here, wait, judge what it hands in' },
    ...watching,
  ],
  notes: [
    'Without --spawn the task is claimed for the agent, who is told and reports back.',
    'Which agent does a role: .docket/config.yaml.',
  ],
  examples: ['docket board dispatch T-001 coder', 'docket board dispatch T-001 debugger --spawn'],
  answer: streamed('The task that was given to an agent.'),
  run,
};

/** A task to an agent: by hand, or with --spawn to a worker that docket starts and waits for. */
function run(context: Context): Promise<number> {
  const { args } = context;
  const [taskId = '', role = '', ...words] = args.operands;
  const text = words.join(' ');
  const { sender, locale } = speaker(args);
  const isHere = args.options.has('spawn');
  const asked = { actor: sender.actor, mode: isHere ? 'spawn' : 'manual' } as const;
  return tellWatched(
    (board, control) =>
      board.act(
        { intent: 'dispatch', taskId, role, ...(text !== '' && { text }) },
        { ...asked, ...control, ...(locale && { locale }) },
      ),
    context,
    { command: 'board dispatch', most: isHere ? 1 : 0 },
  );
}
