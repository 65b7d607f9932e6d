import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createTask } from '../../../src/kinds/directory/directories.ts';
import { tasksFolder } from '../../../src/kinds/directory/place.ts';
import { readTask } from '../../../src/kinds/directory/stores.ts';
import { exportTask, importTask } from '../../../src/kinds/directory/transfer.ts';
import { validateTaskDir } from '../../../src/kinds/directory/validate.ts';
import { makeMasker } from '../../../src/render/masker.ts';
import type { Project } from '../../../src/settings/project.ts';
import { scratch, treeOf } from '../../support/scratch.ts';
import { taskDirectory } from '../../support/task-directory.ts';

const kept = {
  'agents/w1/artifacts/bun.lock': 'a lock file of packages is an artifact',
  'agents/w1/artifacts/home/index.html': 'home',
  'agents/w1/runtime/events.jsonl': '{}\n',
  'shared/keys.md': 'about keys',
  'shared/environment.md': 'about .env',
};
const left = {
  'agents/w1/codex_home/auth.json': 'SECRET',
  'agents/w1/codex_home/sessions/1.jsonl': 'SECRET',
  'agents/w2/gemini-home/x': 'SECRET',
  'agents/w2/home/.config/y': 'SECRET',
  'agents/w1/artifacts/.codex/auth': 'SECRET',
  'agents/w1/runtime/pid': '4711\n',
  'agents/w1/artifacts/Auth.JSON': 'SECRET',
  'agents/w1/artifacts/.credentials.json': 'SECRET',
  'agents/w1/artifacts/oauth_creds.json': 'SECRET',
  'agents/w1/artifacts/server.key': 'SECRET',
  'agents/w1/artifacts/server.PEM': 'SECRET',
  'agents/w1/artifacts/.env.local': 'SECRET',
  'agents/w1/artifacts/.git/config': 'SECRET',
  'agents/w1/artifacts/id_ed25519': 'SECRET',
  'shared/.README.md.docket-tmp': 'half',
  'shared/x.tmp': 'half',
  'locks/write': '',
  'store.lock': '',
};

test('an export holds the record of a task and no login, lock or half-written file', async () => {
  const root = scratch();
  const dir = taskDirectory(root, 'T-1', { ...kept, ...left });
  fs.symlinkSync('/etc/passwd', path.join(dir, 'shared', 'passwd'));
  const file = path.join(root, 'T-1.tar.gz');

  const done = await exportTask({ dir, file, masker: makeMasker([]) });

  expect(done.left.toSorted()).toEqual([
    'agents/w1/artifacts/.codex/',
    'agents/w1/artifacts/.credentials.json',
    'agents/w1/artifacts/.env.local',
    'agents/w1/artifacts/.git/',
    'agents/w1/artifacts/Auth.JSON',
    'agents/w1/artifacts/id_ed25519',
    'agents/w1/artifacts/oauth_creds.json',
    'agents/w1/artifacts/server.PEM',
    'agents/w1/artifacts/server.key',
    'agents/w1/codex_home/',
    'agents/w1/runtime/pid',
    'agents/w2/gemini-home/',
    'agents/w2/home/',
    'locks/',
    'shared/.README.md.docket-tmp',
    'shared/passwd',
    'shared/x.tmp',
    'store.lock',
  ]);
  const bytes = gunzipSync(fs.readFileSync(file));
  expect(bytes.includes('SECRET')).toBe(false);
  const listed = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n');
  expect(listed).toEqual(expect.arrayContaining(Object.keys(kept).map((name) => `T-1/${name}`)));
  expect(listed.filter((name) => !name.endsWith('/'))).toHaveLength(done.files);
});

test('what is exported here is imported elsewhere, byte for byte', async () => {
  const root = scratch();
  const dir = taskDirectory(root, 'T-1', kept);
  const file = path.join(root, 'T-1.tar.gz');
  const { files } = await exportTask({ dir, file, masker: makeMasker([]) });
  const tasksDir = path.join(root, 'other', '.agentmesh', 'tasks');
  expect(await importTask({ file, tasksDir, dryRun: false })).toEqual({ id: 'T-1', files });
  expect(treeOf(path.join(tasksDir, 'T-1'))).toEqual(treeOf(dir));
  expect(fs.readdirSync(tasksDir)).toEqual(['T-1']);
});

test('a task that docket made is valid here and elsewhere, and says the same there', async () => {
  const here = whereIn(scratch());
  const there = whereIn(scratch());
  const { id, dir } = await createTask(here, { title: 'Compare', topology: 'squad', description: 'Both.' });
  const file = path.join(here.root, 'task.tar.gz');
  await exportTask({ dir: path.join(here.root, dir), file, masker: makeMasker([]) });
  await importTask({ file, tasksDir: path.join(there.root, tasksFolder), dryRun: false });

  expect((await readTask(there, id)).task).toEqual((await readTask(here, id)).task);
  expect(await validateTaskDir(path.join(here.root, dir))).toEqual([]);
  expect(await validateTaskDir(path.join(there.root, dir))).toEqual([]);
});

test('an export never replaces a file, nor lands in the directory it packs', async () => {
  const root = scratch();
  const dir = taskDirectory(root, 'T-1');
  const file = path.join(root, 'mine.tar.gz');
  fs.writeFileSync(file, 'mine');
  await expect(exportTask({ dir, file, masker: makeMasker([]) })).rejects.toMatchObject({ code: 'REFUSED' });
  await expect(
    exportTask({ dir, file: path.join(dir, 'shared', 'x.tar.gz'), masker: makeMasker([]) }),
  ).rejects.toMatchObject({
    code: 'REFUSED',
  });
  expect(fs.readFileSync(file, 'utf8')).toBe('mine');
  await expect(
    exportTask({ dir: path.join(root, 'none'), file, masker: makeMasker([]) }),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

function whereIn(root: string): Project {
  return { root, env: { HOME: root }, clock: { now: () => Date.now() }, warn: () => undefined };
}
