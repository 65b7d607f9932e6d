import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../src/io/archive/names.ts';
import { packFolder } from '../../src/io/archive/pack.ts';
import { unpackInto } from '../../src/io/archive/unpack.ts';
import { setProbe } from '../../src/io/fault.ts';
import { scratch } from '../support/scratch.ts';
import { paxPath, tarGzOf, tarOf, type TarEntry } from '../support/tar.ts';

const everything = () => true;

describe('packing', () => {
  test('what is packed comes out the same elsewhere, long and foreign names included', async () => {
    const root = scratch();
    const deep = `${'d'.repeat(120)}/${'e'.repeat(120)}/${'f'.repeat(120)}`;
    const folder = fill(root, 'T-1', {
      'task.yaml': 'id: T-1\n',
      'shared/größe 日本.md': 'x',
      'empty.log': '',
      [`${deep}/long.txt`]: 'deep',
      'big.bin': 'b'.repeat(700_001),
    });
    fs.mkdirSync(path.join(folder, 'agents'));
    const file = path.join(root, 'out.tar.gz');

    expect(await packFolder({ folder, file, keep: everything })).toEqual({ files: 5, left: [] });
    const there = path.join(root, 'elsewhere', 'T-1');
    fs.mkdirSync(path.dirname(there));
    expect(await unpackInto({ file, folder: there })).toBe(5);

    expect(contents(there)).toEqual(contents(folder));
    expect(fs.readdirSync(root).toSorted()).toEqual(['T-1', 'elsewhere', 'out.tar.gz']);
  });

  test('any tar can read it', async () => {
    const root = scratch();
    const folder = fill(root, 'T-1', { 'a/b.txt': 'hello', 'c.txt': '' });
    await packFolder({ folder, file: path.join(root, 'o.tar.gz'), keep: everything });
    const listing = execFileSync('tar', ['-tzf', path.join(root, 'o.tar.gz')], { encoding: 'utf8' });
    expect(listing).toBe('T-1/\nT-1/a/\nT-1/a/b.txt\nT-1/c.txt\n');
  });

  test('the same folder makes the same bytes, whoever owns it and whatever its modes', async () => {
    const root = scratch();
    const folder = fill(root, 'T-1', { 'z.txt': '1', 'a.txt': '2' });
    await packFolder({ folder, file: path.join(root, '1.tar.gz'), keep: everything });
    fs.chmodSync(path.join(folder, 'a.txt'), 0o600);
    await packFolder({ folder, file: path.join(root, '2.tar.gz'), keep: everything });
    const [one, two] = ['1', '2'].map((name) => fs.readFileSync(path.join(root, `${name}.tar.gz`)));
    expect(one?.equals(two!)).toBe(true);
  });

  test('links, pipes, names that not every system has and unwanted folders stay, and are told', async () => {
    const root = scratch();
    fs.writeFileSync(path.join(root, 'secret'), 'secret');
    const folder = fill(root, 'T-1', {
      'keep.txt': '1',
      'home/auth': 'secret',
      'README.md': 'a',
      'readme.md': 'b',
      'back\\slash': 'c',
      'dot.': 'd',
    });
    fs.symlinkSync(path.join(root, 'secret'), path.join(folder, 'link'));
    fs.symlinkSync(root, path.join(folder, 'up'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(folder, 'pipe')]);
    fs.linkSync(path.join(folder, 'keep.txt'), path.join(folder, 'same.txt'));
    const file = path.join(root, 'o.tar.gz');

    const packed = await packFolder({ folder, file, keep: (name) => name !== 'home' });
    expect(packed).toEqual({
      files: 3,
      left: ['back\\slash', 'dot.', 'home/', 'link', 'pipe', 'readme.md', 'up'],
    });
    expect(gunzipSync(fs.readFileSync(file)).includes('secret')).toBe(false);
    await unpackInto({ file, folder: path.join(root, 'x', 'T-1') });
    expect(Object.keys(contents(path.join(root, 'x', 'T-1')))).toEqual(['README.md', 'keep.txt', 'same.txt']);
  });

  test('a file that is there stays, unless it is to be replaced', async () => {
    const root = scratch();
    const folder = fill(root, 'T-1', { a: '1' });
    const file = path.join(root, 'o.tar.gz');
    fs.writeFileSync(file, 'mine');
    await expect(packFolder({ folder, file, keep: everything })).rejects.toMatchObject({ code: 'REFUSED' });
    expect(fs.readFileSync(file, 'utf8')).toBe('mine');
    await packFolder({ folder, file, keep: everything, overwrite: true });
    expect(fs.readFileSync(file).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(fs.readdirSync(root).toSorted()).toEqual(['T-1', 'o.tar.gz']);
  });

  test('a failure leaves nothing behind', async () => {
    const root = scratch();
    const folder = fill(root, 'T-1', { a: '1', b: '2' });
    const keep = (name: string) => {
      if (name === 'b') throw new Error('no');
      return true;
    };
    await expect(packFolder({ folder, file: path.join(root, 'o.tar.gz'), keep })).rejects.toThrow('no');
    expect(fs.readdirSync(root)).toEqual(['T-1']);
  });
});

test('the folder has its name only when all of it is there', async () => {
  const root = scratch();
  const file = path.join(root, 'a.tar.gz');
  fs.writeFileSync(file, tarGzOf(['a', 'b', 'c'].map((name) => ({ name: `T-1/${name}`, body: name }))));
  const folder = path.join(root, 'tasks', 'T-1');
  const seen = new Set<string>();
  setProbe((moment, call) => {
    const names = fs.existsSync(path.dirname(folder)) ? fs.readdirSync(path.dirname(folder)) : [];
    seen.add(`${moment} ${call}: ${names.map((name) => name.replace(/[0-9a-f]{12}/, '#')).join()}`);
  });
  try {
    await unpackInto({ file, folder });
  } finally {
    setProbe(undefined);
  }
  expect([...seen]).toEqual([
    'before mkdir: ',
    'after mkdir: .T-1.#.tmp',
    'before mkdir: .T-1.#.tmp',
    'before write: .T-1.#.tmp',
    'after write: .T-1.#.tmp',
    'before rename: .T-1.#.tmp',
    'after rename: .T-1.#.tmp,T-1',
    'before fsync: .T-1.#.tmp,T-1',
    'after fsync: .T-1.#.tmp,T-1',
    'before unlink: .T-1.#.tmp,T-1',
    'after unlink: T-1',
  ]);
});

describe('unpacking refuses', () => {
  const hostile: Record<string, readonly TarEntry[]> = {
    'an absolute path': [{ name: '/tmp/docket-evil', body: 'x' }],
    'an absolute path in an extended header': [paxPath('/tmp/docket-evil'), { name: 'T-1/a', body: 'x' }],
    'a way up': [{ name: 'T-1/../../evil', body: 'x' }],
    'a way up in an extended header': [paxPath('T-1/../../evil'), { name: 'T-1/a', body: 'x' }],
    'a way up in a GNU long name': [
      { name: '././@LongLink', type: 'L', body: 'T-1/../../evil\0' },
      { name: 'T-1/a', body: 'x' },
    ],
    'a folder that is a way up': [{ name: '../', type: '5' }],
    'a backslash': [{ name: 'T-1\\..\\evil', body: 'x' }],
    'a drive letter': [{ name: 'C:/evil', body: 'x' }],
    'a line end in a name': [{ name: 'T-1/a\nb', body: 'x' }],
    'a link': [{ name: 'T-1/a', type: '2', link: '/etc/passwd' }],
    'a link and a file through it': [
      { name: 'T-1/a', type: '2', link: '/tmp' },
      { name: 'T-1/a/evil', body: 'x' },
    ],
    'a hard link': [
      { name: 'T-1/a', body: 'x' },
      { name: 'T-1/b', type: '1', link: 'T-1/a' },
    ],
    'a device': [{ name: 'T-1/null', type: '3' }],
    'a pipe': [{ name: 'T-1/pipe', type: '6' }],
    'a kind nobody knows': [{ name: 'T-1/odd', type: 'V' }],
    'the same name twice': [
      { name: 'T-1/a', body: '1' },
      { name: 'T-1/a', body: '2' },
    ],
    'the same name in other letters': [
      { name: 'T-1/task.yaml', body: '1' },
      { name: 'T-1/TASK.yaml', body: '2' },
    ],
    'the same folder in other letters': [
      { name: 'T-1/a/x', body: '1' },
      { name: 'T-1/A/y', body: '2' },
    ],
    'the same name with a NUL behind it': [
      { name: 'T-1/a', body: '1' },
      { name: 'T-1/a\0b', body: '2' },
    ],
    'a file below a file': [
      { name: 'T-1/a', body: '1' },
      { name: 'T-1/a/b', body: '2' },
    ],
    'a name that ends in a dot': [{ name: 'T-1/a.', body: 'x' }],
    'a name that ends in a space': [{ name: 'T-1/a ', body: 'x' }],
    'an empty part': [{ name: 'T-1//a', body: 'x' }],
    'another folder at the top': [
      { name: 'T-1/a', body: 'x' },
      { name: 'T-2/a', body: 'x' },
    ],
    'a file in the place of its folder': [{ name: 'T-1', body: 'x' }],
  };
  test.each(Object.entries(hostile))('%s', async (_, entries) => {
    const good: TarEntry = { name: 'T-1/first', body: 'fine' };
    expect(await tryToUnpack(tarGzOf([good, ...entries]))).toMatchObject(refusal(/is not unpacked: /));
  });

  test('what is no archive, or not all of one', async () => {
    const whole = tarOf([{ name: 'T-1/a', body: 'x'.repeat(5000) }]);
    const broken = [
      Buffer.from('just text\n'.repeat(200)),
      Buffer.alloc(0),
      Buffer.from('PK\u0003\u0004 a zip begins so'),
      gzipSync('no tar inside'.repeat(100)),
      gzipSync(whole).subarray(0, 60),
      whole.subarray(0, 2048),
      whole.subarray(0, whole.length - 1024),
      tarOf([{ name: 'T-1/a', body: 'x', size: 9_000_000 }]),
    ];
    for (const bytes of broken)
      expect(await tryToUnpack(bytes)).toMatchObject(refusal(/is no whole archive/));
  });

  test('a bomb, before it fills the disk', async () => {
    const limits = { files: 5, bytes: 100_000 };
    const many = Array.from({ length: 6 }, (_, n) => ({ name: `T-1/${n}`, body: '' }));
    expect(await tryToUnpack(tarGzOf(many), limits)).toMatchObject(refusal(/more than 5 names/));
    const deep = [{ name: 'T-1/a/b/c/d/e/f', body: '' }];
    expect(await tryToUnpack(tarGzOf(deep), limits)).toMatchObject(refusal(/more than 5 names/));
    const big = [{ name: 'T-1/zeros', body: Buffer.alloc(5_000_000) }];
    expect(await tryToUnpack(tarGzOf(big), limits)).toMatchObject(refusal(/more than 100000 bytes/));
    const behind = gzipSync(tarOf([{ name: 'T-1/a', body: '' }], Buffer.alloc(5_000_000)));
    expect(await tryToUnpack(behind, limits)).toMatchObject(refusal(/more than 100000 bytes/));
  });

  test('a folder that is there', async () => {
    const root = scratch();
    const file = path.join(root, 'a.tar.gz');
    fs.writeFileSync(file, tarGzOf([{ name: 'T-1/a', body: 'new' }]));
    const folder = fill(root, 'T-1', { a: 'old' });
    await expect(unpackInto({ file, folder })).rejects.toMatchObject({ code: 'REFUSED' });
    expect(contents(folder)).toEqual({ a: 'old' });
  });

  test('a pipe and a folder; a link to an archive is one', async () => {
    const root = scratch();
    fs.writeFileSync(path.join(root, 'a.tar.gz'), tarGzOf([{ name: 'T-1/a', body: 'x' }]));
    fs.symlinkSync('a.tar.gz', path.join(root, 'link'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(root, 'pipe')]);
    const folder = path.join(root, 'T-1');
    for (const file of [path.join(root, 'pipe'), root])
      await expect(unpackInto({ file, folder })).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(await unpackInto({ file: path.join(root, 'link'), folder })).toBe(1);
  });
});

const refusal = (message: RegExp) => ({
  error: { code: 'BAD_FILE', message: expect.stringMatching(message) },
  files: ['a.tar.gz', 'tasks'],
});

/** The error, and all that lies there afterwards. */
async function tryToUnpack(bytes: Buffer, limits?: Limits): Promise<{ error: unknown; files: string[] }> {
  const root = scratch();
  const file = path.join(root, 'a.tar.gz');
  fs.writeFileSync(file, bytes);
  const folder = path.join(root, 'tasks', 'T-1');
  fs.mkdirSync(path.dirname(folder));
  const error: unknown = await unpackInto({ file, folder, ...(limits && { limits }) }).catch(
    (thrown: unknown) => thrown,
  );
  return { error, files: fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted() };
}

function fill(root: string, name: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    const at = path.join(root, name, file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  }
  return path.join(root, name);
}

function contents(folder: string): Record<string, string> {
  const found = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    found.map((name) => {
      const at = path.join(folder, name);
      return [name, fs.statSync(at).isFile() ? fs.readFileSync(at, 'utf8') : '/'];
    }),
  );
}
