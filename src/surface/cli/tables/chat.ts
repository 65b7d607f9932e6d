import type { Command, Group, Option } from '../table.ts';

const group = 'Board';

const listen: Option = {
  name: 'listen',
  summary: 'Wait for requests here',
  value: { kind: 'text', label: 'HOST:PORT' },
};
const serving: readonly Option[] = [
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

export const chatGroups: readonly Group[] = [
  {
    name: 'chat',
    group,
    summary: 'Work the board from a chat: Feishu, Lark, or any other',
    notes: ['One chat serves a board at a time, until Ctrl-C. All about it: docs/chat.md'],
    examples: ['docket chat feishu', 'docket chat status'],
  },
];

export const chatCommands: readonly Command[] = [
  {
    name: 'chat feishu',
    group,
    summary: 'Serve a Feishu or Lark group until Ctrl-C',
    options: [
      { name: 'config', summary: 'Settings (JSON, chmod 600)', value: { kind: 'file', label: 'FILE' } },
      listen,
      ...serving,
    ],
    notes: [
      'Set FEISHU_APP_ID and FEISHU_APP_SECRET, or write them to FILE. Without',
      '--listen it keeps a long connection. A group that is not on the list is not',
      'heard: its id is shown, so that it can be put there. --json: a line each.',
    ],
    examples: ['docket chat feishu --group oc_0123', 'docket chat feishu --config feishu.json --dry-run'],
    load: () => import('../commands/chat-feishu.ts'),
  },
  {
    name: 'chat webhook',
    group,
    summary: 'Serve any other chat by signed requests until Ctrl-C',
    options: [
      listen,
      { name: 'out', summary: 'Post messages to this address', value: { kind: 'text', label: 'URL' } },
      {
        name: 'secret-env',
        summary: 'The variable with the secret that signs both ways',
        value: { kind: 'text', label: 'NAME' },
      },
      {
        name: 'secret-file',
        summary: 'The same from a file (chmod 600)',
        value: { kind: 'file', label: 'FILE' },
      },
      ...serving,
    ],
    notes: ['Default: --listen 127.0.0.1:8787 --secret-env DOCKET_HOOK_SECRET'],
    examples: ['docket chat webhook --group team --out https://chat.example/hook'],
    load: () => import('../commands/chat-webhook.ts'),
  },
  {
    name: 'chat status',
    group,
    summary: 'Show what waits to be sent, and what was given up',
    options: [],
    examples: ['docket chat status', 'docket chat status --json'],
    load: () => import('../commands/chat-status.ts'),
  },
  {
    name: 'chat retry',
    group,
    summary: 'Try again what was given up',
    options: [{ name: 'dry-run', summary: 'Show it; change nothing' }],
    notes: [
      'What was to be sent, and what could not be acted on.',
      'Each keeps its key: nothing is done twice.',
    ],
    examples: ['docket chat retry --dry-run'],
    load: () => import('../commands/chat-retry.ts'),
  },
];
