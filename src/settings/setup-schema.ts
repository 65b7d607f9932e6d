import * as v from 'valibot';
import {
  amount,
  described,
  keys,
  list,
  matching,
  maybe,
  table,
  text,
  unless,
  whole,
} from '../schema/schemas.ts';

const variable = matching(
  /^(?!DOCKET_)[A-Za-z_][A-Za-z0-9_]*$/,
  'Use letters, digits and "_", and not DOCKET_ at the beginning.',
);

/** A line of `.gitignore`. */
const pattern = matching(/^[^\r\n\0]+$/, 'Use one line for each.');

const below = matching(
  /^(?![/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$))[^\0]+$/,
  'Use a path below the root.',
);

const command = v.union([
  text,
  keys({
    run: described(text, 'A line for the shell.'),
    seconds: maybe(
      v.pipe(v.number(), v.gtValue(0), v.maxValue(86_400)),
      'How long it may take. Absent: 600.',
    ),
  }),
]);

const port = whole(1024, 65_535);

/** What has to be there before anybody works on a task. */
export const setup = keys({
  copy: maybe(
    list(pattern, 200),
    'What git ignores and each new workspace gets from the root, written as in .gitignore; beside .worktreeinclude.',
  ),
  requires: maybe(list(below, 200), 'Files that must be there, and not be empty, before an agent is called.'),
  commands: maybe(list(command, 100), 'Run once in each new workspace, in this order.'),
  teardown: maybe(list(command, 100), "Run in a task's workspace when the task is over."),
  ports: maybe(list(variable, 50), 'Variables: each holds a port that no other running task has.'),
  portRange: maybe(
    unless(
      v.strictTuple([port, port]),
      ([first, last]) => (first <= last ? undefined : 'ends before it begins'),
      'Write the lower end first.',
    ),
    'Absent: 20000 to 29999.',
  ),
  caches: maybe(
    table(variable, text),
    'By variable, a folder that all workspaces share; from the root, or from your home with "~/".',
  ),
  env: maybe(
    table(variable, v.string()),
    "Variables for agents and commands. A value of the form $NAME is taken from docket's own environment.",
  ),
});

const kept = keys({
  days: maybe(amount(), 'Since the end of their task.'),
  gigabytes: maybe(amount(), 'All of them together.'),
});

/** What `docket clean` takes away. */
export const retention = keys({
  workspaces: maybe(kept, 'Of finished tasks.'),
});
