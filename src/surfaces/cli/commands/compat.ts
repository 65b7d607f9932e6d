import { readStdin } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';

export const command: Definition = {
  operand: {
    kind: 'oneOf',
    label: '<script> [arguments…]',
    words: [
      'orchestrator-router',
      'feishu-inbound-router',
      'dispatch-task',
      'init-task-board',
      'claim-task',
      'update-task',
      'synthesize-board',
      'rebuild-snapshot',
      'recover-stale-locks',
      'task_board',
      'milestones',
    ],
    min: 1,
    max: Infinity,
  },
  options: [],
  raw: true,
  notes: [
    'Scripts: orchestrator-router, feishu-inbound-router, dispatch-task, claim-task,',
    'update-task, init-task-board, synthesize-board, rebuild-snapshot, task_board,',
    'milestones, recover-stale-locks. Of one: docket compat <script> --help',
    'Takes the arguments of that script and prints what it prints. Exit code: 0 ok,',
    '1 not ok, 2 wrong arguments. A path works too: scripts/claim-task.',
    'Environment: BOARD_PLUGIN_ROOT (a folder with config/), BOARD_DEFAULT_GROUP_ID.',
    'What differs from the original: docs/formats/board.md.',
  ],
  examples: [
    'docket compat orchestrator-router --root . --text "status" --milestones off',
    'docket compat claim-task --root . --task-id T-001 --agent coder',
  ],
  run,
};

/** A script of the original board: its arguments, its output, its exit codes. */
async function run({ args, world }: Context): Promise<number> {
  const [script = '', ...argv] = args.operands;
  const { compat } = await world.docket();
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort('shutdown'));
  try {
    const { code, stdout, stderr } = await compat(script, argv, {
      cwd: world.cwd,
      env: world.env,
      stdin: () => readStdin(world.stdin),
      warn: (text) => world.stderr.write(`warning: ${text}\n`),
      signal: stop.signal,
    });
    if (stdout !== '') world.stdout.write(stdout);
    if (stderr !== '') world.stderr.write(stderr);
    return code;
  } finally {
    deaf();
  }
}
