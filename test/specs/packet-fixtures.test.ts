import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PacketProject } from '../support/packet-project.ts';

const folder = fileURLToPath(new URL('../fixtures/packet/', import.meta.url));

/** A project with a packet as the original dispatcher leaves it. */
function withFixture(id: string): PacketProject {
  const project = new PacketProject({ codex_impl: [{ edit: { 'src/hello.txt': 'hello\n' }, say: 'Done.' }] });
  project.id = id;
  fs.cpSync(path.join(folder, id), project.dir, { recursive: true });
  if (id !== 'fresh') project.put('src/hello.txt', 'hello\n');
  return project;
}

const bytesOf = (project: PacketProject) =>
  project.files().map((name) => [name, project.text(name)] as const);

/** Name, what `packet status` says, and the stages that are left. */
const packets: [string, { used: number; done: number }, string[]][] = [
  ['fresh', { used: 0, done: 0 }, ['gemini_brief', 'codex_impl', 'codex_verify', 'gemini_review']],
  ['half-done', { used: 2, done: 2 }, ['codex_verify', 'gemini_review']],
  ['failed', { used: 3, done: 2 }, ['codex_verify', 'gemini_review']],
  ['done', { used: 4, done: 4 }, []],
];

describe.each(packets)('the packet %s of the original', (id, { used, done }, left) => {
  it('is looked at without a byte changed', async () => {
    const project = withFixture(id);
    const before = bytesOf(project);
    const all = await project.packets();
    const shown = await all.show(id);
    expect(shown).toMatchObject({ id, calls: { used } });
    expect(shown.stages.filter(({ state }) => state === 'done')).toHaveLength(done);
    expect((await all.list()).packets).toHaveLength(1);
    expect(await all.validate(id)).toEqual([]);
    expect((await all.plan(id, {})).stages.filter(({ runs }) => runs).map(({ stage }) => stage)).toEqual(
      left,
    );
    expect(bytesOf(project)).toEqual(before);
    expect(fs.existsSync(path.join(project.dir, 'state/docket'))).toBe(false);
  });

  it('is finished, and the files of the stages that were done stay as they are', async () => {
    const project = withFixture(id);
    const stages = fs.existsSync(path.join(project.dir, 'done'))
      ? fs.readdirSync(path.join(project.dir, 'done'))
      : [];
    const names = stages.map((file) => file.replace('.done', ''));
    const isTheirs = ([name]: readonly [string, string]) =>
      names.some((stage) => name === `done/${stage}.done` || name.startsWith(`outputs/${stage}.`)) ||
      name === 'manifest.yaml' ||
      name === 'inputs/user_request.md';
    const before = bytesOf(project).filter(isTheirs);
    expect(await project.run()).toMatchObject({ status: 'done', calls: { used: used + left.length } });
    expect(project.called()).toEqual(left);
    expect(project.data('state/stats.json')).toMatchObject({ paid_calls_used: used + left.length });
    expect(bytesOf(project).filter(isTheirs)).toEqual(before);
  });
});
