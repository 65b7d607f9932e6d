import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { PacketProject, type Act } from '../support/packet-project.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch } from '../support/scratch.ts';

const inScope = "echo 'Good day' > src/app.txt";
const cleanGuide = '# Guide\n';

/** Runs an agent that does what it should and something out of scope beside it. */
async function caught(shell: string, paths: readonly string[], act: Act = {}): Promise<PacketProject> {
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ shell: `${inScope}\n${shell}`, ...act }],
  });
  await undoneIn(project, paths);
  return project;
}

async function undoneIn(project: PacketProject, paths: readonly string[]): Promise<void> {
  project.route('pipeline: {flags: {enable_brief: false}}');
  const ran = await project.run();
  const { reasons = [] } = ran.stages.find(({ stage }) => stage === 'codex_impl') ?? {};
  expect(project.data('state/last_failure.json')).toMatchObject({
    class: 'scope_violation',
    gate_result: 'scope_violation',
  });
  for (const path of paths)
    expect(reasons).toContainEqual(expect.stringMatching(`^${path}: .*\\(not applied\\)$`));
  expect(await project.states()).toMatchObject({ codex_impl: 'failed', codex_verify: 'pending' });
  expect(project.has('outputs/codex_impl.undone.patch')).toBe(true);
  expect(project.text('outputs/_summary.md')).toContain(
    '- undone changes are kept in outputs/codex_impl.undone.patch',
  );
  expect(project.read('src/app.txt')).toBe('Good day\n');
  expect(project.git('status', '--porcelain', '--', '.', ':!.tmp')).toBe(' M src/app.txt\n');
}

it('a rename out of scope', async () => {
  const project = await caught('git mv docs/guide.md docs/other.md', ['docs/guide\\.md', 'docs/other\\.md']);
  expect(project.read('docs/guide.md')).toBe(cleanGuide);
  expect(project.text('outputs/codex_impl.undone.patch')).toContain('+++ b/docs/other.md');
});

it('a new file, in a new folder', async () => {
  const project = await caught('mkdir lib; echo x > lib/new.txt', ['lib/new.txt']);
  expect(fs.existsSync(path.join(project.root, 'lib'))).toBe(false);
  expect(project.text('outputs/codex_impl.undone.patch')).toContain('+++ b/lib/new.txt');
});

it('a change of mode', async () => {
  const project = await caught('chmod +x docs/guide.md', ['docs/guide.md']);
  expect(fs.statSync(path.join(project.root, 'docs/guide.md')).mode & 0o111).toBe(0);
});

it('a symlink to outside in the place of a file, and what is written through it', async () => {
  const outside = scratch();
  const project = await caught(`rm docs/guide.md; ln -s ${outside}/x docs/guide.md; ln -s ${outside} lib`, [
    'docs/guide.md',
    'lib',
  ]);
  expect(project.read('docs/guide.md')).toBe(cleanGuide);
  expect(fs.readdirSync(outside)).toEqual([]);
});

it('a submodule', async () => {
  const other = new TestRepository({ 'in.txt': 'in\n' });
  const project = await caught(
    `git -c protocol.file.allow=always submodule --quiet add ${other.root} sub 2>/dev/null`,
    ['\\.gitmodules', 'sub'],
  );
  expect(fs.existsSync(path.join(project.root, '.gitmodules'))).toBe(false);
  expect(fs.existsSync(path.join(project.root, 'sub'))).toBe(false);
});

it('a hook of git, and a setting', async () => {
  const project = await caught("printf 'exit 1' > .git/hooks/pre-commit; git config alias.st '!echo owned'", [
    '\\.git/hooks/pre-commit',
    '\\.git/config',
  ]);
  expect(fs.existsSync(path.join(project.root, '.git/hooks/pre-commit'))).toBe(false);
  expect(project.read('.git/config')).not.toContain('owned');
});

it('a path with spaces', async () => {
  const project = await caught("echo x > 'docs/a b  c.md'", ['docs/a b  c\\.md']);
  expect(fs.readdirSync(path.join(project.root, 'docs'))).toEqual(['guide.md']);
});

it('a path with letters of the world', async () => {
  const project = await caught("echo x > 'docs/été-日本.md'", ['docs/été-日本\\.md']);
  expect(fs.readdirSync(path.join(project.root, 'docs'))).toEqual(['guide.md']);
});

it('a path with a newline', async () => {
  const project = await caught("echo x > $'docs/a\\nb.md'", ['docs/a\nb\\.md']);
  expect(fs.readdirSync(path.join(project.root, 'docs'))).toEqual(['guide.md']);
  // It cannot pass for a line of ours.
  expect(project.text('outputs/_summary.md')).not.toMatch(/^b\.md/m);
});

it('a deleted file', async () => {
  const project = await caught('rm docs/guide.md', ['docs/guide\\.md']);
  expect(project.read('docs/guide.md')).toBe(cleanGuide);
});

it('a denied file that git ignores', async () => {
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ shell: `${inScope}; echo KEY=2 > .env` }],
  });
  project.write('.env', 'KEY=1\n');
  project.write('.git/info/exclude', '.env\n');
  await undoneIn(project, ['\\.env']);
  expect(project.read('.env')).toBe('KEY=1\n');
});

it('what is committed', async () => {
  const who = '-c user.name=a -c user.email=a@example.com';
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ shell: `${inScope}; echo x > docs/new.md; git add docs; git ${who} commit -qm mine` }],
  });
  const ran = await project.run();
  expect(ran.stages[1]).toMatchObject({
    state: 'failed',
    reasons: expect.arrayContaining([expect.stringContaining('docs/new.md')]),
  });
  expect(fs.existsSync(path.join(project.root, 'docs/new.md'))).toBe(false);
});

it('a diff that leaves the scope is undone as a whole file is', async () => {
  const diff = '--- /dev/null\n+++ b/lib/x.txt\n@@ -0,0 +1 @@\n+x\n';
  const both = `--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1 +1 @@\n-Hi\n+Good day\n${diff}`;
  const project = await caught('', ['lib/x\\.txt'], { shell: ':', say: `\`\`\`diff\n${both}\`\`\`` });
  expect(fs.existsSync(path.join(project.root, 'lib'))).toBe(false);
});

it('of an agent that failed, and of a verification', async () => {
  const stray: Act = { shell: 'echo x > docs/guide.md' };
  const project = await PacketProject.with('safe_impl', {
    codex_impl: [{ ...stray, fail: 'broke', exit: 1 }],
  });
  expect((await project.run()).stages[1]).toMatchObject({ state: 'failed', exitCode: 1 });
  expect(project.data('state/last_failure.json')).toMatchObject({ class: 'scope_violation' });
  expect(project.read('docs/guide.md')).toBe(cleanGuide);
  project.play({ codex_verify: [stray] });
  expect((await project.run()).stages[2]).toMatchObject({ stage: 'codex_verify', state: 'failed' });
  expect(project.read('docs/guide.md')).toBe(cleanGuide);
  expect(project.called()).toEqual(['gemini_brief', 'codex_impl', 'codex_impl', 'codex_verify']);
});

it('an empty list allows nothing', async () => {
  const project = await PacketProject.with('safe_impl', {}, { allow: [] });
  await project.run();
  expect(project.data('state/last_failure.json')).toMatchObject({ class: 'scope_violation' });
  expect(project.git('status', '--porcelain', '--', '.', ':!.tmp')).toBe('');
});

it("work that was there before is nobody else's", async () => {
  const project = await PacketProject.with('safe_impl');
  project.put('docs/mine.md', 'mine\n');
  project.put('docs/guide.md', '# My guide\n');
  expect((await project.run()).status).toBe('done');
  expect([project.read('docs/mine.md'), project.read('docs/guide.md')]).toEqual(['mine\n', '# My guide\n']);
});
