import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../bin/packet-cli/answers.mjs';
import { PacketProject, polite } from '../support/packet-project.ts';

const manifest = '.tmp/task/p-1/manifest.yaml';
const without = (name: string) => (project: PacketProject) => fs.rmSync(path.join(project.dir, name));
const edited = (from: RegExp | string, to: string) => (project: PacketProject) =>
  project.edit('manifest.yaml', (text) => text.replace(from, to));

/** What is wrong, how it came to be, and what is said about it. */
const wrongs: [string, (project: PacketProject) => void, RegExp[]][] = [
  ['an empty manifest', edited(/[^]*/, ''), [/:1:1 task_id is required/, /:1:1 context is required/]],
  ['none', without('manifest.yaml'), [/manifest\.yaml there is no manifest\.yaml/]],
  ['another name', edited(/^task_id: .*/m, 'task_id: p-2'), [/:3:10 task_id is p-2, but its folder is p-1/]],
  ['no request', without('inputs/user_request.md'), [/^\S+\/inputs\/user_request\.md is missing or empty/]],
  [
    'a forbidden path',
    (project) => project.edit('inputs/user_request.md', () => 'Look.\nRead .env\n'),
    [/inputs\/user_request\.md:2 names the forbidden path \.env/],
  ],
  [
    'an intent that is none, and more',
    (project) => {
      project.set('intent', 'saef_impl');
      project.set('retry_budget', 'two');
      without('inputs/user_request.md')(project);
    },
    [/:\d+:11 routing\.intent: .*"saef_impl"/, /:\d+:17 budgets\.retry_budget must/, /user_request\.md/],
  ],
];

describe.each(wrongs)('%s', (_what, spoil, expected) => {
  it('is told by a run, a dry run and validate alike', async () => {
    const project = await PacketProject.with('review_only');
    spoil(project);
    const packets = await project.packets();
    const findings = await packets.validate('p-1');
    const refusal = { code: 'INVALID', exitCode: 2, data: { findings } };
    await expect(packets.plan('p-1', {})).rejects.toMatchObject(refusal);
    const error = (await project.run().catch((reason: unknown) => reason)) as Error;
    expect(error).toMatchObject(refusal);
    for (const said of expected) expect(error.message).toMatch(new RegExp(said.source, 'm'));
    expect(project.calls()).toEqual([]);
  });
});

it('a broken edit of a manifest that was good is not passed over', async () => {
  const project = await PacketProject.with('review_only');
  await project.run();
  project.set('retry_budget', 'two');
  await expect(project.run({ force: true })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringMatching(`^${manifest}:\\d+:17 budgets.retry_budget must`),
  });
  expect(project.calls()).toHaveLength(1);
});

it('a manifest that is gone from a packet that was run is put back', async () => {
  const project = await PacketProject.with('review_only');
  await project.run();
  without('manifest.yaml')(project);
  const packets = await project.packets();
  expect(await packets.validate('p-1')).toMatchObject([{ severity: 'warning' }]);
  expect((await project.run({ force: true })).status).toBe('done');
  expect(project.text('manifest.yaml')).toContain('task_id: p-1\n');
  expect(await packets.validate('p-1')).toEqual([]);
});

it('what a brief handed on is no reason against the next run', async () => {
  const say = answerOf('brief').replace(/^## 6\. .*$/m, '$&\nNever read .env here.');
  const project = await PacketProject.with('safe_impl', { gemini_brief: [{ say }] });
  expect((await project.run()).status).toBe('done');
  expect(project.text('inputs/context_pack.md')).toContain('Never read .env here.');
  expect(await (await project.packets()).validate('p-1')).toEqual([]);
});

/** As the script that makes a packet from a plan writes it. */
const bootstrapped = `## 0. Goal
Implement the approved execution plan.

## 2. Scope
### Allowed paths
- src/

### Denied paths
- .env
- secrets/

## 6. Prohibited Actions
- Do not read .env.
`;

it('a context pack that names forbidden paths where it denies them is run', async () => {
  const project = await PacketProject.with('review_only');
  project.edit('inputs/context_pack.md', () => bootstrapped);
  expect(await (await project.packets()).validate('p-1')).toEqual([]);
  expect((await project.run()).status).toBe('done');
});

it.each([
  ['a context pack', 'inputs/context_pack.md', `${bootstrapped}\n## 5. Files to Read\n- .env\n`, 16],
  ['a diff', 'inputs/attachments/git.diff', '--- a/.env\n+++ b/.env\n', 1],
  ['an attachment that is the file itself', 'inputs/attachments/.env', 'KEY=1\n', 1],
])('a forbidden path in %s is refused', async (_, file, text, line) => {
  const project = await PacketProject.with('review_only');
  project.edit(file, () => text);
  const [finding] = await (await project.packets()).validate('p-1');
  expect(finding).toMatchObject({ severity: 'error', line, message: 'names the forbidden path .env' });
  expect(finding?.path).toMatch(new RegExp(`${file}$`));
  await expect(project.run()).rejects.toMatchObject({ code: 'INVALID' });
});

it('a line that a person adds to the context pack of a brief does not stop the packet', async () => {
  const say = answerOf('brief').replace(/^## 4\. .*$/m, '$&\nThe settings stay out of .env here.');
  const project = await PacketProject.with('safe_impl', {
    gemini_brief: [{ say }],
    codex_impl: [{ say: 'Nothing.' }, polite],
  });
  expect((await project.run()).status).toBe('failed');
  project.edit('inputs/context_pack.md', (text) => `${text}\nUse UTF-8.\n`);
  expect((await project.run()).status).toBe('done');
  project.edit('inputs/context_pack.md', (text) => `${text}\nRead .env first.\n`);
  await expect(project.run()).rejects.toMatchObject({
    message: expect.stringContaining('names the forbidden path .env'),
  });
});

it('a packet that would be no good is not made at all', async () => {
  const project = new PacketProject();
  for (const allow of ['/etc', '../x'])
    await expect(project.make('safe_impl', { allow: [allow] })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('scope.allow'),
    });
  await expect((await project.packets()).show('Bad/Id')).rejects.toMatchObject({
    message: '"Bad/Id" is no packet id',
    fix: expect.stringContaining('use up to 128 letters, digits'),
  });
  expect(fs.existsSync(path.join(project.root, '.tmp'))).toBe(false);
});
