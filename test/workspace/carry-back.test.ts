import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setProbe } from '../../src/io/fault.ts';
import { carryBack, stepFor } from '../../src/workspace/carry-back.ts';
import { changedSince, type Version } from '../../src/workspace/changes.ts';
import { copyOf, refreshCopy } from '../../src/workspace/work-copy.ts';
import { TestRepository } from '../support/repository.ts';
import { scratch, treeOf } from '../support/scratch.ts';

const gone: Version = { mode: '000000', id: '' };
const file = (id: string, mode = '100644'): Version => ({ mode, id });

describe('a file that an agent changed', () => {
  it.each([
    ['changed', file('a'), file('b'), file('a'), 'write'],
    ['new', gone, file('b'), gone, 'write'],
    ['deleted', file('a'), gone, file('a'), 'write'],
    ['made a program', file('a'), file('a', '100755'), file('a'), 'write'],
    ['there already', file('a'), file('b'), file('b'), 'done'],
    ['gone already', file('a'), gone, gone, 'done'],
    ['as it was', file('a'), file('a'), file('x'), 'done'],
    ['changed by a person too', file('a'), file('b'), file('x'), 'conflict'],
    ['deleted by a person', file('a'), file('b'), gone, 'conflict'],
    ['made by a person too', gone, file('b'), file('x'), 'conflict'],
    ['deleted, and changed by a person', file('a'), gone, file('x'), 'conflict'],
    ['changed, and made a program by a person', file('a'), file('b'), file('a', '100755'), 'conflict'],
    ['in the place of a folder that a person made', gone, file('b'), { mode: 'other', id: '' }, 'conflict'],
  ] as const)('%s', (_, before, now, current, step) => {
    expect(stepFor({ before, now }, current)).toBe(step);
  });
});

/** People's tree, a copy of it, and a way from one to the other. */
class Pair {
  readonly people = new TestRepository({
    'a.txt': 'a\n',
    'deep/er/b.txt': 'b\n',
    name: 'a file\n',
    'folder/inner': 'inner\n',
    'tool.sh': 'echo\n',
  });
  readonly dir = scratch();

  async begin(): Promise<void> {
    const copy = await copyOf(this.people, {
      root: path.join(this.dir, 'work'),
      home: path.join(this.dir, 'copy'),
    });
    if (!copy) throw new Error('no copy');
    const { before } = await refreshCopy(this.people, copy);
    this.changes = async () => (await changedSince(copy, before)).changes;
  }

  changes: () => Promise<Awaited<ReturnType<typeof changedSince>>['changes']> = async () => [];

  write(name: string, text: string): void {
    const at = path.join(this.dir, 'work', name);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  }

  remove(name: string): void {
    fs.rmSync(path.join(this.dir, 'work', name), { recursive: true });
  }

  async carry() {
    const at = { from: path.join(this.dir, 'work'), to: this.people.root, format: 'sha1' };
    const own = { journal: path.join(this.dir, 'journal.jsonl'), scratch: path.join(this.dir, 'half') };
    return carryBack(await this.changes(), { ...at, ...own });
  }

  files(): Record<string, string> {
    return filesOf(this.people.root);
  }

  /** Of every kind that there is. */
  work(): void {
    this.write('a.txt', 'better\n');
    this.write('new/deep.txt', 'new\n');
    this.remove('deep');
    this.remove('name');
    this.write('name/is a folder', 'x\n');
    this.remove('folder');
    this.write('folder', 'is a file\n');
    fs.chmodSync(path.join(this.dir, 'work', 'tool.sh'), 0o755);
    fs.symlinkSync('a.txt', path.join(this.dir, 'work', 'link'));
  }
}

describe("what an agent changed in its copy comes into people's tree", () => {
  it('with all kinds of changes, and without a trace of docket', async () => {
    const pair = new Pair();
    await pair.begin();
    pair.work();
    expect((await pair.carry()).conflicts).toEqual([]);
    expect(pair.people.git('status', '--porcelain', '--untracked-files=all').split('\n')).toEqual([
      ' M a.txt',
      ' D deep/er/b.txt',
      ' D folder/inner',
      ' D name',
      ' M tool.sh',
      '?? folder',
      '?? link',
      '?? "name/is a folder"',
      '?? new/deep.txt',
      '',
    ]);
    expect(fs.existsSync(pair.people.place('deep'))).toBe(false);
    expect(fs.statSync(pair.people.place('tool.sh')).mode & 0o111).not.toBe(0);
    expect(fs.readlinkSync(pair.people.place('link'))).toBe('a.txt');
    expect(await pair.changes()).not.toEqual([]);
  });

  it('all of it or nothing, where a person changed one of the files; and then it stays as they left it', async () => {
    const pair = new Pair();
    await pair.begin();
    pair.work();
    pair.people.write('a.txt', 'mine\n');
    const before = pair.files();
    expect((await pair.carry()).conflicts).toEqual(['a.txt']);
    expect(pair.files()).toEqual(before);
    pair.people.write('a.txt', 'both\n');
    expect((await pair.carry()).conflicts).toEqual([]);
    expect([pair.people.read('a.txt'), pair.people.read('new/deep.txt')]).toEqual(['both\n', 'new\n']);
  });

  it('once: what people do to it afterwards is theirs, and a later try is measured from there', async () => {
    const pair = new Pair();
    await pair.begin();
    pair.write('a.txt', 'first\n');
    pair.write('new.txt', 'new\n');
    await pair.carry();
    pair.people.write('new.txt', 'mine\n');
    pair.write('a.txt', 'second\n');
    expect((await pair.carry()).conflicts).toEqual([]);
    expect([pair.people.read('a.txt'), pair.people.read('new.txt')]).toEqual(['second\n', 'mine\n']);
    pair.write('a.txt', 'a\n'); // it took its change back
    await pair.carry();
    expect(pair.people.read('a.txt')).toBe('a\n');
  });

  it('wherever it was cut off, the next time brings the rest', async () => {
    const pair = new Pair();
    await pair.begin();
    pair.work();
    const changes = await pair.changes();
    onTestFinished(() => setProbe(undefined));
    /** Another time, from the start, which dies at one of the points that it passes. */
    const carried = (point: number): { files: Record<string, string>; died: boolean } => {
      const dir = scratch();
      const [from, to] = [path.join(dir, 'work'), path.join(dir, 'people')];
      fs.cpSync(path.join(pair.dir, 'work'), from, { recursive: true, verbatimSymlinks: true });
      fs.cpSync(pair.people.root, to, { recursive: true, verbatimSymlinks: true });
      const own = { journal: path.join(dir, 'journal.jsonl'), scratch: path.join(dir, 'half') };
      const carry = () => carryBack(changes, { from, to, format: 'sha1', ...own });
      let passed = 0;
      setProbe((moment, call, place) => {
        if ((passed += 1) === point) throw new Error(`cut off ${moment} ${call} ${place}`);
      });
      let died = false;
      try {
        carry();
      } catch {
        died = true;
      }
      setProbe(undefined);
      expect([point, carry().conflicts]).toEqual([point, []]);
      return { files: filesOf(to), died };
    };
    const whole = carried(0);
    expect(whole.died).toBe(false);
    let point = 1;
    for (let last = carried(point); last.died; last = carried(point)) {
      expect([point, last.files]).toEqual([point, whole.files]);
      point += 1;
    }
    expect(point).toBeGreaterThan(20);
  });
});

/** All of people's files. */
function filesOf(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(root)).filter(([name]) => !name.startsWith('.git/')));
}
