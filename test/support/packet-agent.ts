import fs from 'node:fs';
import path from 'node:path';
import { bin } from './child.ts';

const pack = [
  'Goal',
  'Non-goals',
  'Scope',
  'Acceptance Criteria',
  'Fixed Decisions',
  'Files to Read',
  'Prohibited Actions',
  'Current State',
  'Open Questions',
  'Change History',
].map((title, n) => `${n}. ${title}`);

/** What stages answer that pass their gates. */
export const answers = {
  brief: sections(
    ['Summary', 'Acceptance', 'Scope', 'Constraints', 'Verify Commands', 'Updated Context Pack'],
    pack,
  ),
  impl: 'The file is changed.\n',
  verify: '## Status\n\nPASS\n',
  review: sections(['Findings', 'Test gaps', 'Breaking changes', 'Minimal fix']),
} as const;
export type Role = keyof typeof answers;

/** Which of the two plays a role in the profile `safe_impl`. */
const streams = { brief: geminiLines, impl: codexLines, verify: codexLines, review: geminiLines };

function sections(...titles: readonly (readonly string[])[]): string {
  return titles
    .flat()
    .map((title) => `## ${title}\n\nNothing special.\n`)
    .join('\n');
}

function codexLines(text: string): object[] {
  return [
    { type: 'thread.started', thread_id: '0199a213-81c0-7800-8aa1-bbab2a035a53' },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } },
  ];
}

function geminiLines(content: string): object[] {
  return [
    { type: 'message', role: 'assistant', content, delta: true },
    { type: 'result', status: 'success', stats: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
  ];
}

/** Makes both tools of `safe_impl` agents of ours, and says what they do. */
export class PacketAgents {
  readonly cues: string;

  constructor(root: string) {
    this.cues = path.join(root, '..', 'cues');
    fs.mkdirSync(this.cues, { recursive: true });
    const settings = (adapter: string) => ({
      adapter,
      command: [bin('packet-agent.sh')],
      env: { CUES: this.cues },
    });
    const prompts = path.join(root, '.docket', 'prompts', 'packet');
    fs.mkdirSync(prompts, { recursive: true });
    const agents = { codex: settings('codex'), gemini: settings('gemini') };
    fs.writeFileSync(path.join(root, '.docket', 'config.yaml'), JSON.stringify({ agents }));
    for (const role of Object.keys(answers) as Role[]) {
      fs.writeFileSync(path.join(prompts, `${role}.md`), `Your role: ${role}\n`);
      this.says(role, answers[role]);
    }
  }

  says(role: Role, text: string): void {
    const lines = streams[role](text).map((line) => `${JSON.stringify(line)}\n`);
    fs.writeFileSync(path.join(this.cues, `${role}.jsonl`), lines.join(''));
  }

  /** In the work tree, by the shell. */
  does(role: Role, script: string): void {
    fs.writeFileSync(path.join(this.cues, `${role}.sh`), script);
  }

  told(role: Role): string {
    return fs.readFileSync(path.join(this.cues, `${role}.prompt`), 'utf8');
  }

  /** What the agents did, line by line. */
  diary(): string[] {
    const file = path.join(this.cues, 'log');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }
}
