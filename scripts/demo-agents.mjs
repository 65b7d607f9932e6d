// The second part of the demonstration: agents at work. The agent is scripted and needs no model; the queue, the
// processes, git and the verdicts are real.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runner } from './demo-run.mjs';

const scenario = `rules:
  - when: Write the changelog
    steps:
      - say: I look at the history and write it down.
      - edit: { path: NOTES.md, write: "# Notes\\n\\nThe login test waits for its timer now.\\n" }
      - usage: { input: 5200, cached: 1100, output: 340, cost: 0.0125 }
      - report: { status: success, summary: Wrote the changelog entry to NOTES.md., changes: [NOTES.md] }
  - when: Survive a crash
    turns:
      - [{ say: Half way there … }, { die: true }]
      - [{ report: { status: success, summary: Finished in the same session after the crash. } }]
  - when: Choose the port
    steps:
      - report: { status: blocked, summary: The port is not decided., questions: [Which port should the server use?] }
`;

export function demoAgents({ docket, root, title, show }) {
  const run = runner(docket, root);
  fs.mkdirSync(path.join(root, '.docket'), { recursive: true });
  execFileSync('git', ['init', '--quiet', root]);
  fs.writeFileSync(path.join(root, 'scenario.yaml'), scenario);
  const settings = 'agents: { actor: { adapter: script, command: [scenario.yaml] } }\ndefaultAgent: actor\n';
  fs.writeFileSync(path.join(root, '.docket/config.yaml'), settings);

  title('An agent works on the queue: one task goes well, one agent is killed half way, one needs a person.');
  show(settings);
  for (const text of ['Write the changelog entry', 'Survive a crash', 'Choose the port']) run('add', text);
  const ran = run('run');
  show(ran.text);
  show(`exit code ${ran.status}: a person must act`);
  show(run('list').text);

  title('Every attempt is on disk: what was asked, what was said, how it ended.');
  const attempts = path.join(root, '.docket/queue/attempts');
  const crashed = fs.readdirSync(attempts).find((id) => fs.existsSync(path.join(attempts, id, 'work/2')));
  if (crashed === undefined || ran.status !== 5) throw new Error('the demonstration did not go as it should');
  show(
    `${fs.readdirSync(path.join(attempts, crashed, 'work')).length} entries in .docket/queue/attempts/${crashed}/work; the second prompt:`,
  );
  show(fs.readFileSync(path.join(attempts, crashed, 'work/2/prompt'), 'utf8'));
}
