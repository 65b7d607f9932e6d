import type { Command, Described, Entry } from './command.ts';

/** Every command in the order of help. Its file is loaded when a line is about it. */
export const entries: readonly Entry[] = [
  ...under('Start', {
    init: ['Set a project up: settings, and what git ignores', () => import('../commands/init.ts')],
    doctor: ['Look for what is missing or broken, and how to mend it', () => import('../commands/doctor.ts')],
    repair: ['Accept a log that lost something as it is', () => import('../commands/repair.ts')],
    demo: [
      'Show what docket does, on a scratch repository, in a minute',
      () => import('../commands/demo.ts'),
    ],
  }),
  ...under('Queue', {
    add: ['Put a piece of work into the queue', () => import('../commands/add.ts')],
    list: ['Show the tasks, one row each', () => import('../commands/list.ts')],
    run: ['Run what is queued with your agents', () => import('../commands/run.ts')],
    watch: ['Run what is queued, and what is added later', () => import('../commands/watch.ts')],
  }),
  ...under('View', {
    status: [
      'Everything at a glance: what is stuck, runs, waits, and cost',
      () => import('../commands/status.ts'),
    ],
    'needs-me': [
      'Only what a person must do, with the command that does it',
      () => import('../commands/needs-me.ts'),
    ],
  }),
  ...under('Steer', {
    answer: ['Answer the question that a task waits for', () => import('../commands/answer.ts')],
    show: ['Show all about one task', () => import('../commands/show.ts')],
    explain: [
      'Say why a task is as it is, how it came there, and what to do now',
      () => import('../commands/explain.ts'),
    ],
    evidence: [
      'Show what docket itself saw of a task: commands, tree, scope, claims',
      () => import('../commands/evidence.ts'),
    ],
    logs: ['Show what the agents of a task said and did', () => import('../commands/logs.ts')],
    retry: ['Resume what failed, is blocked or was canceled', () => import('../commands/retry.ts')],
    requeue: [
      'Put tasks back into the queue, also those that are done',
      () => import('../commands/requeue.ts'),
    ],
    trust: [
      'Say whether you vouch for a task; without a level, show it',
      () => import('../commands/trust.ts'),
    ],
    cancel: ['Give tasks up; a running one is ended within seconds', () => import('../commands/cancel.ts')],
    ps: [
      'Show the processes that work for tasks, with CPU and last event',
      () => import('../commands/ps.ts'),
    ],
  }),
  ...under('Tasks', {
    'queue archive': [
      'Move finished records to .takt/archive/',
      () => import('../commands/queue-archive.ts'),
    ],
    'queue migrate': [
      'Move texts out of records into folders of their tasks',
      () => import('../commands/queue-migrate.ts'),
    ],
    'queue confirm-removals': [
      'Remove the tasks whose records were missing in tasks.yaml',
      () => import('../commands/queue-confirm-removals.ts'),
    ],
    'queue reject-removals': [
      'Keep the tasks whose records were missing in tasks.yaml',
      () => import('../commands/queue-reject-removals.ts'),
    ],
    'task create': ['Make a task directory', () => import('../commands/task-create.ts')],
    'task list': ['Show the task directories, newest change first', () => import('../commands/task-list.ts')],
    'task show': [
      'Show one: its steps, gates, milestones and files',
      () => import('../commands/task-show.ts'),
    ],
    'task events': ['Show its log, oldest first', () => import('../commands/task-events.ts')],
    'task run': [
      'Run steps that you give, or let an agent plan them',
      () => import('../commands/task-run.ts'),
    ],
    'task resume': [
      'Go on after a person has acted, or after an interruption',
      () => import('../commands/task-resume.ts'),
    ],
    'task retry': [
      'Retry what failed, or reopen a canceled task; done work stays done',
      () => import('../commands/task-retry.ts'),
    ],
    'task join': ['Bring the results that are there together', () => import('../commands/task-join.ts')],
    'task cancel': [
      'Give the whole task up; its agents end within seconds',
      () => import('../commands/task-cancel.ts'),
    ],
    'task export': ['Put a task directory into one archive', () => import('../commands/task-export.ts')],
    'task import': [
      'Read such an archive back, here or elsewhere',
      () => import('../commands/task-import.ts'),
    ],
    'task validate': [
      'Check its files and name every problem with its fix',
      () => import('../commands/task-validate.ts'),
    ],
    'gate list': [
      'Show the gates that wait, with the commands that answer them',
      () => import('../commands/gate-list.ts'),
    ],
    'gate approve': ['Let the work behind a gate go on', () => import('../commands/gate-approve.ts')],
    'gate reject': ['Say no: the task fails and is not retried', () => import('../commands/gate-reject.ts')],
    'packet new': ['Make a packet with a manifest to edit', () => import('../commands/packet-new.ts')],
    'packet run': [
      'Run its stages, from the first that is not done',
      () => import('../commands/packet-run.ts'),
    ],
    'packet resume': [
      'Go on after a failure, an answer or an interruption',
      () => import('../commands/packet-resume.ts'),
    ],
    'packet cancel': [
      'Give a packet up; its agent ends within seconds',
      () => import('../commands/packet-cancel.ts'),
    ],
    'packet status': [
      'Show one: its stages, budget and the next command',
      () => import('../commands/packet-status.ts'),
    ],
    'packet list': ['Show the packets, one row each', () => import('../commands/packet-list.ts')],
    'packet review': ['Review finished work in six stages', () => import('../commands/packet-review.ts')],
    'packet config': [
      'Show each setting and the file that it came from',
      () => import('../commands/packet-config.ts'),
    ],
    'packet validate': [
      'Check its files and name every problem with its fix',
      () => import('../commands/packet-validate.ts'),
    ],
    'packet archive': ['Move packets to .tmp/archive/', () => import('../commands/packet-archive.ts')],
    'packet delete': ['Delete a packet for good', () => import('../commands/packet-delete.ts')],
    'packet dispatch': [
      'What dispatch.sh did, with its arguments and exit codes',
      () => import('../commands/packet-dispatch.ts'),
    ],
    'workflow list': ['Show the workflows, one row each', () => import('../commands/workflow-list.ts')],
    'workflow show': [
      'Show one: its steps, and where each rule leads',
      () => import('../commands/workflow-show.ts'),
    ],
    'workflow check': [
      'Find everything that is wrong with workflows',
      () => import('../commands/workflow-check.ts'),
    ],
    'workflow new': [
      'Write a new one to .takt/workflows/, to edit',
      () => import('../commands/workflow-new.ts'),
    ],
    'workflow graph': ['Draw one as text for Mermaid', () => import('../commands/workflow-graph.ts')],
  }),
  ...under('Results', {
    diff: ['Show what a task changed', () => import('../commands/diff.ts')],
    merge: ['Bring finished work onto a branch', () => import('../commands/merge.ts')],
    pr: ['Push a branch and open a pull request', () => import('../commands/pr.ts')],
    delete: ['Delete tasks and their workspaces, if nothing is lost', () => import('../commands/delete.ts')],
    restore: ['Bring a deleted task back', () => import('../commands/restore.ts')],
    disk: ['Show what tasks take up on the disk', () => import('../commands/disk.ts')],
    clean: ['Remove workspaces of finished tasks, if nothing is lost', () => import('../commands/clean.ts')],
    cost: ['Show what the calls of agents have cost', () => import('../commands/cost.ts')],
    budget: [
      'Show the caps on calls, tokens, money and time, and what is used',
      () => import('../commands/budget.ts'),
    ],
    'budget set': ['Set a cap, raise it, or take it away', () => import('../commands/budget-set.ts')],
    limits: [
      'Show which providers are left alone, why and until when',
      () => import('../commands/limits.ts'),
    ],
    'limits open': ['Say that a provider can be asked again', () => import('../commands/limits-open.ts')],
  }),
  ...under('Board', {
    say: ['Say something to the board, in plain words', () => import('../commands/say.ts')],
    'board status': ['Show the board, or one of its tasks', () => import('../commands/board-status.ts')],
    'board synthesize': [
      'What came of the work: done, in review, blocked',
      () => import('../commands/board-synthesize.ts'),
    ],
    'board apply': [
      'Do what a text says (the same as docket say)',
      () => import('../commands/board-apply.ts'),
    ],
    'board route': ['Show what a text means; do nothing', () => import('../commands/board-route.ts')],
    'board dispatch': ['Give a task to an agent', () => import('../commands/board-dispatch.ts')],
    'board clarify': ['Ask a role about a task; not too often', () => import('../commands/board-clarify.ts')],
    'board autopilot': [
      'Give the next tasks to workers, one after the other',
      () => import('../commands/board-autopilot.ts'),
    ],
    'board init': ['Make a board here; what is there stays', () => import('../commands/board-init.ts')],
    'board validate': [
      'Name every problem of a board with its file and line',
      () => import('../commands/board-validate.ts'),
    ],
    'board rebuild': ['Make the snapshot anew from the log', () => import('../commands/board-rebuild.ts')],
    'board compact': [
      'Put the log away, whole, and begin a new one',
      () => import('../commands/board-compact.ts'),
    ],
    'board unlock': ['Remove locks that nobody has any more', () => import('../commands/board-unlock.ts')],
    'chat feishu': ['Serve a Feishu or Lark group until Ctrl-C', () => import('../commands/chat-feishu.ts')],
    'chat webhook': [
      'Serve any other chat by signed requests until Ctrl-C',
      () => import('../commands/chat-webhook.ts'),
    ],
    'chat status': [
      'Show what waits to be sent, and what was given up',
      () => import('../commands/chat-status.ts'),
    ],
    'chat retry': ['Try again what was given up', () => import('../commands/chat-retry.ts')],
    compat: ['In the place of a script of the original board', () => import('../commands/compat.ts')],
  }),
  ...under('Other', {
    'notify test': [
      'Send yourself one message by every way that is set up',
      () => import('../commands/notify-test.ts'),
    ],
    'notify status': [
      'What you were told, what waits, and what could not be sent',
      () => import('../commands/notify-status.ts'),
    ],
    mcp: [
      'Serve docket’s tools to an agent, over MCP on stdin and stdout',
      () => import('../commands/mcp.ts'),
    ],
    'skill install': [
      'Write SKILL.md where agents look for skills',
      () => import('../commands/skill-install.ts'),
    ],
    'skill show': ['Print what would be written', () => import('../commands/skill-show.ts')],
    agents: ['Show the agents: found, version, login, what they can', () => import('../commands/agents.ts')],
    'agents try': [
      'Send one prompt to an agent and show what comes back',
      () => import('../commands/agents-try.ts'),
    ],
    validate: ['Check files and name every problem with its fix', () => import('../commands/validate.ts')],
    completion: ['Print a completion script', () => import('../commands/completion.ts')],
    help: ['Show help for a command, the exit codes, or the errors', () => import('../commands/help.ts')],
    version: ['Show the versions of docket and Node.js', () => import('../commands/version.ts')],
  }),
];

function under(
  group: string,
  rows: Readonly<Record<string, readonly [summary: string, load: Entry['load']]>>,
): Entry[] {
  return Object.entries(rows).map(([name, [summary, load]]) => ({ name, group, summary, load }));
}

/** The command that the first words name: a group's command before a plain one. */
export function entryFor([first = '', second = '']: readonly string[]): Entry | undefined {
  return (
    entries.find(({ name }) => name === `${first} ${second}`) ?? entries.find(({ name }) => name === first)
  );
}

export function membersOf(group: string): readonly Entry[] {
  return entries.filter(({ name }) => name.startsWith(`${group} `));
}

export async function loadCommand({ load, ...row }: Entry): Promise<Command> {
  return { ...row, ...(await load()).command };
}

/** With the schemas of what they print. */
export function loadCommands(some = entries): Promise<Described[]> {
  return Promise.all(
    some.map(async (entry) => {
      const { answer: given, ...command } = await loadCommand(entry);
      const answer = typeof given === 'function' ? await given() : given;
      return { ...command, ...(answer && { answer }) };
    }),
  );
}
