import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ended, start } from '../support/child.ts';
import { PacketProject, type Act } from '../support/packet-project.ts';
import { until } from '../support/project.ts';
import { actions, shell, subtask } from '../support/task-project.ts';

const docketBin = fileURLToPath(new URL('../../bin/docket', import.meta.url));
const oneStage = 'pipeline: {flags: {enable_brief: false, enable_verify: false, enable_review: false}}';

/** A packet of one stage that writes, whose agent waits in the middle until it is let go. */
class WaitingPacket extends PacketProject {
  get ready(): string {
    return path.join(this.home, 'ready');
  }

  /** What the agent does first, and afterwards. */
  act(first: string, afterwards = ':'): Act {
    const waits = `touch ${this.ready}; until [ -e ${this.home}/go ]; do sleep 0.05; done`;
    return { shell: `${first}\n${waits}\n${afterwards}`, say: 'Done.' };
  }

  static async of(first: string, afterwards = ':'): Promise<WaitingPacket> {
    const project = new WaitingPacket();
    await project.make('safe_impl', { commands: [] });
    project.play({ codex_impl: [project.act(first, afterwards)] });
    project.route(oneStage);
    return project;
  }

  /** Runs it, and does something while its agent is at work. */
  async during<T>(what: () => Promise<T>) {
    const going = this.run();
    await Promise.race([until('the agent works', () => fs.existsSync(this.ready)), going]);
    const done = await what();
    fs.writeFileSync(path.join(this.home, 'go'), '');
    return { ran: await going, done };
  }
}

const politely = "echo 'Good day' > src/app.txt";

it('what other docket commands write during a stage stays, and the packet succeeds', async () => {
  const project = await WaitingPacket.of(politely);
  const known = JSON.parse(project.read('.docket/config.yaml')) as { agents: object };
  const agents = { ...known.agents, shell: shell('echo note > ../notes.txt') };
  project.write('.docket/config.yaml', JSON.stringify({ ...known, agents }));
  // People share their queue: git does not ignore it.
  project.write('.gitignore', '.docket\n.tmp\n');
  project.put('.takt/tasks.yaml', 'tasks: []\n');
  project.git('add', '.');
  project.git('commit', '--quiet', '-m', 'share the queue');
  expect((await project.docket('board', 'init')).code).toBe(0);
  const created = await project.docket('task', 'create', '--title', 'Ship', '--topology', 'swarm', '--quiet');
  const id = created.out.trim();
  const orders = path.join(project.home, 'actions.json');
  fs.writeFileSync(orders, actions(subtask('one', 'success', { adapter: 'shell' })));

  const { ran, done } = await project.during(async () => [
    await project.docket('task', 'run', id, '--actions', orders),
    await project.docket('say', 'create task: meanwhile'),
    await project.docket('add', 'Meanwhile'),
  ]);
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(ran).toMatchObject({ status: 'done' });
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(project.read(`.agentmesh/tasks/${id}/events.jsonl`)).toContain('"task.done"');
  expect(project.read('state/tasks.jsonl')).toContain('meanwhile');
  expect(project.read('.takt/tasks.yaml')).toContain('Meanwhile');
});

it("docket's state folder may lie inside the work tree", async () => {
  const project = await PacketProject.with('safe_impl');
  Object.assign(project.env, { HOME: project.root });
  expect(await project.run()).toMatchObject({ status: 'done' });
  expect(project.read('.local/state/docket/meter/book.jsonl')).not.toBe('');
});

it('two packets with different scopes run at once in two processes, and both succeed', async () => {
  const project = new WaitingPacket();
  const scopes = { one: 'src', two: 'tests' };
  for (const [id, folder] of Object.entries(scopes)) {
    project.id = id;
    await project.make('safe_impl', { allow: [`${folder}/`], commands: [`test -e ${folder}/new.txt`] });
    project.route(oneStage);
  }
  // Each waits for the other to be at work, too.
  const both = `touch ${project.home}/$$; until [ $(ls ${project.home} | grep -c '^[0-9]') = 2 ]; do sleep 0.05; done`;
  const write = 'case $PWD in */one/*) f=src;; *) f=tests;; esac; mkdir -p $f; echo new > $f/new.txt';
  project.play({ codex_impl: [{ shell: `${both}\n${write}`, say: 'Done.' }] });
  const ends = await Promise.all(Object.keys(scopes).map((id) => project.docket('packet', 'run', id)));
  expect(ends.map(({ code, out }) => [code, out])).toMatchObject([
    [0, expect.any(String)],
    [0, expect.any(String)],
  ]);
  expect([project.read('src/new.txt'), project.read('tests/new.txt')]).toEqual(['new\n', 'new\n']);
  expect((await project.states())['codex_impl']).toBe('done');
});

it("a person's edit during a stage stays, and nobody is blamed for it", async () => {
  const project = await WaitingPacket.of(politely);
  const { ran } = await project.during(async () => {
    project.write('a.txt', 'two\n');
    project.put('docs/guide.md', '# My guide\n');
    project.put('docs/new.md', 'mine\n');
    fs.rmSync(path.join(project.root, '.gitignore'));
  });
  expect(ran).toMatchObject({ status: 'done' });
  expect(project.git('status', '--porcelain', '--', 'a.txt', 'docs', 'src', '.gitignore')).toBe(
    ' D .gitignore\n M a.txt\n M docs/guide.md\n M src/app.txt\n?? docs/new.md\n',
  );
});

it.each([
  ['safe_impl', oneStage],
  ['review_only', ''],
])('what docket prints may go to a file in the repository: %s', async (intent, route) => {
  const project = await PacketProject.with(intent, {}, { commands: [] });
  if (route !== '') project.route(route);
  const { code } = await ended(
    start('/bin/sh', ['-c', `"$0" "$1" packet run p-1 > run.out 2>&1`, process.execPath, docketBin], {
      cwd: project.root,
      env: project.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  expect([code, project.read('run.out')]).toEqual([0, expect.stringContaining('p-1')]);
});

it('a file that is moved to a denied path is not lost', async () => {
  const move = 'mkdir -p secrets; mv src/app.txt secrets/app.txt; mv src/new.txt secrets/new.txt';
  const project = await PacketProject.with(
    'safe_impl',
    { codex_impl: [{ shell: `${move}; echo more >> secrets/new.txt; echo x > src/other.txt` }] },
    { deny: ['secrets/'] },
  );
  project.route(oneStage);
  project.put('src/new.txt', 'not committed\n');
  const { stages } = await project.run();
  expect(stages[0]).toMatchObject({
    state: 'failed',
    reasons: expect.arrayContaining([
      'secrets/new.txt: is denied by "secrets/" in scope.deny (not applied)',
      'src/new.txt: was deleted, and files were added out of scope (not applied)',
    ]),
  });
  expect([project.read('src/app.txt'), project.read('src/new.txt'), project.read('src/other.txt')]).toEqual([
    'Hi\n',
    'not committed\n',
    'x\n',
  ]);
  expect(fs.existsSync(path.join(project.root, 'secrets'))).toBe(false);
});

it("commits, branches and marks of an agent leave people's repository as it was", async () => {
  const who = '-c user.name=a -c user.email=a@example.com';
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [
      {
        shell: [
          'git checkout -q -b evil',
          politely,
          `git ${who} commit -qam mine`,
          'echo new > src/new.txt; git add src/new.txt; git stash -q; git stash pop -q',
          'git update-index --skip-worktree a.txt; git update-index --assume-unchanged docs/guide.md',
          'git branch -D main -q',
        ].join('\n'),
      },
    ],
  });
  project.route(oneStage);
  const state = () =>
    [
      ['log', '--all', '--format=%H %D'],
      ['ls-files', '-v', '--stage'],
      ['stash', 'list'],
    ].map((args) => project.git(...args));
  const before = state();
  expect(await project.run()).toMatchObject({ status: 'done' });
  expect(state()).toEqual(before);
  expect(project.git('status', '--porcelain', '--', 'src')).toBe(' M src/app.txt\n?? src/new.txt\n');
});

it('an agent that takes its repository away does not reach that of people', async () => {
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ shell: `rm -rf .git; git checkout -q -b evil || true; ${politely}` }],
  });
  project.route(oneStage);
  await project.run();
  expect(project.git('branch', '--format=%(refname:short)')).toBe('main\n');
  expect(project.read('src/app.txt')).toBe('Good day\n');
});

it('a link in scope that leads out of the repository is not applied; one that stays in it is', async () => {
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [
      {
        shell: [
          politely,
          'ln -s /etc/passwd src/a; ln -s ../../x src/b; ln -s ../docs/guide.md src/c',
          'mkdir src/d; ln -s .. src/d/up; ln -s up/../.. src/d/way',
        ].join('\n'),
      },
    ],
  });
  project.route(oneStage);
  expect((await project.run()).stages[0]?.reasons).toEqual([
    'src/a: leads out of the repository, to /etc/passwd (not applied)',
    'src/b: leads out of the repository, to ../../x (not applied)',
    'src/d/way: leads out of the repository, to up/../.. (not applied)',
  ]);
  const links = fs.readdirSync(path.join(project.root, 'src'));
  expect(links).toEqual(['app.txt', 'c', 'd']);
  expect(fs.readdirSync(path.join(project.root, 'src/d'))).toEqual(['up']);
});

it("a file that a person changed too is nobody else's to replace: the packet waits, and is not paid twice", async () => {
  const project = await WaitingPacket.of(politely, 'echo other > src/other.txt');
  const { ran } = await project.during(async () => project.put('src/app.txt', 'Mine\n'));
  expect(ran).toMatchObject({ status: 'blocked', task: { reason: { kind: 'conflict', who: 'a person' } } });
  expect(JSON.stringify(ran.task)).toContain(
    'src/app.txt was changed in your tree while codex_impl was running',
  );
  const aside = '.docket/packet/p-1/conflicts/codex_impl/src/app.txt';
  expect([project.read('src/app.txt'), project.read(aside)]).toEqual(['Mine\n', 'Good day\n']);
  expect(fs.existsSync(path.join(project.root, 'src/other.txt'))).toBe(false);
  project.put('src/app.txt', 'Mine, and a good day\n');
  expect(await project.run()).toMatchObject({ status: 'done' });
  expect([project.read('src/app.txt'), project.read('src/other.txt')]).toEqual([
    'Mine, and a good day\n',
    'other\n',
  ]);
  expect(project.called()).toEqual(['codex_impl']);
});

it('agents find what is installed and not committed, and what they install is there for the commands', async () => {
  const uses =
    'test "$(cat modules/dep)" = dep; mkdir -p cache; echo made > cache/made; git log -1 --format=%s > src/log';
  const project = await PacketProject.with(
    'safe_impl',
    { codex_impl: [{ shell: `${uses}; ${politely}` }] },
    { commands: ['grep -q made cache/made'] },
  );
  project.put('.gitignore', '.docket\n.takt\n.tmp\nmodules/\ncache/\n');
  project.git('commit', '--quiet', '-am', 'ignore more');
  project.put('modules/dep', 'dep\n');
  expect(await project.run()).toMatchObject({ status: 'done' });
  const [packet = ''] = fs.readdirSync(path.join(project.root, '.docket/packet'));
  expect(fs.statSync(path.join(project.root, '.docket/packet', packet)).mode & 0o777).toBe(0o700);
  expect([project.read('modules/dep'), project.read('src/log')]).toEqual(['dep\n', 'ignore more\n']);
});
