import { z } from 'zod';
import { adapterNames } from '../adapter/adapters.ts';
import { knownNotifyKeys, notify, secrets } from './notify-schema.ts';
import { knownSetupKeys, retention as workspaceRetention, setup } from './setup-schema.ts';
import { hostsSchema, knownTrustKeys, trustSchema } from './trust-schema.ts';

const limits = z.strictObject({
  /** Of one attempt, from start to end. */
  seconds: z.number().positive().exactOptional(),
  /** Without any output while no tool is at work. */
  silenceSeconds: z.number().positive().exactOptional(),
  /** Without any output while a tool is at work, or where the agent does not say when one is. */
  toolSilenceSeconds: z.number().positive().exactOptional(),
  /** Between the request to end and the end by force. */
  graceSeconds: z.number().min(0).max(600).exactOptional(),
  /** Of output; then it is ended. */
  outputMegabytes: z.number().positive().exactOptional(),
});

export const agentSchema = z.strictObject({
  /** How it is talked to: a vendor, any agent that speaks ACP, any program, or a script. */
  adapter: z.enum(adapterNames),
  /** Agents of one provider share its limits and budgets. Absent: the vendor, or the agent itself. */
  provider: z.string().min(1).max(100).exactOptional(),
  /** A program that costs nothing: no cap on money holds it. */
  free: z.boolean().exactOptional(),
  /** The program and its first arguments; for the script adapter the scenario file. */
  command: z.array(z.string().min(1)).min(1).exactOptional(),
  /** Absent: the vendor's choice. */
  model: z.string().min(1).exactOptional(),
  /** What it may do. Absent: edit, or full where nothing less can be held. */
  permission: z.enum(['read', 'edit', 'full']).exactOptional(),
  /** Variables for the agent. A value of the form $NAME is taken from docket's own environment. */
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).exactOptional(),
  /** A folder for the vendor's own state instead of the user's. */
  home: z.string().min(1).exactOptional(),
  /** An outer sandbox. Absent: none. */
  sandbox: z.enum(['none', 'bubblewrap']).exactOptional(),
  /** Only inside a sandbox: false cuts the agent off from the network. */
  network: z.boolean().exactOptional(),
  /** Whom it may talk to for tasks that nobody vouches for, beside its provider. */
  hosts: hostsSchema.exactOptional(),
  /** Ask a person while it works, where the vendor can. */
  approvals: z.boolean().exactOptional(),
  /** Of a command: text lets what it prints pass for a report of success, also where a report is asked for. */
  report: z.enum(['text', 'json']).exactOptional(),
  /** When an attempt is ended by force. */
  limits: limits.exactOptional(),
});

/** US dollars for a million tokens. */
const priceSchema = z.strictObject({
  /** For what it reads. */
  input: z.number().min(0),
  /** For what the vendor still had of it. Absent: as input. */
  cached: z.number().min(0).exactOptional(),
  /** For what it writes. */
  output: z.number().min(0),
});

const days = z.number().min(0);

/** What becomes of finished packets, where their manifests do not say it. Absent: they stay. */
const retention = z.strictObject({
  /** After their end. */
  archiveAfterDays: days.exactOptional(),
  /** After they were archived. */
  deleteArchivedAfterDays: days.exactOptional(),
});
/** Task packets. */
const packets = z.strictObject({ retention: retention.exactOptional() });

const debug = z.strictObject({
  /** Write it. */
  enabled: z.boolean().exactOptional(),
  /** From which importance on. Absent: debug, with every event of an agent. */
  level: z.enum(['debug', 'info', 'warn', 'error']).exactOptional(),
  /** From the root. Absent: debug.log among the logs of each run. */
  logFile: z
    .string()
    .regex(
      /^(?![/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)).*\.log$/,
      'use a path below the root that ends in .log',
    )
    .exactOptional(),
});

const git = z.strictObject({
  /** Your hooks are run when docket commits a task's work and when it pushes. Absent: nobody's are. */
  hooks: z.boolean().exactOptional(),
});

const name = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'use letters, digits, ".", "_" and "-"');

const caps = z.strictObject({
  /** Calls of agents. */
  calls: z.int().min(0).exactOptional(),
  /** In and out, together. */
  tokens: z.number().min(0).exactOptional(),
  /** US dollars. */
  money: z.number().min(0).exactOptional(),
  /** Of agents at work. */
  seconds: z.number().min(0).exactOptional(),
});

/** What may be used up. A day's caps in the user's own file count all projects, in a project's file this one. */
const budgets = z.strictObject({
  /** Of one call: its agent is ended there. */
  attempt: caps.exactOptional(),
  /** Of one step, all its attempts. */
  step: caps.exactOptional(),
  /** Of one run of a task. */
  run: caps.exactOptional(),
  /** Of a task, all its runs. */
  task: caps.exactOptional(),
  /** Of a day, all tasks. */
  day: caps.exactOptional(),
  /** Of a day, by provider. */
  providers: z.record(z.string().min(1).max(100), caps).exactOptional(),
  /** Calls whose price nobody knows, where money is capped. Absent: refuse. */
  unknownPrice: z.enum(['refuse', 'allow']).exactOptional(),
});
export type BudgetSettings = z.infer<typeof budgets>;

/** An agent, or one and those who stand in while its provider cannot be asked. */
const role = z.union([
  name,
  z.strictObject({
    /** Absent: defaultAgent. */
    agent: name.exactOptional(),
    /** Who stands in, in this order. */
    fallback: z.array(name).exactOptional(),
  }),
]);

/** An unknown key is an error: a typo must not pass for a setting. */
export const configSchema = z.strictObject({
  /** What outlives a power loss: everything that was answered (durable), or all but the last second (relaxed). */
  durability: z.enum(['durable', 'relaxed']).default('durable'),
  /** How long a command waits for other docket processes before it gives up with exit code 75. */
  lockWaitSeconds: z.number().min(0).max(3600).default(10),
  /** The agent of every step that names none. */
  defaultAgent: name.exactOptional(),
  /** By a name of your own, beside the five vendors under theirs. */
  agents: z.record(name, agentSchema).default({}),
  /** Which agent takes a role: `reviewer: claude`, or `reviewer: {agent: claude, fallback: [codex]}`. */
  roles: z.record(name, role).default({}),
  /** Who stands in, in this order, while the provider of an agent cannot be asked. */
  fallback: z.array(name).exactOptional(),
  budgets: budgets.exactOptional(),
  /** By model name, as the agent's settings have it. */
  prices: z.record(z.string().min(1), priceSchema).default({}),
  packets: packets.exactOptional(),
  /** Runs every task of the queue that names none. Absent: quick. */
  workflow: z.string().min(1).exactOptional(),
  /** The word of a new tasks.yaml: takt before 0.36 wants piece, later versions workflow. Absent: as the installed takt, else piece. */
  queueWords: z.enum(['piece', 'workflow']).exactOptional(),
  /** Tasks of the queue at once. Absent: 1. */
  concurrency: z.int().min(1).max(64).exactOptional(),
  /** Commands that must end well: for workflows that check the project, and before anything is merged. */
  acceptance: z.array(z.string().min(1)).exactOptional(),
  /** Variables of your environment that commands get beside the usual ones: names, beginnings such as `PG*`, or `*` for all. */
  commandEnv: z
    .array(
      z
        .string()
        .regex(/^(?:[A-Za-z_]\w*)?\*?$/)
        .min(1),
    )
    .exactOptional(),
  /** What a task with a workspace of its own gets. Absent: a clone. */
  workspace: z.enum(['clone', 'worktree']).exactOptional(),
  /** Where such workspaces are, from the root. */
  worktreeDir: z.string().min(1).exactOptional(),
  /** What their branches are made from. Absent: the branch that is checked out. */
  baseBranch: z.string().min(1).exactOptional(),
  /** How the names of their branches begin. Absent: takt. */
  branchPrefix: z.string().min(1).exactOptional(),
  /** A log of what docket and its agents do, for whoever looks for a fault. */
  debug: debug.exactOptional(),
  /** So many rounds without anything new are a loop. Absent: 3. 0: none ever is. */
  loopAfter: z.union([z.literal(0), z.int().min(2).max(100)]).exactOptional(),
  /** What docket does with git beyond the work itself. */
  git: git.exactOptional(),
  /** What must never be written down or sent, beside what docket knows by itself. */
  secrets: secrets.exactOptional(),
  /** How people hear that they are needed. */
  notify: notify.exactOptional(),
  /** Whose words are vouched for. */
  trust: trustSchema.exactOptional(),
  /** What has to be there before anybody works on a task. */
  setup: setup.exactOptional(),
  /** How long workspaces of finished tasks stay. Absent: until somebody deletes them. */
  retention: workspaceRetention.exactOptional(),
});

/** The keys that are known at a place of the file, to guess what somebody meant. */
export function knownKeys(at: readonly PropertyKey[]): string[] {
  if (at.length === 0) return Object.keys(configSchema.shape);
  if (at[0] === 'agents' && at.length === 2) return Object.keys(agentSchema.shape);
  if (at[0] === 'agents' && at[2] === 'limits') return Object.keys(limits.shape);
  if (at[0] === 'budgets') return Object.keys((at.length === 1 ? budgets : caps).shape);
  if (at[0] === 'packets') return Object.keys((at.length === 1 ? packets : retention).shape);
  if (at[0] === 'debug') return Object.keys(debug.shape);
  if (at[0] === 'setup' || at[0] === 'retention') return knownSetupKeys(at);
  if (at[0] === 'trust') return knownTrustKeys(at);
  if (at[0] === 'notify' || at[0] === 'secrets') return knownNotifyKeys(at);
  if (at[0] === 'git') return Object.keys(git.shape);
  if (at[0] === 'prices') return Object.keys(priceSchema.shape);
  return [];
}
