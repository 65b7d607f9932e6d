import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks, project, signal } from './support.ts';

const proof = 'src/login.ts changed; ran `npm test`: 12 passed';

describe('claim', () => {
  it('takes what is free, with an end, and nothing that another holds', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    const [claude, codex] = [await docket.forAgent('claude'), await docket.forAgent('codex')];
    const claimed = await claude.claim('T-001');
    expect(claimed).toMatchObject({ id: 'T-001', owner: 'claude', already: false });
    expect(Date.parse(claimed.until ?? '')).toBeGreaterThan(Date.now());
    await expect(codex.claim('T-001')).rejects.toMatchObject({ code: 'REFUSED' });
    await expect(codex.claim('T-009')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('does not take up what waits for a person', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    await claude.ask({ id: 'T-001', question: 'Which browsers?' });
    await expect(claude.claim('T-001')).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
    await say('unblock T-001: Firefox only');
    expect(await claude.claim('T-001')).toMatchObject({ owner: 'claude' });
  });

  it('says what to do where there is no board, and makes none', async () => {
    const { docket, root } = await project({ board: false });
    const claude = await docket.forAgent('claude');
    await expect(claude.claim('T-001')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      fix: expect.stringContaining('docket board init') as string,
    });
    await expect(claude.ask({ question: 'Which?' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(fs.existsSync(path.join(root, 'state'))).toBe(false);
  });
});

describe('report', () => {
  it('settles nothing where docket has nothing to run: another has to look at it', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const told = await claude.report({ id: 'T-001', outcome: 'done', text: proof, signal });
    expect(told).toMatchObject({ status: 'review', accepted: false });
    expect(await say('approve T-001', 'ann')).toContain('T-001');
    expect((await claude.show('T-001')).status).toBe('done');
  });

  it('is done when the commands of its role pass, and blocked for proof when they do not', async () => {
    const { docket, root, say } = await project();
    checks(root, 'claude', 'test -e ok');
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const held = await claude.report({ id: 'T-001', outcome: 'done', text: proof, signal });
    expect(held).toMatchObject({ status: 'blocked', accepted: false });
    expect(held.missing).toContain('test -e ok');
    fs.writeFileSync(path.join(root, 'ok'), '');
    await claude.claim('T-001'); // only proof is missing: who has to bring it goes on
    const done = await claude.report({ id: 'T-001', outcome: 'done', text: proof, signal });
    expect(done).toMatchObject({ status: 'done', accepted: true });
  });

  it('without evidence is not even handed in', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const told = await claude.report({ id: 'T-001', outcome: 'done', text: 'it all works', signal });
    expect(told).toMatchObject({ status: 'blocked', accepted: false });
  });

  it('takes progress for progress, whatever it sounds like, and only from the one who holds it', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    const [claude, codex] = [await docket.forAgent('claude'), await docket.forAgent('codex')];
    await claude.claim('T-001');
    const progress = { id: 'T-001', outcome: 'progress', text: `DONE. ${proof}`, signal } as const;
    expect(await claude.report(progress)).toMatchObject({ status: 'claimed', owner: 'claude' });
    for (const outcome of ['progress', 'done', 'blocked'] as const)
      await expect(codex.report({ ...progress, outcome })).rejects.toMatchObject({ code: 'REFUSED' });
  });

  it('under a key that was used for another task is refused, and lost to nobody', async () => {
    const { docket, say } = await project();
    const claude = await docket.forAgent('claude');
    for (const id of ['T-001', 'T-002']) {
      await say(`create task: ${id}`);
      await claude.claim(id);
    }
    const report = { outcome: 'progress', text: 'Half of it', key: 'r', signal } as const;
    await claude.report({ id: 'T-001', ...report });
    const about = { id: 'T-002', key: 'r' };
    await expect(claude.report({ ...report, ...about })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(claude.ask({ question: 'Which one?', ...about })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it.each([
    { outcome: 'blocked', text: 'Half of it' },
    { outcome: 'done', text: proof },
    { outcome: 'progress', text: 'The database is on fire' },
  ] as const)('of $outcome under a key that was used for other words is refused', async (other) => {
    const { docket, root, say } = await project();
    checks(root, 'claude', 'true');
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const report = { id: 'T-001', outcome: 'progress', text: 'Half of it', key: 'r', signal } as const;
    await claude.report(report);
    await expect(claude.report({ ...report, ...other })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await claude.report(report)).toMatchObject({ status: 'claimed' });
  });

  it('that is repeated under its key changes nothing and says the same', async () => {
    const { docket, root, say } = await project();
    checks(root, 'claude', 'echo run >> runs');
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const report = { id: 'T-001', outcome: 'done', text: proof, key: 'r1', signal } as const;
    expect(await claude.report(report)).toMatchObject({ accepted: true });
    expect(await claude.report(report)).toMatchObject({ status: 'done', accepted: true });
    expect(fs.readFileSync(path.join(root, 'runs'), 'utf8')).toBe('run\n');
  });

  it('that is given up while its checks run leaves the task as it was', async () => {
    const { docket, root, say } = await project();
    checks(root, 'claude', 'touch begun; sleep 60');
    await say('create task: Fix the login');
    const claude = await docket.forAgent('claude');
    await claude.claim('T-001');
    const stop = new AbortController();
    const told = claude.report({ id: 'T-001', outcome: 'done', text: proof, signal: stop.signal });
    const watched = fs.watch(root, () => fs.existsSync(path.join(root, 'begun')) && stop.abort());
    await expect(told).rejects.toMatchObject({ code: 'REFUSED' });
    watched.close();
    expect(await claude.show('T-001')).toMatchObject({ status: 'queued', owner: 'claude' });
  });
});

describe('ask', () => {
  it('is a task of its own that nobody can take for work, until a person has answered', async () => {
    const { docket, say } = await project();
    const claude = await docket.forAgent('claude');
    const asked = await claude.ask({ question: 'May I drop\nNode 18?', key: 'q1' });
    expect(asked).toMatchObject({ id: 'T-001', status: 'blocked' });
    expect(await claude.ask({ question: 'May I drop\nNode 18?', key: 'q1' })).toMatchObject({ id: 'T-001' });
    const shown = await claude.show('T-001');
    expect(shown).toMatchObject({
      status: 'blocked',
      who: 'a person',
      trust: { level: 'low', author: 'claude' },
    });
    expect(shown.questions).toMatchObject([{ question: 'May I drop\nNode 18?', by: 'claude' }]);
    await say('unblock T-001: yes, from 2.0 on');
    expect((await claude.show('T-001')).questions).toMatchObject([
      { answer: { text: 'yes, from 2.0 on', by: 'ann' } },
    ]);
    expect((await claude.list({})).tasks).toHaveLength(1);
  });

  it('never has the answer to another question', async () => {
    const { docket, say } = await project();
    const claude = await docket.forAgent('claude');
    const tabs = { question: 'May I use tabs?', key: 'q' };
    await claude.ask(tabs);
    const drop = { question: 'May I drop the production database?' };
    await expect(claude.ask({ ...tabs, ...drop })).rejects.toMatchObject({ code: 'CONFLICT' });

    await say('create task: Fix the login');
    await claude.claim('T-002');
    await claude.ask({ id: 'T-002', question: tabs.question });
    for (const key of ['other', undefined])
      await expect(
        claude.ask({ id: 'T-002', ...drop, ...(key !== undefined && { key }) }),
      ).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
    const blocked = { id: 'T-002', outcome: 'blocked', text: drop.question, signal } as const;
    await expect(claude.report(blocked)).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
    expect(await claude.ask({ id: 'T-002', question: tabs.question })).toMatchObject({ already: true });
    await say('unblock T-002: yes');
    const { questions } = await claude.show('T-002');
    expect(questions).toMatchObject([{ question: tabs.question, answer: { text: 'yes', by: 'ann' } }]);
  });

  it('does not block what others hold', async () => {
    const { docket, say } = await project();
    await say('create task: Fix the login');
    await say('claim T-001', 'bob');
    const claude = await docket.forAgent('claude');
    await expect(claude.ask({ id: 'T-001', question: 'Which?' })).rejects.toMatchObject({ code: 'REFUSED' });
    expect((await claude.show('T-001')).owner).toBe('bob');
  });
});

it.each(['orchestrator', 'Orchestrator', 'docket', 'a person', '', '../x', 'x'.repeat(65)])(
  'nobody acts as %j',
  async (name) => {
    const { docket } = await project({ board: false });
    await expect(docket.forAgent(name)).rejects.toMatchObject({ code: 'INVALID' });
  },
);
