import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MixedWorkspace } from '../../support/mixed-workspace.ts';
import { scratch } from '../../support/scratch.ts';
import { Plain } from './plain-project.ts';
import { inFolder } from './real-world.ts';

const askFirst = `
  - name: plan
    instruction: Say how.
    rules:
      - { condition: a question is open, next: plan, requires_user_input: true }
      - { condition: planned, next: COMPLETE }
`;

const frenchStep =
  '  - { name: work, instruction: Speak French only., rules: [{ condition: done, next: COMPLETE }] }';

describe('a plain program as the agent', () => {
  it('is told the work alone by quick, and what a person says since', async () => {
    const project = new Plain('case $p in *Louder*) echo Done.;; *) exit 77;; esac');
    await project.cli('add', 'Greet people', '--name', 'greet');
    expect((await project.cli('run')).code).toBe(5);
    await project.cli('retry', 'greet', '--note', 'Louder, please');
    expect((await project.cli('run')).code).toBe(0);
    const told = project.told();
    expect(told[0]).toBe('Greet people');
    expect(told.at(-1)).toMatch(/Louder, please[^]*Greet people/);
  });

  it('is told a person’s words also when what is done is to be done once more', async () => {
    const project = new Plain('echo Done.');
    await project.cli('add', 'Greet people', '--name', 'greet');
    expect((await project.cli('run')).code).toBe(0);
    const refused = await project.cli('retry', 'greet', '--note', 'Louder');
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringMatching(/docket requeue \S+ --note TEXT/),
    ]);
    expect((await project.cli('requeue', 'greet', '--note', 'Louder, please')).code).toBe(0);
    expect((await project.cli('run')).code).toBe(0);
    expect(project.told().at(-1)).toMatch(/Louder, please/);
  });

  it('is told what a quick of the project says, be it the workflow or a text of it', async () => {
    const project = new Plain('echo Done.');
    project.workflow('quick', `${frenchStep}\n`);
    await project.cli('add', 'Greet people');
    expect((await project.cli('run')).code).toBe(0);
    expect(project.told()[0]).toMatch(/Greet people[^]*Speak French only\./);
    const other = new Plain('echo Done.');
    fs.mkdirSync(path.join(other.root, '.takt/facets/instructions'), { recursive: true });
    other.write('.takt/facets/instructions/work.md', 'Whisper.\n');
    await other.cli('add', 'Greet people');
    expect((await other.cli('run')).code).toBe(0);
    expect(other.told()[0]).toContain('Whisper.');
  });

  it('is told the instruction and the tags of a workflow of one step, and the answer at its gate', async () => {
    const project = new Plain('case $p in *8080*) echo "[PLAN:2]";; *) echo "Which port? [PLAN:1]";; esac');
    project.workflow('ask', askFirst);
    await project.cli('add', 'Serve it', '--name', 'serve', '--workflow', 'ask');
    const asked = await project.cli('run');
    expect(asked.code).toBe(5);
    expect(asked.stdout).toContain('plan: a question is open: Which port?');
    expect(asked.stderr).toContain('how to answer: docket gate list');
    expect(asked.stderr).not.toContain('tries it again');
    expect(project.told()[0]).toMatch(/Serve it[^]*Say how\.[^]*\[PLAN:2\] planned/);
    await project.cli('gate', 'approve', 'serve', 'gate-plan--ask', '--note', 'Port 8080');
    expect((await project.cli('run')).code).toBe(0);
    expect(project.told().at(-1)).toMatch(/Which port\?\nAnswer: Port 8080/);
  });

  it('is asked as the judge, though it cannot be held to reading', async () => {
    const project = new Plain('case $p in *JUDGE*) echo "[JUDGE:2]";; *) echo "I made a plan.";; esac');
    project.workflow('ask', askFirst);
    await project.cli('add', 'Serve it', '--name', 'serve', '--workflow', 'ask');
    expect((await project.cli('run')).code).toBe(0);
    expect((await project.cli('show', 'serve')).stdout).toContain('→ planned (judge)');
  });

  it('that fails as the judge leaves the work as it is, with the reason', async () => {
    const project = new Plain('case $p in *JUDGE*) echo no login; exit 77;; *) echo "A plan.";; esac');
    project.workflow('ask', askFirst);
    await project.cli('add', 'Serve it', '--name', 'serve', '--workflow', 'ask');
    const ran = await project.cli('run');
    expect(ran.code).toBe(5);
    expect(ran.stdout).toMatch(/auth: the judge of step plan: auth: .*no login/);
    const { stdout } = await project.cli('show', 'serve');
    expect(stdout).toContain('steps: 1 (1 stopped)');
  });
});

describe('docket run', () => {
  it('in place leaves each task its own diff', async () => {
    const project = new Plain('echo "$p" > "$p.txt"; echo "$p" >> a.txt; echo Done.');
    for (const name of ['one', 'two']) await project.cli('add', name, '--name', name);
    expect((await project.cli('run')).code).toBe(0);
    const first = await project.cli('diff', 'one', '--name-only');
    expect([first.stdout, first.stderr]).toEqual([
      'one.txt\n',
      expect.stringContaining('since (see git diff): a.txt'),
    ]);
    const second = await project.cli('diff', 'two', '--name-only');
    expect([second.stdout, second.stderr]).toEqual([
      'a.txt\ntwo.txt\n',
      expect.stringContaining('not committed'),
    ]);
  });

  it('does not take what is added meanwhile for the work of an agent that may only read', async () => {
    const adds = 'mkdir -p .takt/tasks/new && echo Later > .takt/tasks/new/order.md; echo Seen.';
    const project = new Plain(adds);
    project.write('.gitignore', '.docket\n');
    project.git('commit', '--quiet', '--all', '-m', 'the queue is seen by git');
    project.workflow(
      'look',
      '  - { name: look, edit: false, instruction: Look only., rules: [{ condition: seen, next: COMPLETE }] }\n',
    );
    await project.cli('add', 'Look', '--name', 'look', '--workflow', 'look');
    expect((await project.cli('run')).code).toBe(0);
    expect((await project.cli('diff', 'look')).stdout).toBe('');
  });

  it('says why a task that was named did not run', async () => {
    const project = new Plain('echo Done.');
    for (const name of ['one', 'two']) await project.cli('add', name, '--name', name);
    expect((await project.cli('run', 'one')).code).toBe(0);
    const again = await project.cli('run', 'one');
    expect([again.code, again.stderr]).toEqual([0, 'one is done; to do it once more: docket requeue one\n']);
    await project.cli('cancel', 'two');
    const canceled = await project.cli('run', 'two', 'one');
    expect(canceled.code).toBe(4);
    expect(canceled.stderr).toContain('two is canceled; to take it up again: docket retry two\n');
    expect(project.told()).toEqual(['one']);
  });

  it('names nobody where nobody was called', async () => {
    const project = new Plain('echo Done.');
    await project.cli('add', 'x', '--name', 'x', '--workflow', 'later', '--start-step', 'nowhere');
    project.workflow('later', `${frenchStep}\n`);
    const { code, stdout } = await project.cli('run');
    expect(code).toBe(5);
    expect(stdout).toMatch(/^blocked {2}x\n {9}setup: .*"nowhere"/);
  });

  it('calls what a task waits for by its name before anything is started', async () => {
    const project = new Plain('echo Done.');
    await project.cli('add', 'first', '--name', 'first');
    await project.cli('add', 'second', '--name', 'second', '--needs', 'first');
    expect((await project.cli('run', '--dry-run')).stdout).toContain('waits for first\n');
  });
});

it('a dry run of everything says that it plans the queue alone', async () => {
  const { root } = new MixedWorkspace();
  const { stderr } = await inFolder(root, ['run', '--all', '--dry-run']);
  expect(stderr).toContain('This is the queue. What else waits: docket status\n');
});

describe('docket run --all of a packet whose agents are not there', () => {
  it('holds it, says so to who asks, and goes on when they are', async () => {
    const project = new Plain('echo Done.');
    const made = await project.cli('packet', 'new', '--goal', 'Do it');
    const id = made.stdout.trim().split('\n')[0] ?? '';
    const text = 'the agent gemini, for gemini_brief, gemini_review: the program is not there';
    const first = await project.docket('run', '--all', '--json');
    expect(first.code).toBe(5);
    expect(JSON.parse(first.out)).toMatchObject({
      ok: false,
      tasks: [{ id, layout: 'packet', status: 'blocked', task: { reason: { kind: 'setup' } } }],
    });
    const again = await project.docket('run', '--all', '--json');
    expect([again.code, JSON.parse(again.out)]).toMatchObject([
      5,
      { error: { message: `a person must act: packet ${id} (cannot go on)` } },
    ]);
    const needs = await project.docket('needs-me', '--exit-code');
    expect([needs.code, needs.out]).toEqual([5, expect.stringContaining(text)]);
    expect(needs.out).toContain(`docket packet resume ${id}`);
    const bin = scratch();
    for (const name of ['gemini', 'codex'])
      fs.writeFileSync(path.join(bin, name), '#!/bin/sh\nexit 41\n', { mode: 0o755 });
    project.env['PATH'] = `${bin}:${project.env['PATH']}`;
    const goes = await project.docket('run', '--all');
    expect(goes.out).not.toContain('not there'); // it is not logged in
    expect((await project.docket('packet', 'status', id)).out).toContain('gemini_brief');
  });
});
