import { kindNames } from '../../../task/kind-names.ts';
import type { Operand, Option } from './command.ts';

/** What every line may have. */
export const globalOptions: readonly Option[] = [
  {
    name: 'root',
    summary: 'Work in DIR (default: the nearest folder above with a marker)',
    value: { kind: 'directory', label: 'DIR' },
  },
  { name: 'json', summary: 'One JSON value on stdout, nothing else' },
  { name: 'quiet', summary: 'Answers and errors only: no hints, no warnings' },
  { name: 'no-color', summary: 'No colours (also: NO_COLOR, CI, no terminal)' },
  { name: 'help', short: 'h', summary: 'Show help, also for one command' },
  { name: 'version', summary: 'Print the version' },
];

export const anyTask: Operand = { kind: 'text', names: 'any', label: '<task>', min: 1, max: 1 };
export const anyTasks: Operand = { kind: 'text', names: 'any', label: '<task…>', min: 1, max: Infinity };
export const queueTask: Operand = { kind: 'text', names: 'queue', label: '<task>', min: 1, max: 1 };
export const gateOperand: Operand = {
  kind: 'text',
  names: ['gated', 'gate'],
  label: '<task> [gate]',
  min: 1,
  max: 2,
};
export const oneTask: Operand = { kind: 'text', names: 'task', label: '<task>', min: 1, max: 1 };
export const onePacket: Operand = { kind: 'text', names: 'packet', label: '<packet>', min: 1, max: 1 };
export const oneWorkflow: Operand = { kind: 'text', names: 'workflow', label: '<workflow>', min: 1, max: 1 };

export const textOption = (name: string, summary: string, label = 'TEXT'): Option => ({
  name,
  summary,
  value: { kind: 'text', label },
});
export const dryRun = (summary: string): Option => ({ name: 'dry-run', summary });

export const showOnly = dryRun('Show what would happen; change nothing');
export const reason = textOption('reason', 'Why, for the journal');
export const note = (summary: string): Option => textOption('note', summary);
export const agentNote = note('What the agent is told');
export const ownBudget: Option = {
  name: 'budget',
  summary: 'Its own caps: calls, tokens, money, seconds (money=5)',
  value: { kind: 'text', label: 'UNIT=N', many: true },
};

const layouts = { kind: 'oneOf', label: 'LAYOUT', words: kindNames } as const;
export const ofLayout: Option = { name: 'of', summary: 'Where more than one has that name', value: layouts };
export const layoutOption: Option = {
  name: 'layout',
  summary: `Only one: ${kindNames.slice(0, -1).join(', ')} or ${kindNames.at(-1)}`,
  value: layouts,
};

/** How everything that runs agents is watched. */
export const watching: readonly Option[] = [
  { name: 'stream', summary: 'With --json: a line for all that happens, the answer last' },
  { name: 'no-live', summary: 'Plain lines also on a terminal' },
];

/** How the queue is run. */
export const runOptions: readonly Option[] = [
  {
    name: 'agent',
    summary: 'Use this agent for all (default: defaultAgent)',
    value: { kind: 'text', names: 'agent', label: 'NAME' },
  },
  {
    name: 'concurrency',
    summary: 'Tasks at once, 1 to 64 (default: the settings, or 1)',
    value: { kind: 'integer', label: 'N' },
  },
  { name: 'parallel', summary: 'The same as --concurrency', value: { kind: 'integer', label: 'N' } },
  { name: 'all', summary: 'Also task directories, packets and the board' },
  ...watching,
];

/** How the agents of a task directory are started, whatever for. */
export const control: readonly Option[] = [
  {
    name: 'parallel',
    summary: 'Agents at once, 1 to 64 (default: maxConcurrentAgents)',
    value: { kind: 'integer', label: 'N' },
  },
  { name: 'emulate-fork', summary: "Hand a parent's words to an agent that cannot fork" },
  ...watching,
];
export const taskExits = 'Exit code: 0 all done, 1 something failed, 5 a person must act, 75 try later.';
export const packetExits = 'Exit: 0 done, 1 failed, 5 a person must act, 75 later, 124 timeout, 130 stopped.';

/** Who speaks to the board. */
export const speaking: readonly Option[] = [
  { name: 'as', summary: 'Who says it (default: orchestrator)', value: { kind: 'text', label: 'NAME' } },
  {
    name: 'locale',
    summary: 'Language of the answer (default: that of the text)',
    value: { kind: 'oneOf', label: 'LANG', words: ['en', 'zh', 'ja'] },
  },
];

/** How a chat is served. */
export const listen: Option = {
  name: 'listen',
  summary: 'Wait for requests here',
  value: { kind: 'text', label: 'HOST:PORT' },
};
export const serving: readonly Option[] = [
  {
    name: 'group',
    summary: 'Groups that are heard; the first is told what happens',
    value: { kind: 'text', label: 'ID', many: true },
  },
  {
    name: 'locale',
    summary: 'Language of what is told (default: zh)',
    value: { kind: 'oneOf', label: 'LANG', words: ['en', 'zh', 'ja'] },
  },
  {
    name: 'visibility',
    summary: 'How much is told (default: milestone_only)',
    value: {
      kind: 'oneOf',
      label: 'MODE',
      words: ['milestone_only', 'handoff_visible', 'full_visible'],
    },
  },
  { name: 'open', summary: 'Listen where other machines can reach it' },
  { name: 'dry-run', summary: 'Check the settings; hear and send nothing' },
];
