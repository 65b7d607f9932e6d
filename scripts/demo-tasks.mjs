// The third part of the demonstration: one task for several agents, with a person in between. The agents are scripted;
// the controller, the processes, the gate and the files are real.
import fs from 'node:fs';
import path from 'node:path';
import { runner } from './demo-run.mjs';

const scenario = `rules:
  - when: count the uses
    steps:
      - report: { status: success, summary: Three modules still read the old keys., nextActions: [rename them] }
  - when: rename the keys
    turns:
      - [{ report: { status: blocked, summary: Two names are possible., questions: [Should the key be called port or listenOn?] } }]
      - [{ edit: { path: config.md, write: "The key is called listenOn.\\n" } }, { report: { status: success, summary: Renamed it to listenOn as you said. } }]
  - when: tell the users
    steps:
      - report: { status: success, summary: Wrote the note for the changelog. }
`;

const subtask = (taskId, title, prompt, more = {}) => ({
  taskId,
  title,
  agent: 'developer',
  adapter: 'team',
  prompt,
  ...more,
});
const actions = {
  sessionGoal: 'Rename the old config keys',
  tasks: [
    subtask('count', 'Find the uses', 'Please count the uses of the old keys.'),
    subtask('rename', 'Rename', 'Please rename the keys.', { needs: ['count'] }),
    subtask('tell', 'Tell the users', 'Please tell the users.', { needs: ['rename'] }),
  ],
};

export function demoTasks({ docket, root, title, show }) {
  const run = runner(docket, root);
  fs.writeFileSync(path.join(root, 'team.yaml'), scenario);
  fs.writeFileSync(
    path.join(root, '.docket/config.yaml'),
    'agents: { team: { adapter: script, command: [team.yaml] } }\n',
  );
  fs.writeFileSync(path.join(root, 'actions.json'), JSON.stringify(actions, undefined, 2));

  title('One task for three agents. The second one needs a person, so the third waits.');
  const id = run('task', 'create', '--title', 'Rename the old config keys', '--topology', 'swarm').out;
  const first = run('task', 'run', id, '--actions', path.join(root, 'actions.json'));
  show(first.text);
  show(`exit code ${first.status}: a person must act`);

  title('You answer the gate. The same agent goes on with your words, in the same session.');
  run('gate', 'approve', id, 'gate-rename', '--note', 'Call it listenOn.');
  const second = run('task', 'resume', id);
  show(second.text);
  if (first.status !== 5 || second.status !== 0) throw new Error('the demonstration did not go as it should');
  show(fs.readFileSync(path.join(root, '.agentmesh/tasks', id, 'shared/state-board.md'), 'utf8'));
}
