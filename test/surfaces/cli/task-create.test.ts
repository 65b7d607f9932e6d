import { describe, expect, it } from 'vitest';
import { directory, fakeDirectories } from './fake-directories.ts';
import { docket, json } from './fake-world.ts';

const create = ['task', 'create', '--title', 'Port the parser', '--topology', 'swarm'];

describe('docket task create', () => {
  it('prints the id, and says on stderr where it is and what comes next', async () => {
    const { directories, calls } = fakeDirectories();
    const ended = await docket([...create, '--description', 'All of it'], { directories });
    expect([ended.code, ended.stdout]).toEqual([0, 'task-new\n']);
    expect(ended.stderr).toBe(
      'It is in .agentmesh/tasks/task-new. Next: docket task run task-new --goal "…"\n',
    );
    expect(calls).toEqual([
      ['create', { title: 'Port the parser', topology: 'swarm', description: 'All of it' }],
    ]);
    expect(await docket([...create, '--quiet'], { directories })).toMatchObject({ stderr: '' });
  });

  it('answers with what the file says', async () => {
    expect(json(await docket([...create, '--json']))).toEqual({
      v: 1,
      ok: true,
      id: 'task-new',
      status: 'queued',
      dir: '.agentmesh/tasks/task-new',
      title: 'Port the parser',
      topology: 'swarm',
      state: 'created',
    });
  });

  it.each([
    [['--title', 'x'], 'docket task create needs --topology'],
    [['--topology', 'swarm'], 'docket task create needs --title'],
    [['--title', ' ', '--topology', 'swarm'], '--title needs a value'],
    [['--title', 'x', '--topology', 'star'], '--topology cannot be "star"'],
    [['x', '--topology', 'swarm'], 'takes no words, but got "x"'],
  ])('refuses %j: %s', async (words, message) => {
    const { directories, calls } = fakeDirectories();
    const ended = await docket(['task', 'create', ...words], { directories });
    expect([ended.code, ended.stdout, calls]).toEqual([2, '', []]);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain('docket task create --help');
  });
});

describe('docket task join, cancel, export, import and validate', () => {
  const about = (words: string[], setting = fakeDirectories({ tasks: [directory()] })) =>
    docket(words, { directories: setting.directories }).then((ended) => ({ ...ended, calls: setting.calls }));

  it.each(['show', 'events', 'run', 'resume', 'join', 'cancel', 'export', 'validate'])(
    '%s of an unknown task ends with 3',
    async (word) => {
      const ended = await about(['task', word, 'nope'], fakeDirectories());
      expect([ended.code, ended.stdout]).toEqual([3, '']);
      expect(ended.stderr).toContain('there is no task nope');
    },
  );

  it('join prints where the results are', async () => {
    const summary = '.agentmesh/tasks/task-1/shared/reports/joined-summary.md';
    const ended = await about(['task', 'join', 'task-1']);
    expect([ended.code, ended.stdout]).toEqual([0, `${summary}\n`]);
    expect(json(await about(['task', 'join', 'task-1', '--json']))).toMatchObject({
      ok: true,
      joined: summary,
    });
  });

  it('cancel hands the reason over', async () => {
    const ended = await about(['task', 'cancel', 'task-1', '--reason', 'not needed']);
    expect([ended.code, ended.stdout]).toEqual([0, 'task-1 is canceled\n']);
    expect(ended.calls).toEqual([['cancel', 'task-1', { reason: 'not needed' }]]);
    const answer = json(await about(['task', 'cancel', 'task-1', '--json']));
    expect(answer).toMatchObject({ id: 'task-1', status: 'canceled', state: 'canceled' });
  });

  it('export writes beside the person, unless told otherwise', async () => {
    const ended = await about(['task', 'export', 'task-1']);
    expect(ended.stdout).toBe('/project/task-1.tar.gz\n');
    expect(ended.stderr).toBe('12 files; left behind: agents/a/codex_home, locks\n');
    const other = await about(['task', 'export', 'task-1', '--output', '../x.tgz', '--json']);
    expect(json(other)).toMatchObject({ ok: true, id: 'task-1', file: '/x.tgz', files: 12 });
  });

  it('import prints the id; a dry run changes nothing', async () => {
    const ended = await about(['task', 'import', 'x.tar.gz']);
    expect([ended.code, ended.stdout]).toEqual([0, 'task-old\n']);
    const dry = await about(['task', 'import', '/a/x.tar.gz', '--dry-run', '--json']);
    expect(json(dry)).toEqual({ v: 1, ok: true, id: 'task-old', files: 12, dryRun: true });
    expect([...ended.calls, ...dry.calls]).toEqual([
      ['import', { file: '/project/x.tar.gz', dryRun: false }],
      ['import', { file: '/a/x.tar.gz', dryRun: true }],
    ]);
    const answer = json(await about(['task', 'import', 'x.tar.gz', '--json']));
    expect(answer).toMatchObject({ id: 'task-old', status: 'queued', files: 12, dryRun: false });
  });

  it('validate names each problem and ends with 2 when one is an error', async () => {
    const warning = { severity: 'warning', path: 'task.yaml', line: 3, message: 'odd', fix: 'mend' } as const;
    const with_ = (findings: Parameters<typeof fakeDirectories>[0]) =>
      fakeDirectories({ tasks: [directory()], ...findings });
    const fine = await about(['task', 'validate', 'task-1'], with_({ findings: [warning] }));
    expect([fine.code, fine.stdout]).toEqual([0, 'task.yaml:3 warning odd\n  fix: mend\n']);
    const findings = [warning, { ...warning, severity: 'error' as const }];
    const bad = await about(['task', 'validate', 'task-1', '--json'], with_({ findings }));
    expect(bad.code).toBe(2);
    expect(json(bad)).toMatchObject({ ok: false, error: { code: 'INVALID' }, findings });
  });
});
