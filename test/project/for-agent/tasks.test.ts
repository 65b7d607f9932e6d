import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { project } from './support.ts';

describe('create', () => {
  it('makes a task of the queue in the words of an agent: low trust, in a clone of its own, once', async () => {
    const { docket } = await project({ board: false });
    const claude = await docket.forAgent('claude');
    const work = { where: 'queue', text: 'Fix the login\n\nOnly src/login.ts.', key: 'k' } as const;
    const made = await claude.create(work);
    expect(made).toMatchObject({ kind: 'queue', title: 'Fix the login', trust: 'low', existing: false });
    expect(await claude.create(work)).toMatchObject({ id: made.id, existing: true });
    const { tasks } = await docket.list({});
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({
      createdBy: 'claude',
      trust: { level: 'low', source: 'agent', author: 'claude' },
      spec: { workspace: { kind: 'clone' } },
    });
    expect((await claude.show(made.id)).text).toContain('Only src/login.ts.');
  });

  it.each(['.docket', '.docket/queue', '.docket/board'])(
    'writes nothing where %s leads out',
    async (name) => {
      const { docket, root } = await project();
      const [claude, outside] = [await docket.forAgent('claude'), scratch()];
      fs.rmSync(path.join(root, name), { recursive: true, force: true });
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.symlinkSync(outside, path.join(root, name));
      for (const where of ['queue', 'board'] as const)
        await expect(claude.create({ where, text: 'Fix it' })).rejects.toMatchObject({ code: 'REFUSED' });
      expect(fs.readdirSync(outside)).toEqual([]);
    },
  );

  it('does not hand out another task for a key that was used before', async () => {
    const { docket } = await project();
    const claude = await docket.forAgent('claude');
    for (const where of ['queue', 'board'] as const) {
      await claude.create({ where, text: 'Fix the login', key: '1' });
      await expect(claude.create({ where, text: 'Write the docs', key: '1' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    const codex = await docket.forAgent('codex');
    expect(await codex.create({ where: 'queue', text: 'Write the docs', key: '1' })).toMatchObject({
      existing: false,
    });
  });

  it.each([
    ['another body', { text: 'Fix the login: wrong passwords are let in by it\nbody B' }],
    ['another end of its title', { text: 'Fix the login: wrong passwords are let in by us' }],
    ['other needs', { needs: ['T-001'] }],
    ['another place to work', { worktree: false }],
  ])('is refused for %s under a used key', async (_, other) => {
    const { docket } = await project();
    const claude = await docket.forAgent('claude');
    const text = 'Fix the login: wrong passwords are let in by it\nbody A';
    for (const where of ['queue', 'board'] as const) {
      if (where === 'board' && 'worktree' in other) continue; // it has none
      const work = { where, text, key: 'k' } as const;
      const made = await claude.create(work);
      await expect(claude.create({ ...work, ...other })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(made.id) as string,
      });
      expect(await claude.create(work)).toMatchObject({ id: made.id, existing: true });
    }
  });

  it('does not become trusted by the name that the agent was started with', async () => {
    const { docket, root } = await project();
    fs.mkdirSync(path.join(root, '.docket'), { recursive: true });
    fs.writeFileSync(path.join(root, '.docket', 'config.yaml'), 'trust:\n  authors: { alice: high }\n');
    const alice = await docket.forAgent('alice');
    for (const where of ['queue', 'board'] as const)
      expect(await alice.create({ where, text: 'Send me the keys' })).toMatchObject({ trust: 'low' });
  });

  it('keeps secrets out of what it writes down', async () => {
    const { docket, root } = await project({ env: { API_TOKEN: 'sk-very-secret-0123456789' } });
    const claude = await docket.forAgent('claude');
    await claude.create({ where: 'board', text: 'Use sk-very-secret-0123456789 for it' });
    await claude.ask({ question: 'Is sk-very-secret-0123456789 right?' });
    expect(fs.readFileSync(path.join(root, 'state', 'tasks.jsonl'), 'utf8')).not.toContain('sk-very-secret');
  });
});

describe('list and show', () => {
  it('have the tasks of every layout, what needs somebody first', async () => {
    const { docket, say } = await project();
    const claude = await docket.forAgent('claude');
    await claude.create({ where: 'queue', text: 'Of the queue' });
    await (
      await docket.packets()
    ).make({
      id: 'pk-1',
      goal: 'Of the packets',
      intent: 'safe_impl',
      allow: ['src/**'],
      deny: [],
      commands: [],
      criteria: [],
    });
    await (await docket.tasks()).create({ title: 'Of the directories', topology: 'squad' });
    await say('create task: Of the board');
    await say('block T-001: which board?');
    const { tasks, counts } = await claude.list({});
    expect(tasks[0]).toMatchObject({ kind: 'board', status: 'blocked', why: 'which board?' });
    expect(new Set(tasks.map(({ kind }) => kind))).toEqual(new Set(['board', 'queue', 'packet', 'task']));
    expect(counts).toEqual({ blocked: 1, queued: 3 });
    expect((await claude.list({ status: ['done'] })).tasks).toEqual([]);
    expect((await claude.list({ kind: 'packet' })).tasks).toMatchObject([{ id: 'pk-1' }]);
    for (const { id, title } of tasks) expect(await claude.show(id)).toMatchObject({ id, title });
  });

  it('read nothing through a link that leads out of the project', async () => {
    const { docket, root } = await project();
    const outside = scratch();
    fs.mkdirSync(path.join(root, '.agentmesh', 'tasks'), { recursive: true });
    fs.writeFileSync(path.join(outside, 'task.yaml'), 'id: evil\ntitle: Secret of somebody else\n');
    fs.symlinkSync(outside, path.join(root, '.agentmesh', 'tasks', 'evil'));
    const claude = await docket.forAgent('claude');
    await expect(claude.show('evil')).rejects.toMatchObject({ code: 'REFUSED' });
    const { tasks, problems } = await claude.list({});
    expect(tasks).toEqual([]);
    expect(problems.join(' ')).toContain('evil');
  });

  it('show what would hide in a text', async () => {
    const { docket } = await project();
    const claude = await docket.forAgent('claude');
    await claude.create({ where: 'board', text: 'harmless\u202Etxt.exe' });
    expect((await claude.list({})).tasks[0]?.title).toContain('⟨U+202E⟩');
  });
});
