import * as v from 'valibot';
import { adapterNames } from '../adapters/adapters.ts';
import {
  amount,
  described,
  hints,
  keys,
  list,
  matching,
  maybe,
  otherwise,
  positive,
  table,
  text,
  variable,
  whole,
} from '../schema/schemas.ts';
import { sources } from '../task/trust.ts';
import { retention as workspaceRetention, setup } from './setup-schema.ts';

/** What holds secrets, beside what is known by its name. */
const secrets = keys({
  env: maybe(list(variable, 200), "Variables of docket's own environment."),
  files: maybe(
    list(text, 200),
    'Files that hold nothing else: NAME=value, JSON, or a key. From the root, or from your home with "~/".',
  ),
});

/** How people hear that they are needed. */
const notify = keys({
  terminal: maybe(
    v.picklist(['bell', 'osc', 'off']),
    'Of the terminal in which a run is watched. Absent: bell.',
  ),
  desktop: maybe(v.boolean(), "By the desktop's own messages, where there are any."),
  webhook: maybe(
    v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:/i),
      hints({ fix: 'Write an address that begins with https:// or http://.' }),
    ),
    'Where a message is posted to; signed where DOCKET_NOTIFY_SECRET is set.',
  ),
  chat: maybe(v.boolean(), "In the group that the board's chat serves."),
  digestSeconds: maybe(amount(86_400), 'What happens within this time is told together. Absent: 60.'),
  coolDownSeconds: maybe(
    amount(31_536_000),
    'The same thing again is not told within this time. Absent: 3600.',
  ),
});

const level = v.picklist(['high', 'low']);
const host = matching(
  /^(?:\*\.)?[A-Za-z0-9_][A-Za-z0-9_.-]*(?::[0-9]{1,5})?$/,
  'Use a name such as api.example.com, *.example.com or host:port.',
);
const hostsSchema = v.array(host);

/** Whose words are vouched for, and what becomes of a task that nobody vouches for. */
const trustSchema = keys({
  authors: maybe(table(v.pipe(text, v.maxLength(200)), level), 'By login, or by who they are in a chat.'),
  sources: maybe(table(v.picklist(sources), level), 'By where a task comes from.'),
  low: maybe(v.picklist(['sandbox', 'read']), 'What such a task may do. Absent: sandbox.'),
  hosts: maybe(hostsSchema, 'Whom its agents may talk to, beside their provider.'),
  env: maybe(v.array(variable), 'Variables that they get, beside what their provider needs.'),
  paths: maybe(v.array(text), "What they may read of people's folders: tools, say."),
});

const limits = keys({
  seconds: maybe(positive, 'Of one attempt, from start to end.'),
  silenceSeconds: maybe(positive, 'Without any output while no tool is at work.'),
  toolSilenceSeconds: maybe(
    positive,
    'Without any output while a tool is at work, or where the agent does not say when one is.',
  ),
  graceSeconds: maybe(amount(600), 'Between the request to end and the end by force.'),
  outputMegabytes: maybe(positive, 'Of output; then it is ended.'),
});

export const agentSchema = keys({
  adapter: described(
    v.picklist(adapterNames),
    'How it is talked to: a vendor, any agent that speaks ACP, any program, or a script.',
  ),
  provider: maybe(
    v.pipe(text, v.maxLength(100)),
    'Agents of one provider share its limits and budgets. Absent: the vendor, or the agent itself.',
  ),
  free: maybe(v.boolean(), 'A program that costs nothing: no cap on money holds it.'),
  command: maybe(
    v.pipe(v.array(text), v.minLength(1)),
    'The program and its first arguments; for the script adapter the scenario file.',
  ),
  model: maybe(text, "Absent: the vendor's choice."),
  permission: maybe(
    v.picklist(['read', 'edit', 'full']),
    'What it may do. Absent: edit, or full where nothing less can be held.',
  ),
  env: maybe(
    table(variable, v.string()),
    "Variables for the agent. A value of the form $NAME is taken from docket's own environment.",
  ),
  home: maybe(text, "A folder for the vendor's own state instead of the user's."),
  sandbox: maybe(v.picklist(['none', 'bubblewrap']), 'An outer sandbox. Absent: none.'),
  network: maybe(v.boolean(), 'Only inside a sandbox: false cuts the agent off from the network.'),
  hosts: maybe(hostsSchema, 'Whom it may talk to for tasks that nobody vouches for, beside its provider.'),
  approvals: maybe(v.boolean(), 'Ask a person while it works, where the vendor can.'),
  report: maybe(
    v.picklist(['text', 'json']),
    'Of a command: text lets what it prints pass for a report of success, also where a report is asked for.',
  ),
  limits: maybe(limits, 'When an attempt is ended by force.'),
});

/** US dollars for a million tokens. */
const priceSchema = keys({
  input: described(amount(), 'For what it reads.'),
  cached: maybe(amount(), 'For what the vendor still had of it. Absent: as input.'),
  output: described(amount(), 'For what it writes.'),
});

const days = amount();

const retention = keys({
  archiveAfterDays: maybe(days, 'After their end.'),
  deleteArchivedAfterDays: maybe(days, 'After they were archived.'),
});
const packets = keys({
  retention: maybe(
    retention,
    'What becomes of finished packets, where their manifests do not say it. Absent: they stay.',
  ),
});

const debug = keys({
  enabled: maybe(v.boolean(), 'Write it.'),
  level: maybe(
    v.picklist(['debug', 'info', 'warn', 'error']),
    'From which importance on. Absent: debug, with every event of an agent.',
  ),
  logFile: maybe(
    matching(
      /^(?![/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)).*\.log$/,
      'Use a path below the root that ends in .log.',
    ),
    'From the root. Absent: debug.log among the logs of each run.',
  ),
});

const git = keys({
  hooks: maybe(
    v.boolean(),
    "Your hooks are run when docket commits a task's work and when it pushes. Absent: nobody's are.",
  ),
});

const name = matching(/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/, 'Use letters, digits, ".", "_" and "-".');

const caps = keys({
  calls: maybe(whole(0), 'Calls of agents.'),
  tokens: maybe(amount(), 'In and out, together.'),
  money: maybe(amount(), 'US dollars.'),
  seconds: maybe(amount(), 'Of agents at work.'),
});

const budgets = keys({
  attempt: maybe(caps, 'Of one call: its agent is ended there.'),
  step: maybe(caps, 'Of one step, all its attempts.'),
  run: maybe(caps, 'Of one run of a task.'),
  task: maybe(caps, 'Of a task, all its runs.'),
  day: maybe(caps, 'Of a day, all tasks.'),
  providers: maybe(table(v.pipe(text, v.maxLength(100)), caps), 'Of a day, by provider.'),
  unknownPrice: maybe(
    v.picklist(['refuse', 'allow']),
    'Calls whose price nobody knows, where money is capped. Absent: refuse.',
  ),
});
export type BudgetSettings = v.InferOutput<typeof budgets>;

/** An agent, or one and those who stand in while its provider cannot be asked. */
const role = v.union([
  name,
  keys({
    agent: maybe(name, 'Absent: defaultAgent.'),
    fallback: maybe(v.array(name), 'Who stands in, in this order.'),
  }),
]);

/** An unknown key is an error: a typo must not pass for a setting. */
export const configSchema = keys({
  durability: otherwise(
    v.picklist(['durable', 'relaxed']),
    'durable',
    'What outlives a power loss: everything that was answered (durable), or all but the last second (relaxed).',
  ),
  lockWaitSeconds: otherwise(
    amount(3600),
    10,
    'How long a command waits for other docket processes before it gives up with exit code 75.',
  ),
  defaultAgent: maybe(name, 'The agent of every step that names none.'),
  agents: otherwise(
    table(name, agentSchema),
    {},
    'By a name of your own, beside the five vendors under theirs.',
  ),
  roles: otherwise(
    table(name, role),
    {},
    'Which agent takes a role: `reviewer: claude`, or `reviewer: {agent: claude, fallback: [codex]}`.',
  ),
  fallback: maybe(
    v.array(name),
    'Who stands in, in this order, while the provider of an agent cannot be asked.',
  ),
  budgets: maybe(
    budgets,
    "What may be used up. A day's caps in the user's own file count all projects, in a project's file this one.",
  ),
  prices: otherwise(table(text, priceSchema), {}, "By model name, as the agent's settings have it."),
  packets: maybe(packets, 'Task packets.'),
  workflow: maybe(text, 'Runs every task of the queue that names none. Absent: quick.'),
  queueWords: maybe(
    v.picklist(['piece', 'workflow']),
    'The word of a new tasks.yaml: takt before 0.36 wants piece, later versions workflow. Absent: as the installed takt, else piece.',
  ),
  concurrency: maybe(whole(1, 64), 'Tasks of the queue at once. Absent: 1.'),
  acceptance: maybe(
    v.array(text),
    'Commands that must end well: for workflows that check the project, and before anything is merged.',
  ),
  commandEnv: maybe(
    v.array(matching(/^(?=.)(?:[A-Za-z_]\w*)?\*?$/, 'Name a variable, or write its beginning and "*".')),
    'Variables of your environment that commands get beside the usual ones: names, beginnings such as `PG*`, or `*` for all.',
  ),
  workspace: maybe(
    v.picklist(['clone', 'worktree']),
    'What a task with a workspace of its own gets. Absent: a clone.',
  ),
  worktreeDir: maybe(text, 'Where such workspaces are, from the root.'),
  baseBranch: maybe(text, 'What their branches are made from. Absent: the branch that is checked out.'),
  branchPrefix: maybe(text, 'How the names of their branches begin. Absent: takt.'),
  debug: maybe(debug, 'A log of what docket and its agents do, for whoever looks for a fault.'),
  loopAfter: maybe(
    v.union([v.literal(0), whole(2, 100)]),
    'So many rounds without anything new are a loop. Absent: 3. 0: none ever is.',
  ),
  git: maybe(git, 'What docket does with git beyond the work itself.'),
  secrets: maybe(secrets, 'What must never be written down or sent, beside what docket knows by itself.'),
  notify: maybe(notify, 'How people hear that they are needed.'),
  trust: maybe(trustSchema, 'Whose words are vouched for.'),
  setup: maybe(setup, 'What has to be there before anybody works on a task.'),
  retention: maybe(
    workspaceRetention,
    'How long workspaces of finished tasks stay. Absent: until somebody deletes them.',
  ),
});
