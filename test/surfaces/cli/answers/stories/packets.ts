import fs from 'node:fs';
import path from 'node:path';
import { answerOf } from '../../../../bin/packet-cli/answers.mjs';
import type { Place } from '../../errors/place.ts';
import type { Story } from '../story.ts';

/** It has an answer to everything; a section that nobody asked for is left alone. */
const text = ['brief', 'review', 'verify', 'test_design', 'static_verify', 'test_impl']
  .map(answerOf)
  .join('\n');
const lines = {
  codex: [
    { type: 'thread.started', thread_id: '0f5a1c1e-0000-4000-8000-000000000002' },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } },
  ],
  gemini: [
    { type: 'message', role: 'assistant', content: text, delta: true },
    { type: 'result', status: 'success', stats: { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
  ],
};

/** The tools of the shipped profiles: a shell that writes where it is to implement, and says what it always says. */
function tools(place: Place): void {
  const agents = Object.entries(lines).map(([name, said]) => {
    const program = path.join(place.dir, name);
    const write = 'case "$(cat)" in *"# Role: implementation"*) echo two > src/app.txt ;; esac';
    fs.writeFileSync(`${program}.jsonl`, said.map((line) => `${JSON.stringify(line)}\n`).join(''));
    fs.writeFileSync(program, `#!/bin/sh\n${write}\ncat "$0.jsonl"\n`, { mode: 0o755 });
    return [name, { adapter: name, command: [program] }];
  });
  place.write('.docket/config.yaml', JSON.stringify({ agents: Object.fromEntries(agents) as object }));
}

export const packets: Story = {
  title: 'packets',
  make: (place) => {
    place.write('src/app.txt', 'one\n');
    place.write('pack.md', '# Pack\n');
    place.write('report.md', '# Report\n');
    place.repository();
    tools(place);
  },
  lines: [
    'packet new --goal Greet --id greet --allow src/ --command true',
    'packet run greet --dry-run',
    'packet run greet',
    'packet status greet',
    'packet resume greet',
    'show greet',
    'explain greet',
    'packet list',
    'packet config greet',
    'packet config',
    'packet validate greet',
    'packet dispatch pipeline --task .tmp/task/greet',
    'packet new --goal Other --id other',
    'packet cancel other',
    'packet archive --policy --dry-run',
    'packet archive greet',
    'packet delete other --yes',
    'packet review pack.md report.md out',
    'status',
  ],
};
