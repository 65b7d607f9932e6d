import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownOf } from '../../../src/kinds/queue/format/record.ts';
import { openDocket, type AddInput, type Docket } from '../../../src/project/docket.ts';
import { TestRepository } from '../../support/repository.ts';
import { lookAt, mirrorOf, scratch } from '../../support/scratch.ts';
import { gitIn, put } from '../../support/workspaces.ts';

interface Opened {
  root: string;
  docket: Docket;
  warnings: string[];
}

async function opened(root = scratch(), env: Record<string, string> = {}): Promise<Opened> {
  const warnings: string[] = [];
  const docket = await openDocket({
    cwd: root,
    root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    warn: (warning) => warnings.push(warning),
  });
  onTestFinished(() => docket.close());
  return { root, docket, warnings };
}

/** A program `gh` that does what the shell lines say. */
function gh(root: string, lines: string): Record<string, string> {
  const bin = path.join(root, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'gh'), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env['PATH']}` };
}

const issue = { number: 12, title: 'Login fails', body: 'It says 500.', labels: [{ name: 'bug' }] };
const json = (fields: object = {}): Pick<AddInput, 'text' | 'issueJson'> => ({
  text: '',
  issueJson: { text: JSON.stringify({ ...issue, ...fields }), source: 'issue.json' },
});

describe('adding to the queue', () => {
  it('writes everything into the record as the spec spells it', async () => {
    const { root } = new TestRepository({ 'a.txt': 'a' });
    const { docket } = await opened(root);
    const { id } = await docket.add({
      text: 'Fix the login\n\nIt is slow.',
      workflow: 'default',
      startStep: 'plan',
      worktree: '../elsewhere',
      branch: 'fix/login',
      base: 'main',
      draftPr: true,
      agent: 'codex',
    });
    const record = fs.readFileSync(mirrorOf(root), 'utf8');
    for (const line of [
      'piece: default',
      'start_movement: plan',
      'worktree: "../elsewhere"',
      'branch: fix/login',
      'base_branch: main',
      'auto_pr: true',
      'draft_pr: true',
    ])
      expect(record).toContain(`    ${line}\n`);
    expect(record).not.toContain('codex');
    expect(lookAt(root).tasks).toMatchObject([{ id, spec: { routing: { agent: 'codex' } } }]);
    const folder = /task_dir: (\S+)/.exec(record)?.[1] ?? '';
    expect(fs.readFileSync(path.join(root, folder, 'order.md'), 'utf8')).toBe(
      'Fix the login\n\nIt is slow.\n',
    );
  });

  it('asks for nothing that was not asked for', async () => {
    const { root, docket } = await opened();
    await docket.add({ text: 'Fix it' });
    const record = fs.readFileSync(mirrorOf(root), 'utf8');
    expect(record).not.toMatch(/_pr|worktree|branch|piece/);
  });

  it.each([
    [{ needs: ['optoin'] }, 'there is no task "optoin"'],
    [{ branch: 'a..b' }, 'no branch for git'],
    [{ base: '-x' }, 'no branch for git'],
    [{ autoPr: true }, 'needs a branch of its own'],
    [{ priority: 1.5 }, 'not a whole number'],
    [{ agent: 'codx' }, 'there is no agent "codx"'],
    [{ base: 'mian' }, 'there is no branch "mian"'],
    [{ workflow: 'default', startStep: 'implemnt' }, 'has no step "implemnt"'],
    [{ startStep: 'implement' }, 'the workflow quick has no step "implement"'],
  ])('refuses %j', async (fields, message) => {
    const { root, docket } = await opened();
    await expect(docket.add({ text: 'x', ...fields })).rejects.toThrow(message);
    expect(fs.existsSync(path.join(root, '.takt'))).toBe(false);
  });

  it('says which workflow was meant, and adds the task all the same', async () => {
    const { docket, warnings } = await opened();
    expect(await docket.add({ text: 'x', workflow: 'defualt' })).toMatchObject({ status: 'queued' });
    expect(warnings.join()).toContain('default');
    await docket.add({ text: 'y', workflow: 'later', startStep: 'any' });
    expect(warnings.at(-1)).toContain('later');
  });

  it('waits for a branch that another task will make', async () => {
    const { docket } = await opened();
    const { id } = await docket.add({ text: 'x', worktree: true, branch: 'feature' });
    const second = { text: 'y', worktree: true, base: 'feature', needs: [id] } as const;
    expect(await docket.add(second)).toMatchObject({ status: 'queued', needs: [id] });
  });

  it('keeps what git should not see out of its sight, where docket makes the folder', async () => {
    const { root } = new TestRepository({ 'a.txt': 'a', '.gitignore': '.docket\n' });
    const { docket } = await opened(root);
    await docket.add({ text: 'Fix it' });
    await (await docket.workflows()).make({ name: 'mine', from: { template: 'minimal' } });
    const files = ['runs/x/meta.json', 'tasks.yaml.lock', 'archive/2026-01.yaml', 'agents.yaml'];
    for (const name of files) put(root, `.takt/${name}`, 'x');
    expect(gitIn(root, 'status', '--porcelain', '--untracked-files=all').split('\n').toSorted()).toEqual([
      '',
      '?? .takt/.gitignore',
      '?? .takt/agents.yaml',
      '?? .takt/workflows/mine.yaml',
    ]);
    const theirs = scratch();
    fs.mkdirSync(path.join(theirs, '.takt'));
    await (await opened(theirs)).docket.add({ text: 'Fix it' });
    expect(fs.existsSync(path.join(theirs, '.takt/.gitignore'))).toBe(false);
  });
});

describe('an issue', () => {
  it('is read through gh, and stored with its source', async () => {
    const root = scratch();
    const answer = JSON.stringify({
      ...issue,
      url: 'https://example.test/12',
      comments: [{ author: { login: 'ann' }, createdAt: '2026-03-01T00:00:00Z', body: 'Me too.' }],
    });
    const env = gh(root, `[ "$3" = 12 ] && [ "$GH_PROMPT_DISABLED" = 1 ] && printf '%s' '${answer}'`);
    const { docket } = await opened(root, env);
    expect(await docket.add({ text: '', issue: 12 })).toMatchObject({
      title: 'Login fails',
      extras: { queue: { issue: 12 } },
      spec: {
        body: expect.stringMatching(
          /^# Login fails\n\nIt says 500\.\n\n---\n\nSource: issue #12, https:\/\/example.test\/12, labels: bug\n\n## Comment by ann, .*\n\nMe too\.\n$/,
        ) as string,
      },
    });
  });

  it('is refused with the words of gh, or the way to get it', async () => {
    const root = scratch();
    const { docket } = await opened(root, gh(root, 'echo "no such issue" >&2; exit 1'));
    await expect(docket.add({ text: '', issue: 12 })).rejects.toThrow('no such issue');
    const { docket: other } = await opened(scratch(), { PATH: '/nowhere' });
    await expect(other.add({ text: '', issue: 12 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      fix: expect.stringContaining('--issue-json') as string,
    });
  });

  it.each([
    'no json',
    '[]',
    '{"number":0,"title":"x"}',
    '{"number":1,"title":" "}',
    '{"number":1.5,"title":"x"}',
  ])('is refused as %s', async (text) => {
    const { docket } = await opened();
    await expect(docket.add({ text: '', issueJson: { text, source: 'f' } })).rejects.toThrow('not an issue');
  });

  it('is worked on once at a time', async () => {
    const { root, docket } = await opened();
    const first = await docket.add(json());
    const { name } = ownOf(first);
    await expect(docket.add(json())).rejects.toThrow(
      `Active task target already exists: issue=12 (${name}, pending)`,
    );
    await docket.add({ ...json(), again: true });
    await expect(docket.add({ text: 'x', branch: 'b', worktree: true })).resolves.toBeDefined();
    await expect(docket.add({ text: 'y', branch: 'b', worktree: true })).rejects.toThrow('branch=b');
    expect(lookAt(root).tasks).toHaveLength(3);
  });

  it('may come again when what was made of it is over', async () => {
    const { root, docket } = await opened();
    for (let n = 0; n < 3; n++) {
      const { id } = await docket.add(json());
      await docket.act('cancel', [id], { by: 'ann' });
    }
    expect(lookAt(root).tasks.map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled']);
  });

  it('is taken by one of several who add it at the same moment', async () => {
    const root = scratch();
    const apps = await Promise.all(Array.from({ length: 6 }, () => opened(root)));
    const ended = await Promise.allSettled(apps.map(({ docket }) => docket.add(json())));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refusals.filter((text) => !text.includes('issue=12'))).toEqual([]);
    expect(lookAt(root).tasks).toHaveLength(1);
  });
});

describe('a slug from an agent', () => {
  async function named(says: string) {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.docket'));
    const agents = 'agents: { namer: { adapter: script, command: [./s.yaml] } }\ndefaultAgent: namer\n';
    fs.writeFileSync(path.join(root, '.docket', 'config.yaml'), agents);
    fs.writeFileSync(path.join(root, 's.yaml'), `rules:\n  - steps: [{ say: ${JSON.stringify(says)} }]\n`);
    const { docket, warnings } = await opened(root, { HOME: root });
    const task = await docket.add({ text: '修复登录', agentSlug: true });
    return { name: ownOf(task).name, warnings };
  }

  it('is taken when it is one', async () => {
    const { name, warnings } = await named('Here it is:\n`fix-login`');
    expect(name).toMatch(/^fix-login-[0-9a-z]{6}$/);
    expect(warnings).toEqual([]);
  });

  it.each(['../../etc', 'Fix Login', 'a'.repeat(50), 'rm -rf /', '-x'])(
    'is made by rule when the answer is %j',
    async (says) => {
      const { name, warnings } = await named(says);
      expect(name).toMatch(/^task-[0-9a-z]{6}$/);
      expect(warnings.join()).toContain('made from the text');
    },
  );

  it('is made by rule when there is no agent', async () => {
    const { docket, warnings } = await opened(scratch(), { HOME: '/nowhere' });
    await docket.add({ text: 'Fix it', agentSlug: true });
    expect(warnings.join()).toContain('no agent');
  });
});

it('offers the name that was probably meant', async () => {
  const { docket } = await opened();
  await docket.add({ text: 'x', name: 'option' });
  await expect(docket.add({ text: 'y', needs: ['optoin'] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    fix: 'did you mean "option"? docket list shows ids and names',
  });
});

describe('the words of a new queue', () => {
  const added = async (root: string, input: Partial<AddInput> = {}, env: Record<string, string> = {}) => {
    const { docket } = await opened(root, env);
    await docket.add({ text: 'x', name: `t${Date.now()}`, ...input });
    await docket.close();
    return fs.readFileSync(mirrorOf(root), 'utf8');
  };
  const takt = (root: string, version: string) =>
    put(root, 'node_modules/takt/package.json', JSON.stringify({ name: 'takt', version }));

  it('are those of the setting', async () => {
    const root = scratch();
    put(root, '.docket/config.yaml', 'queueWords: workflow\n');
    expect(await added(root, { workflow: 'default', name: 'a' })).toContain('workflow: default');
    // These versions of takt refuse keys that they do not know, and records without a workflow.
    const text = await added(root, { name: 'b', needs: ['a'], priority: 5 });
    expect(text).toContain('workflow: quick');
    expect(text).not.toMatch(/piece|needs|priority/);
    put(root, '.docket/config.yaml', 'queueWords: piece\n');
    expect(await added(root, { workflow: 'default' })).not.toContain('piece'); // the file decides
  });

  it.each([
    ['0.35.2', 'piece'],
    ['0.36.0', 'workflow'],
    ['1.0.0', 'workflow'],
  ])('are those of takt %s, if it is installed: %s', async (version, word) => {
    const root = scratch();
    takt(root, version);
    expect(await added(root, { workflow: 'default' })).toContain(`${word}: default`);
    const other = scratch();
    fs.mkdirSync(path.join(other, 'bin'));
    put(root, 'node_modules/takt/bin/takt', '#!/bin/sh\n');
    fs.chmodSync(path.join(root, 'node_modules/takt/bin/takt'), 0o755);
    fs.symlinkSync(path.join(root, 'node_modules/takt/bin/takt'), path.join(other, 'bin/takt'));
    const env = { PATH: `${path.join(other, 'bin')}:${process.env['PATH']}` };
    expect(await added(other, { workflow: 'default' }, env)).toContain(`${word}: default`);
  });

  it('are those of the records that are there', async () => {
    const root = scratch();
    takt(root, '0.60.0');
    put(root, '.takt/tasks.yaml', 'tasks:\n  - name: mine\n    content: x\n    piece: default\n');
    const text = await added(root, { workflow: 'quick' });
    expect(text).toContain('piece: quick');
    expect(text).not.toContain('workflow:');
  });
});
