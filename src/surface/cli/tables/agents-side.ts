import type { Command, Group } from '../table.ts';

const group = 'Other';

/** For agents that drive docket, where docket drives agents everywhere else. */
export const agentsSideGroups: readonly Group[] = [
  {
    name: 'skill',
    group,
    summary: 'Teach agents to drive docket',
    notes: ['A skill is a SKILL.md that Claude Code, Codex and others read by themselves.'],
    examples: ['docket skill install', 'docket skill install --user', 'docket skill show'],
  },
];

export const agentsSideCommands: readonly Command[] = [
  {
    name: 'mcp',
    group,
    summary: 'Serve docket’s tools to an agent, over MCP on stdin and stdout',
    options: [
      {
        name: 'as',
        summary: 'Who the agent is on the board; give each its own',
        value: { kind: 'text', label: 'NAME' },
      },
      { name: 'read-only', summary: 'Only docket_list and docket_show' },
      { name: 'answers', summary: 'Also docket_answer: pass on your answers to questions' },
      { name: 'print-config', summary: 'Print how Claude Code, Codex, Gemini … are told of it' },
    ],
    notes: [
      'Tools: docket_list, _show, _create, _claim, _report, _ask. None of them changes',
      'settings, gates, budgets or trust; done is done when docket’s checks pass.',
      'claim, report and ask need a board (docket board init). It ends with stdin.',
    ],
    examples: [
      'docket mcp --print-config',
      'claude mcp add docket -- docket mcp --as claude',
      'codex mcp add docket -- docket mcp --as codex',
    ],
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'skill install',
    group,
    summary: 'Write SKILL.md where agents look for skills',
    options: [
      { name: 'user', summary: 'For all of your projects, in your home' },
      { name: 'dir', summary: 'To DIR/docket/SKILL.md', value: { kind: 'directory', label: 'DIR' } },
      { name: 'claude', summary: 'Also to .claude/skills, where there is no .claude yet' },
      { name: 'force', summary: 'Replace what somebody edited; a copy is kept beside it' },
      { name: 'dry-run', summary: 'Only say what would be written' },
    ],
    notes: [
      'It goes to .agents/skills/docket, and to .claude/skills/docket where there is a',
      '.claude. What you changed in it is left alone. Exit code: 4 something was left.',
    ],
    examples: ['docket skill install', 'docket skill install --user --dry-run'],
    load: () => import('../commands/skill-install.ts'),
  },
  {
    name: 'skill show',
    group,
    summary: 'Print what would be written',
    options: [],
    examples: ['docket skill show', 'docket skill show > SKILL.md'],
    load: () => import('../commands/skill-show.ts'),
  },
];
