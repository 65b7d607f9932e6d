import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

const inScope = "echo 'Good day' > src/app.txt";

async function ran(
  shell: string,
  allow: string[],
  before: (project: PacketProject) => void = () => undefined,
) {
  const project = await PacketProject.with(
    'safe_impl',
    { codex_impl: [{ shell: `${inScope}\n${shell}` }] },
    { allow },
  );
  project.route('pipeline: {flags: {enable_brief: false, enable_verify: false, enable_review: false}}');
  before(project);
  const { stages } = await project.run();
  const has = (name: string) => fs.existsSync(path.join(project.root, name));
  return { project, has, stage: stages[0] };
}

const hiding = (rule: string, file: string) =>
  `echo '${rule}' >> ${file}; mkdir lib; echo x > lib/new.txt; echo y > 'lib/été 日本.txt'`;

it.each([
  ['one for all in scope', hiding('lib/', '.gitignore'), ['src/', '.gitignore']],
  ['one that hides itself', hiding('*', '.gitignore'), ['src/', '.gitignore']],
  [
    'one in a folder in scope that is not all in scope',
    'mkdir lib; echo "*" > lib/.gitignore; echo x > lib/new.txt',
    ['src/', 'lib/.gitignore'],
  ],
  ["one of git's own", hiding('lib/', '.git/info/exclude'), ['src/']],
  [
    'a setting',
    'echo lib/ > src/rules; git config core.excludesFile "$PWD/src/rules"; mkdir lib; echo x > lib/new.txt',
    ['src/'],
  ],
])('a new rule hides nothing that is out of scope: %s', async (_, shell, allow) => {
  const { stage, has, project } = await ran(shell, allow);
  expect(stage).toMatchObject({
    state: 'failed',
    reasons: expect.arrayContaining([
      expect.stringMatching(/^lib\/new\.txt: is not in scope\.allow \(not applied\)$/),
    ]),
  });
  expect([has('lib/new.txt'), has('lib/été 日本.txt')]).toEqual([false, false]);
  expect(project.text('outputs/codex_impl.undone.patch')).toContain('+++ b/lib/new.txt');
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(/^(lib\/|\*)$/m.test(project.read('.gitignore'))).toBe(allow.includes('.gitignore'));
});

it('a rule in the home of the user hides nothing either', async () => {
  const home = process.env['HOME'];
  const own = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'docket-home-'));
  process.env['HOME'] = own;
  try {
    const { stage, has } = await ran(
      `mkdir -p ${own}/.config/git; ${hiding('lib/', `${own}/.config/git/ignore`)}`,
      ['src/'],
    );
    expect(stage?.state).toBe('failed');
    expect(has('lib/new.txt')).toBe(false);
  } finally {
    process.env['HOME'] = home;
    fs.rmSync(own, { recursive: true });
  }
});

it.each([
  ['in scope', ['src/', '.gitignore'], 'done'],
  ['out of scope', ['src/'], 'failed'],
])('what a rule hid before is not lost when the rule goes: %s', async (_, allow, state) => {
  const { stage, project } = await ran(
    "sed -i '/cache/d' .gitignore; echo more >> cache/new.txt",
    allow,
    (made) => {
      made.put('.gitignore', '.docket\n.takt\n.tmp\ncache/\n');
      made.put('cache/kept.txt', 'kept\n');
      fs.symlinkSync('kept.txt', path.join(made.root, 'cache/link'));
      made.git('commit', '--quiet', '-am', 'ignore');
    },
  );
  expect(stage?.state).toBe(state);
  expect(project.read('cache/kept.txt')).toBe('kept\n');
  expect(project.read('cache/link')).toBe('kept\n');
  expect(project.read('.gitignore').includes('cache')).toBe(state === 'failed');
});

it('what was ignored all the time, and what is ignored in scope, is no matter', async () => {
  const { stage, has } = await ran(
    "echo 'made/' > src/.gitignore; mkdir -p src/made cache; echo x > src/made/x; echo x > cache/x",
    ['src/'],
    (made) => {
      made.put('.gitignore', '.docket\n.takt\n.tmp\ncache/\n');
      made.git('commit', '--quiet', '-am', 'ignore');
    },
  );
  expect(stage).toMatchObject({ state: 'done', reasons: [] });
  expect([has('src/made/x'), has('cache/x')]).toEqual([true, true]);
});
