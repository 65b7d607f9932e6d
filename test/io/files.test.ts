import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { setProbe } from '../../src/io/fault.ts';
import { createFile, replaceFile } from '../../src/io/files.ts';
import { ended, startNode } from '../support/child.ts';
import { scratch, treeOf } from '../support/scratch.ts';

describe('replaceFile', () => {
  test('never puts a file in the place of a device or a pipe, however it is led there', () => {
    const dir = scratch();
    const [pipe, link] = ['pipe', 'link'].map((name) => path.join(dir, name)) as [string, string];
    execFileSync('mkfifo', [pipe]);
    fs.symlinkSync(pipe, link);
    for (const file of [pipe, link])
      expect(() => replaceFile(file, 'text')).toThrow(expect.objectContaining({ code: 'BAD_FILE' }));
    expect(fs.lstatSync(pipe).isFIFO()).toBe(true);
    replaceFile(link, 'text', { own: true });
    expect([fs.readFileSync(link, 'utf8'), fs.lstatSync(pipe).isFIFO()]).toEqual(['text', true]);
  });

  test('shows a reader the old file or the new one', async () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'a'.repeat(300_000));
    const writer = startNode('replacer.mjs', [file]);
    await new Promise((resolve) => writer.stdout?.once('data', resolve));
    const seen = new Set<string>();
    for (let n = 0; n < 3000 && (n < 300 || seen.size < 3); n += 1) {
      const text = fs.readFileSync(file, 'utf8');
      expect(text).toHaveLength(300_000);
      expect(text).toBe(text[0]!.repeat(300_000));
      seen.add(text[0]!);
      await new Promise(setImmediate);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  test('a killed writer leaves the old file or the new one, and at most one temporary file', async () => {
    const dir = scratch();
    const file = path.join(dir, 'file');
    for (let n = 0; n < 5; n += 1) {
      const writer = startNode('replacer.mjs', [file]);
      const over = ended(writer);
      await new Promise((resolve) => writer.stdout?.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 20));
      writer.kill('SIGKILL');
      await over;
      const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : 'a';
      expect(new Set(text).size).toBe(1);
      expect(fs.readdirSync(dir).length).toBeLessThanOrEqual(2);
    }
    replaceFile(file, 'new');
    expect(fs.readdirSync(dir)).toEqual(['file']);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
  });

  test('does not follow a link that somebody put at its temporary name', () => {
    const dir = scratch();
    const [file, victim] = [path.join(dir, 'file'), path.join(dir, 'victim')];
    fs.writeFileSync(file, 'old');
    fs.writeFileSync(victim, 'precious');
    const temps: string[] = [];
    setProbe((moment, call, target) => void (moment === 'before' && call === 'open' && temps.push(target)));
    onTestFinished(() => setProbe(undefined));
    replaceFile(file, 'first');
    setProbe(undefined);
    expect(temps).toHaveLength(1);
    fs.symlinkSync(victim, temps[0]!);
    replaceFile(file, 'second');
    expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
    expect(fs.readFileSync(file, 'utf8')).toBe('second');
    expect(fs.lstatSync(file).isFile()).toBe(true);
  });

  test('leaves a link a link, also one that leads nowhere yet', () => {
    const dir = scratch();
    fs.mkdirSync(path.join(dir, 'there'));
    fs.writeFileSync(path.join(dir, 'there', 'real'), 'old');
    fs.symlinkSync('there/real', path.join(dir, 'link'));
    fs.symlinkSync('there/later', path.join(dir, 'dangling'));
    replaceFile(path.join(dir, 'link'), 'new');
    replaceFile(path.join(dir, 'dangling'), 'made');
    expect(treeOf(dir)).toMatchObject({ link: 'link there/real', dangling: 'link there/later' });
    expect(fs.readFileSync(path.join(dir, 'there', 'real'), 'utf8')).toBe('new');
    expect(fs.readFileSync(path.join(dir, 'there', 'later'), 'utf8')).toBe('made');
  });

  test('follows no link at the name of a file of docket’s own', () => {
    const [dir, outside] = [scratch(), scratch()];
    const [file, victim] = [path.join(dir, 'file'), path.join(outside, 'victim')];
    fs.writeFileSync(victim, 'precious', { mode: 0o600 });
    for (const target of [victim, path.join(outside, 'nowhere')]) {
      fs.rmSync(file, { force: true });
      fs.symlinkSync(target, file);
      replaceFile(file, 'ours', { own: true });
      expect(fs.lstatSync(file).isFile()).toBe(true);
    }
    expect(fs.readdirSync(outside)).toEqual(['victim']);
    expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
  });

  test.each([0o600, 0o644, 0o664, 0o666, 0o640, 0o444])('keeps mode %o', (mode) => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, mode);
    replaceFile(file, 'new');
    expect(fs.statSync(file).mode & 0o7777).toBe(mode);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
  });

  test.runIf(process.getuid?.() === 0)('gives a file back to its owner', () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, 0o640);
    fs.chownSync(file, 65_534, 65_534);
    replaceFile(file, 'new');
    expect(fs.statSync(file)).toMatchObject({ uid: 65_534, gid: 65_534 });
    expect(fs.statSync(file).mode & 0o7777).toBe(0o640);
  });

  test('that fails leaves what was there, and nothing else', () => {
    const dir = scratch();
    const file = path.join(dir, 'file');
    fs.writeFileSync(file, 'old');
    for (const call of ['open', 'write', 'fsync', 'rename']) {
      setProbe((moment, now) => {
        if (moment === 'before' && now === call) throw Object.assign(new Error('no'), { code: 'ENOSPC' });
      });
      try {
        expect(() => replaceFile(file, 'new', { sync: true })).toThrow(/the disk is full/);
      } finally {
        setProbe(undefined);
      }
      expect({ call, left: fs.readdirSync(dir) }).toEqual({ call, left: ['file'] });
      expect(fs.readFileSync(file, 'utf8')).toBe('old');
    }
  });
});

describe('createFile', () => {
  test('makes a file once', () => {
    const dir = scratch();
    const file = path.join(dir, 'file');
    expect([createFile(file, 'one'), createFile(file, 'two')]).toEqual([true, false]);
    expect(fs.readFileSync(file, 'utf8')).toBe('one');
    expect(fs.readdirSync(dir)).toEqual(['file']);
  });

  test('a file where a folder should be is an error with a way out', () => {
    const dir = scratch();
    fs.writeFileSync(path.join(dir, 'file'), '');
    expect(() => createFile(path.join(dir, 'file', 'below'), 'x')).toThrow(
      expect.objectContaining({ code: 'BAD_FILE', fix: expect.stringMatching(/./) }),
    );
  });
});
