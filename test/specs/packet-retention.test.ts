import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { retainPackets } from '../../src/kinds/packet/archive.ts';
import { PacketProject } from '../support/packet-project.ts';

/** Three finished packets, one that failed and one that never ran. */
async function packets(): Promise<PacketProject> {
  const project = new PacketProject({ gemini_review: [{}, {}, {}, { say: 'no sections' }, {}] });
  for (const [id, retention] of [
    ['p-1'],
    ['p-2', 'delete'],
    ['p-3', 'keep'],
    ['p-4', 'delete'],
    ['p-5', 'delete'],
  ]) {
    project.id = id ?? '';
    await project.make('review_only');
    if (retention !== undefined) project.edit('manifest.yaml', (text) => `${text}retention: ${retention}\n`);
    if (id !== 'p-5') await project.run();
  }
  return project;
}

function policy(project: PacketProject, days: number, dryRun: boolean) {
  const clock = { now: () => Date.now() + days * 86_400_000 };
  return retainPackets({ root: project.root, env: project.env, clock, warn: () => undefined }, dryRun);
}

const actions = (retained: Awaited<ReturnType<typeof policy>>) =>
  Object.fromEntries(retained.map(({ id, from, action }) => [`${from}/${id}`, action]));
const inFolder = (project: PacketProject, name: string): string[] =>
  fs.existsSync(path.join(project.root, '.tmp', name))
    ? fs
        .readdirSync(path.join(project.root, '.tmp', name))
        .filter((one) => one !== '.gitignore')
        .toSorted()
    : [];

it('archives what is finished, and deletes only what was archived before', async () => {
  const project = await packets();
  const config = JSON.parse(project.read('.docket/config.yaml')) as object;
  const retention = { archiveAfterDays: 14, deleteArchivedAfterDays: 90 };
  project.write('.docket/config.yaml', JSON.stringify({ ...config, packets: { retention } }));
  const all = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5'];
  expect(new Set(Object.values(actions(await policy(project, 13, false))))).toEqual(new Set(['keep']));

  const due = {
    'task/p-1': 'archive',
    'task/p-2': 'archive',
    'task/p-3': 'keep',
    'task/p-4': 'keep',
    'task/p-5': 'keep',
  };
  expect(actions(await policy(project, 15, true))).toEqual(due);
  expect([inFolder(project, 'task'), inFolder(project, 'archive')]).toEqual([all, []]);
  // Years late: they are archived all the same before anything else happens.
  expect(actions(await policy(project, 1000, false))).toEqual(due);
  expect([inFolder(project, 'task'), inFolder(project, 'archive')]).toEqual([
    ['p-3', 'p-4', 'p-5'],
    ['p-1', 'p-2'],
  ]);

  expect(actions(await policy(project, 1089, false))).toMatchObject({
    'archive/p-1': 'keep',
    'archive/p-2': 'keep',
  });
  const late = { 'archive/p-1': 'delete', 'archive/p-2': 'delete' };
  expect(actions(await policy(project, 1091, true))).toMatchObject(late);
  expect(inFolder(project, 'archive')).toEqual(['p-1', 'p-2']);
  expect(actions(await policy(project, 1091, false))).toMatchObject(late);
  expect(inFolder(project, 'archive')).toEqual([]);
  const printed = ['packet', 'packet-archive'].map((name) =>
    fs.readdirSync(path.join(project.root, '.docket', name)),
  );
  expect(printed).toEqual([['p-3', 'p-4'], []]);
});

it('without settings does what manifests say, and never goes over another', async () => {
  const project = await packets();
  expect(actions(await policy(project, 0, false))).toMatchObject({
    'task/p-1': 'keep',
    'task/p-2': 'archive',
  });
  project.id = 'p-2';
  await project.make('review_only');
  project.edit('manifest.yaml', (text) => `${text}retention: archive\n`);
  await project.run();
  const outside = path.join(project.root, 'docs');
  fs.symlinkSync(outside, path.join(project.root, '.tmp/archive/link'));
  const [archived, , again] = await policy(project, 0, true);
  expect(archived).toMatchObject({ id: 'p-2', from: 'archive', action: 'delete' });
  expect(again).toMatchObject({ id: 'p-2', from: 'task', action: 'archive' });
  expect(actions(await policy(project, 0, false))).toMatchObject({
    'archive/p-2': 'delete',
    'task/p-2': 'archive',
  });
  expect(inFolder(project, 'archive')).toEqual(['link', 'p-2']);
  expect(fs.existsSync(path.join(outside, 'guide.md'))).toBe(true);
});
