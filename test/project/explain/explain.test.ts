import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDocket } from '../../../src/project/docket.ts';
import type { Explanation } from '../../../src/render/explain/types.ts';
import { BoardProject, report } from '../../support/board-project.ts';
import { CircleProject, finds, writes } from '../../support/circle.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

async function explained(
  root: string,
  env: Record<string, string>,
  ref: string,
  of?: string,
): Promise<Explanation> {
  const docket = await openDocket({ cwd: root, root, env });
  try {
    return await docket.explain(ref, of);
  } finally {
    await docket.close();
  }
}

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' };

describe('explains', () => {
  it('a loop of the queue, with the last two changes', async () => {
    const secret = 'SECRET_TOKEN=abcdefgh12345678';
    const fix = [writes(`good day\n${secret}`), writes('hello')];
    const project = new CircleProject({ fix, review: ['Too short a word.', 'Too long a word.'].map(finds) });
    Object.assign(project.env, { SECRET_TOKEN: 'abcdefgh12345678' });
    const task = await project.ran();
    const found = await explained(project.root, project.env, 'greet');
    expect(found).toMatchObject({ kind: 'queue', id: task.id, name: 'greet', status: 'blocked' });
    expect(found.cause).toMatchObject({ kind: 'loop', who: 'a person' });
    expect(found.loop).toMatchObject({ pattern: 'swing', times: 3, steps: ['implement', 'fix', 'fix--2'] });
    const [there, back] = found.loop?.diffs ?? [];
    expect(there).toMatchObject({ step: 'fix' });
    expect(there?.patch).toMatch(
      /^--- a\/hello\.txt\n\+\+\+ b\/hello\.txt\n@@ -1,1 \+1,2 @@\n-hello\n\+good day\n\+.*REDACTED/,
    );
    expect(back?.patch).toMatch(/\n-good day\n-.*REDACTED.*\n\+hello\n$/);
    expect(found.attempts.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      'implement ok',
      'review ok',
      'fix ok',
      'review--2 ok',
      'fix--2 ok',
    ]);
    expect(
      found.decisions
        .filter(({ kind }) => kind === 'rule')
        .map(({ about, text, by }) => `${about}: ${text} (${by})`),
    ).toContain('review: needs work (the agent)');
    expect(found.timeline.at(0)?.text).toMatch(/^created: /);
    expect(found.timeline.at(-1)?.text).toMatch(/^blocked \(loop\)/);
    expect(found.next.map(({ words }) => words[0])).toEqual(['diff', 'logs', 'retry']);
    expect(JSON.stringify(found)).not.toContain('abcdefgh12345678');
    const kept = path.join(project.root, '.docket/queue/attempts', task.id, '.trail');
    const texts = fs.readdirSync(kept).map((name) => fs.readFileSync(path.join(kept, name), 'utf8'));
    expect(texts.filter((text) => text.includes('abcdefgh12345678'))).toEqual([]);
    const { out, code } = await project.docket('explain', 'greet');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^greet: [^]*\nwhy: the files go back and forth[^]*\n {2}== fix, [^]*\n {2}-hello\n[^]*\nnext:\n {2}docket diff greet/,
    );
  });

  it('a task directory, and a task of the board', async () => {
    const project = await TaskProject.created();
    await project.run(actions(subtask('first'), subtask('odd', 'blocked')));
    const found = await explained(project.root, project.env, project.id);
    expect(found).toMatchObject({ kind: 'task', id: project.id, cause: { kind: 'gate', who: 'a person' } });
    expect(found.next[0]?.words.slice(0, 3)).toEqual(['gate', 'approve', project.id]);
    expect(found.timeline.map(({ text }) => text)).toContain('step first is done');
    const at = new BoardProject(report({ status: 'blocked', summary: 'no key' }));
    await at.say('create task: build');
    await at.hear('run T-001', { mode: 'spawn' });
    const task = await explained(at.root, env, 'T-001');
    expect(task).toMatchObject({ kind: 'board', status: 'blocked', cause: { text: 'no key' } });
    expect(task.attempts).toMatchObject([{ step: 'work-1', n: 1, agent: 'sh', outcome: 'ok' }]);
    expect(task.next.at(-1)?.words).toEqual(['say', 'unblock T-001']);
  });

  it('nothing that is not there, and nothing by a name that is a path', async () => {
    const at = new BoardProject();
    await at.say('create task: build');
    for (const ref of ['T-002', '../T-001', '', '.', 'a/b', '-x', 'constructor'])
      await expect(explained(at.root, env, ref)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(explained(at.root, env, 'T-001', 'packet')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
