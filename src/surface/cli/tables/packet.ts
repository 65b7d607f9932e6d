import type { Command, Group, Operand, Option } from '../table.ts';
import { watching } from './live.ts';

const group = 'Tasks';
const packet: Operand = { kind: 'text', label: '<packet>', min: 1, max: 1 };
const text = (name: string, summary: string, label = 'TEXT'): Option => ({
  name,
  summary,
  value: { kind: 'text', label },
});
const exits = 'Exit: 0 done, 1 failed, 5 a person must act, 75 later, 124 timeout, 130 stopped.';

const runOptions: readonly Option[] = [
  text('stage', 'This stage alone', 'STAGE'),
  text('from', 'Again from this stage on', 'STAGE'),
  { name: 'force', summary: 'All of it again, also what is done' },
  text('plan', "Another profile than the intent's", 'PROFILE'),
  { name: 'dry-run', summary: 'Show what would run, and why; start nothing' },
  ...watching,
];

export const packetGroups: readonly Group[] = [
  {
    name: 'packet',
    group,
    summary: 'Work in stages: brief, implement, verify, review',
    notes: ['Everything about one is in .tmp/task/<packet>/; its manifest.yaml is yours.'],
    examples: ['docket packet new --goal "Retry failed logins" --allow src', 'docket packet run <packet>'],
  },
];

export const packetCommands: readonly Command[] = [
  {
    name: 'packet new',
    group,
    summary: 'Make a packet with a manifest to edit',
    options: [
      text('goal', 'What it is for, in one sentence'),
      text('id', 'Name of the packet (default: made)', 'ID'),
      text('intent', 'Which stages it gets (default safe_impl)', 'NAME'),
      text('request', 'What you want, in your words'),
      { name: 'file', summary: 'Read that from a file ("-": stdin)', value: { kind: 'file', label: 'PATH' } },
      text('allow', 'A path that may change (repeatable)', 'PATH'),
      text('deny', 'A path that must not (repeatable)', 'PATH'),
      text('command', 'A command that proves it (repeatable)', 'COMMAND'),
      text('criterion', 'What a good result has (repeatable)'),
    ],
    notes: [
      'Prints its id. --goal is needed; the rest can be written into the manifest.',
      'Intents: safe_impl, one_shot_impl, design_only, review_only, review_cross,',
      'strict_review, post_impl_review, codex_only, or a profile of your own.',
    ],
    examples: [
      'docket packet new --goal "Retry logins" --allow src --command "npm test"',
      'docket packet new --goal "Review it" --intent review_cross --file -',
    ],
    load: () => import('../commands/packet-new.ts'),
  },
  {
    name: 'packet run',
    group,
    summary: 'Run its stages, from the first that is not done',
    operand: packet,
    options: runOptions,
    notes: [
      'A stage whose request, template, model or settings have changed runs again, and',
      'all after it. A line every 10 s (AGENT_CLI_PROGRESS_INTERVAL_SEC; 0: none).',
      exits,
    ],
    examples: ['docket packet run <packet>', 'docket packet run <packet> --from codex_verify'],
    load: () => import('../commands/packet-run.ts'),
  },
  {
    name: 'packet resume',
    group,
    summary: 'Go on after a failure, an answer or an interruption',
    operand: packet,
    options: runOptions,
    notes: ['The same as docket packet run.', exits],
    examples: ['docket packet resume <packet>'],
    load: () => import('../commands/packet-run.ts'),
  },
  {
    name: 'packet cancel',
    group,
    summary: 'Give a packet up; its agent ends within seconds',
    operand: packet,
    options: [text('reason', 'Why, for the log')],
    notes: ['What is done stays in its folder. docket packet run takes it up again.'],
    examples: ['docket packet cancel <packet> --reason "Not wanted any more"'],
    load: () => import('../commands/packet-cancel.ts'),
  },
  {
    name: 'packet status',
    group,
    summary: 'Show one: its stages, budget and the next command',
    operand: packet,
    options: [],
    notes: ['Also one that is archived. Nothing is changed.'],
    examples: ['docket packet status <packet>', 'docket packet status <packet> --json | jq .stages'],
    load: () => import('../commands/packet-status.ts'),
  },
  {
    name: 'packet list',
    group,
    summary: 'Show the packets, one row each',
    options: [{ name: 'archived', summary: 'Those in the archive' }],
    notes: ['Columns: id, status, stages (done/all), intent, goal, and why it stands still.'],
    examples: ['docket packet list', "docket packet list --json | jq -r '.packets[].id'"],
    load: () => import('../commands/packet-list.ts'),
  },
  {
    name: 'packet review',
    group,
    summary: 'Review finished work in six stages',
    operand: { kind: 'file', label: '<context-pack> <report> [out]', min: 2, max: 3 },
    options: [],
    notes: ['Makes a packet of its own. Results go to .tmp/post-impl, or where you say.', exits],
    examples: ['docket packet review context_pack.md report.md'],
    load: () => import('../commands/packet-review.ts'),
  },
  {
    name: 'packet config',
    group,
    summary: 'Show each setting and the file that it came from',
    operand: { kind: 'text', label: '[packet]', min: 0, max: 1 },
    options: [],
    notes: ['They are in configs/servant/ and configs/pipeline/; a packet may change some.'],
    examples: ['docket packet config', 'docket packet config <packet> | grep timeout'],
    load: () => import('../commands/packet-config.ts'),
  },
  {
    name: 'packet validate',
    group,
    summary: 'Check its files and name every problem with its fix',
    operand: packet,
    options: [],
    notes: ['Nothing is changed. Exit code: 0 no errors, 2 errors.'],
    examples: ['docket packet validate <packet>'],
    load: () => import('../commands/packet-validate.ts'),
  },
  {
    name: 'packet archive',
    group,
    summary: 'Move packets to .tmp/archive/',
    operand: { kind: 'text', label: '[packet…]', min: 0, max: Infinity },
    options: [
      {
        name: 'older-than',
        summary: 'Those that were finished so long ago',
        value: { kind: 'integer', label: 'DAYS' },
      },
      { name: 'force', summary: 'Also one that is not finished' },
      { name: 'policy', summary: 'Archive and delete as manifests and settings say' },
      { name: 'dry-run', summary: 'Show what would happen; change nothing' },
    ],
    notes: [
      'Prints their ids. Only what is done or canceled, unless you --force it. What is',
      'there already is never overwritten.',
      '--policy: finished packets by packets.retention in .docket/config.yaml and',
      'retention in their manifests. Nothing is deleted that was not archived before.',
    ],
    examples: ['docket packet archive <packet>', 'docket packet archive --policy --dry-run'],
    load: () => import('../commands/packet-archive.ts'),
  },
  {
    name: 'packet delete',
    group,
    summary: 'Delete a packet for good',
    operand: packet,
    options: [
      { name: 'yes', summary: 'You mean it: ask nobody' },
      { name: 'dry-run', summary: 'Count the files; delete nothing' },
    ],
    notes: ['Refused while it is worked on, and without --yes where nobody can be asked.'],
    examples: ['docket packet delete <packet> --dry-run', 'docket packet delete <packet> --yes'],
    load: () => import('../commands/packet-delete.ts'),
  },
  {
    name: 'packet dispatch',
    group,
    summary: 'What dispatch.sh did, with its arguments and exit codes',
    operand: { kind: 'text', label: 'single|pipeline', min: 0, max: Infinity },
    lenient: true,
    options: [
      { name: 'task', summary: 'The folder of the packet', value: { kind: 'directory', label: 'DIR' } },
      text('stage', 'With single: the stage', 'STAGE'),
      text('plan', 'With pipeline: auto, or a profile', 'PROFILE'),
    ],
    notes: ['What it does not know it warns of, and goes on.', 'Exit code: 0 done, 1 failed, 2 bad call.'],
    examples: [
      'docket packet dispatch pipeline --task .tmp/task/<packet> --plan auto',
      'docket packet dispatch single --task .tmp/task/<packet> --stage codex_impl',
    ],
    load: () => import('../commands/packet-dispatch.ts'),
  },
];
