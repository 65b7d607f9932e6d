import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answersIn, bin, ended, start, storeChild } from '../support/child.ts';
import { canPlayNobody, nobody } from '../support/other-user.ts';
import { add, lookAt, mirrorOf, openStore, scratch, statuses, treeOf } from '../support/scratch.ts';

/** A process may make mounts of its own that nobody else sees, and that go when it ends. */
const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

async function store(): Promise<string> {
  const root = scratch();
  fs.chmodSync(root, 0o755);
  const backend = await openStore(root);
  await add(backend, 'one');
  await backend.close();
  return root;
}

function give(root: string, { uid, gid }: { uid: number; gid: number }): void {
  fs.chownSync(root, uid, gid);
  for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }))
    fs.chownSync(path.join(root, name), uid, gid);
}

describe.runIf(canMount)('a full disk', () => {
  test('a command is either there after it or was refused', { timeout: 120_000 }, async () => {
    const dir = scratch();
    const script = `mount -t tmpfs -o size=700k none "$1" && exec "$2" "$3" "$1"`;
    const child = start('unshare', [
      '-m',
      'sh',
      '-c',
      script,
      'sh',
      dir,
      process.execPath,
      bin('disk-full.mjs'),
    ]);
    const { code, out } = await ended(child);
    expect(code).toBe(0);
    const said = JSON.parse(out) as {
      promised: string[];
      refused: string[];
      codes: string[];
      exits: number[];
      shortWrites: number;
      prefixKept: boolean;
      wentOn: boolean;
      there: string[];
      listed: string[];
    };
    expect(said.refused.length).toBeGreaterThan(0);
    expect(new Set(said.codes)).toEqual(new Set(['DISK_FULL']));
    expect(new Set(said.exits)).toEqual(new Set([75]));
    expect(said.shortWrites).toBeGreaterThan(0);
    expect(said.prefixKept).toBe(true);
    expect(said.wentOn).toBe(true);
    expect(said.there.toSorted()).toEqual(said.promised.toSorted());
    expect(said.listed.toSorted()).toEqual(said.promised.toSorted());
    expect(fs.readdirSync(dir)).toEqual([]);
  });
});

describe.runIf(canMount)('a read-only file system', () => {
  test('can be read; writing says so', async () => {
    const root = await store();
    const before = treeOf(root);
    const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" "$3" "$1" read add:two`;
    const child = start('unshare', [
      '-m',
      'sh',
      '-c',
      script,
      'sh',
      root,
      process.execPath,
      bin('store.mjs'),
    ]);
    const [read, written] = answersIn((await ended(child)).out);
    expect(read).toMatchObject({ tasks: [['one', 'queued']] });
    expect(written?.error).toMatchObject({
      code: 'NO_ACCESS',
      exitCode: 2,
      path: expect.stringContaining(root),
    });
    expect(written?.error?.message).toContain('read-only');
    expect(treeOf(root)).toEqual(before);
  });
});

describe.runIf(canPlayNobody)('without permission', () => {
  test('somebody else’s store can be read only when they allow it, and is not written', async () => {
    const root = await store();
    const [closed] = await storeChild(root, ['read'], nobody);
    expect(closed?.error).toMatchObject({ code: 'NO_ACCESS', path: expect.stringContaining(root) });
    // It may hold prompts, so nobody else can read it unless its owner says so.
    for (const name of fs.readdirSync(path.join(root, '.docket'), { recursive: true, encoding: 'utf8' })) {
      const file = path.join(root, '.docket', name);
      if (fs.statSync(file).isFile()) fs.chmodSync(file, 0o644);
    }
    const before = treeOf(root);
    const [read, written] = await storeChild(root, ['read', 'add:two'], nobody);
    expect(read).toMatchObject({ tasks: [['one', 'queued']] });
    expect(written?.error).toMatchObject({
      code: 'NO_ACCESS',
      exitCode: 2,
      path: expect.stringContaining(root),
    });
    expect(written?.error?.fix).not.toBe('');
    expect(treeOf(root)).toEqual(before);
  });

  test('a store that may not be looked at is an error, not an empty list', async () => {
    const root = await store();
    fs.chmodSync(path.join(root, '.docket'), 0o700);
    const [read, written] = await storeChild(root, ['read', 'add:two'], nobody);
    for (const answer of [read, written]) {
      expect(answer?.error).toMatchObject({ code: 'NO_ACCESS', path: expect.stringContaining(root) });
    }
  });

  test('a new store cannot be made', async () => {
    const root = scratch();
    fs.chmodSync(root, 0o555);
    const [written] = await storeChild(root, ['add:one'], nobody);
    expect(written?.error).toMatchObject({
      code: 'NO_ACCESS',
      exitCode: 2,
      path: expect.stringContaining(root),
    });
    expect(treeOf(root)).toEqual({});
  });

  test.each([
    ['folder', (root: string) => path.dirname(mirrorOf(root)), 0o555],
    ['file', mirrorOf, 0o000],
  ])(
    'a tasks.yaml in a %s that may not be written: commits go on, the file follows later',
    async (_, target, mode) => {
      const root = await store();
      give(root, nobody);
      const before = fs.readFileSync(mirrorOf(root));
      fs.chmodSync(target(root), mode);
      // A new version of the file would be ours anyway; so somebody else's edit must be what cannot be read.
      if (mode === 0) fs.utimesSync(mirrorOf(root), 1, 1);
      const answers = await storeChild(root, ['add:two', 'add:three'], nobody);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
      const warnings = answers.flatMap(({ warning }) => warning ?? []);
      expect(warnings.length).toBeGreaterThan(0);
      for (const warning of warnings) expect(warning).toContain(path.dirname(mirrorOf(root)));
      expect(fs.readFileSync(mirrorOf(root)).equals(before)).toBe(true);

      fs.chmodSync(target(root), mode === 0 ? 0o644 : 0o755);
      const healed = await storeChild(root, ['add:four'], nobody);
      expect(healed.flatMap(({ warning }) => warning ?? [])).toEqual([]);
      const text = fs.readFileSync(mirrorOf(root), 'utf8');
      for (const id of ['one', 'two', 'three', 'four']) expect(text).toContain(`name: ${id}\n`);
      expect(fs.statSync(mirrorOf(root))).toMatchObject(nobody);
    },
  );
});

test('a read-only tasks.yaml is replaced, and stays read-only', async () => {
  const root = await store();
  fs.chmodSync(mirrorOf(root), 0o444);
  const backend = await openStore(root);
  await add(backend, 'two');
  await backend.close();
  expect(fs.statSync(mirrorOf(root)).mode & 0o777).toBe(0o444);
  expect(fs.readFileSync(mirrorOf(root), 'utf8')).toContain('name: two\n');
});

test('a tasks.yaml that is a link stays one', async () => {
  const root = await store();
  const real = path.join(root, 'elsewhere.yaml');
  fs.renameSync(mirrorOf(root), real);
  fs.symlinkSync('../elsewhere.yaml', mirrorOf(root));
  const backend = await openStore(root);
  await add(backend, 'two');
  await backend.close();
  expect(fs.readlinkSync(mirrorOf(root))).toBe('../elsewhere.yaml');
  expect(fs.readFileSync(real, 'utf8')).toContain('name: two\n');
});

describe('a file where a folder should be', () => {
  test.each(['.docket', '.docket/queue'])('%s', async (name) => {
    const root = scratch();
    fs.mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), 'mine');
    for (const answer of (await storeChild(root, ['read', 'add:one'])).slice(0, 2)) {
      expect(answer?.error).toMatchObject({
        code: 'BAD_FILE',
        exitCode: 2,
        path: expect.stringContaining(root),
      });
    }
    expect(fs.readFileSync(path.join(root, name), 'utf8')).toBe('mine');
  });

  test('.takt: commits go on, and say so', async () => {
    const root = scratch();
    fs.writeFileSync(path.join(root, '.takt'), 'mine');
    const warnings: string[] = [];
    const backend = await openStore(root, { warn: (text) => warnings.push(text) });
    onTestFinished(() => backend.close().catch(() => undefined));
    await add(backend, 'one');
    expect(warnings.join('\n')).toContain('.takt');
    expect(fs.readFileSync(path.join(root, '.takt'), 'utf8')).toBe('mine');
    fs.rmSync(path.join(root, '.takt'));
    await add(backend, 'two');
    await backend.close();
    expect(statuses(lookAt(root).tasks)).toEqual({ one: 'queued', two: 'queued' });
    expect(fs.readFileSync(mirrorOf(root), 'utf8')).toContain('name: one\n');
  });
});
