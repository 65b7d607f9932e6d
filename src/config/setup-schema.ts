import { z } from 'zod';

const variable = z
  .string()
  .regex(
    /^(?!DOCKET_)[A-Za-z_][A-Za-z0-9_]*$/,
    'use letters, digits and "_", and not DOCKET_ at the beginning',
  );

/** A line of `.gitignore`. */
const pattern = z.string().regex(/^[^\r\n\0]+$/, 'use one line for each');

const below = z
  .string()
  .regex(/^(?![/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$))[^\0]+$/, 'use a path below the root');

const command = z.union([
  z.string().min(1),
  z.strictObject({
    /** A line for the shell. */
    run: z.string().min(1),
    /** How long it may take. Absent: 600. */
    seconds: z.number().positive().max(86_400).exactOptional(),
  }),
]);

const port = z.int().min(1024).max(65_535);

/** What has to be there before anybody works on a task. */
export const setup = z.strictObject({
  /** What git ignores and each new workspace gets from the root, written as in .gitignore; beside .worktreeinclude. */
  copy: z.array(pattern).max(200).exactOptional(),
  /** Files that must be there, and not be empty, before an agent is called. */
  requires: z.array(below).max(200).exactOptional(),
  /** Run once in each new workspace, in this order. */
  commands: z.array(command).max(100).exactOptional(),
  /** Run in a task's workspace when the task is over. */
  teardown: z.array(command).max(100).exactOptional(),
  /** Variables: each holds a port that no other running task has. */
  ports: z.array(variable).max(50).exactOptional(),
  /** Absent: 20000 to 29999. */
  portRange: z
    .tuple([port, port])
    .refine(([first, last]) => first <= last, 'write the lower end first')
    .exactOptional(),
  /** By variable, a folder that all workspaces share; from the root, or from your home with "~/". */
  caches: z.record(variable, z.string().min(1)).exactOptional(),
  /** Variables for agents and commands. A value of the form $NAME is taken from docket's own environment. */
  env: z.record(variable, z.string()).exactOptional(),
});

const kept = z.strictObject({
  /** Since the end of their task. */
  days: z.number().min(0).exactOptional(),
  /** All of them together. */
  gigabytes: z.number().min(0).exactOptional(),
});

/** What `docket clean` takes away. */
export const retention = z.strictObject({
  /** Of finished tasks. */
  workspaces: kept.exactOptional(),
});

/** The keys that are known at a place of these two sections. */
export function knownSetupKeys([section, second]: readonly PropertyKey[]): string[] {
  if (section === 'setup') return second === undefined ? Object.keys(setup.shape) : ['run', 'seconds'];
  return Object.keys((second === undefined ? retention : kept).shape);
}
