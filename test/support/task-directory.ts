import fs from 'node:fs';
import path from 'node:path';

/** A task directory with one finished worker, as it should be, with other files over it. Null: without that file. */
export function taskDirectory(root: string, id: string, changes: Record<string, string | null> = {}): string {
  const dir = path.join(root, '.agentmesh', 'tasks', id);
  for (const [name, text] of Object.entries({ ...filesOf(id), ...changes })) {
    if (text === null) continue;
    const file = path.join(dir, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return dir;
}

export const eventOf = (id: string, type: string, more: object = {}): string =>
  `${JSON.stringify({ ts: '2026-01-05T10:00:00Z', type, taskId: id, by: 'user', payload: {}, ...more })}\n`;

function filesOf(id: string): Record<string, string> {
  const agent = 'agents/w1';
  return {
    'README.md': `# Compare the two\n\n- id: \`${id}\`\n- topology: \`swarm\`\n- state: \`completed\`\n`,
    'task.yaml': [
      `id: ${id}`,
      'title: Compare the two',
      'topology: swarm',
      'state: completed',
      'roster:',
      '  - instance: w1',
      '    agent: reader',
      '    state: completed',
      'gates: []',
      '',
    ].join('\n'),
    'events.jsonl': eventOf(id, 'task.created') + eventOf(id, 'agent.completed', { agentInstance: 'w1' }),
    'shared/human-notes.md': '# Notes\n\n- \n',
    'shared/context-manifest.yaml': 'attachments: []\n',
    'shared/evidence/index.json': JSON.stringify([evidence]),
    'shared/state-board.md':
      '# StateBoard\n\n- sessionGoal: Compare\n- ./shared/reports/joined-summary.md\n- ./shared/evidence/index.json\n- ./shared/human-notes.md\n',
    'shared/reports/joined-summary.md':
      '# Joined\n\n### w1 (reader)\n- status: success\n- evidence: evidence:worker-w1\n',
    'shared/reports/joined-summary.json': JSON.stringify({
      taskId: id,
      generatedAt: '2026-01-05T10:01:00Z',
      workers: [
        {
          agentInstance: 'w1',
          agent: 'reader',
          status: 'success',
          summary: 'Both agree.',
          questions: [],
          nextActions: [],
        },
      ],
    }),
    [`${agent}/session.json`]: JSON.stringify({
      adapter: 'codex-exec',
      vendorSession: { tool: 'codex', threadId: 't-1', cwd: '.', codexHome: './codex_home' },
      recording: { events: './runtime/events.jsonl', stderr: './runtime/stderr.log' },
    }),
    [`${agent}/runtime/events.jsonl`]: '{"type":"thread.started","thread_id":"t-1"}\n',
    [`${agent}/runtime/stderr.log`]: '',
    [`${agent}/artifacts/final.json`]: JSON.stringify({ status: 'success', summary: 'Both agree.' }),
  };
}

export const evidence = {
  id: 'worker-w1',
  kind: 'runtime-event-range',
  title: 'w1',
  summary: '[success] Both agree.',
  createdAt: '2026-01-05T10:01:00Z',
  sources: [{ type: 'runtimeEventRange', eventsRef: './agents/w1/runtime/events.jsonl' }],
  artifactRefs: ['./agents/w1/artifacts/final.json'],
};
