import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setProbe } from '../../../src/io/fault.ts';
import type { ArchivedTask, ArchiveInput } from '../../../src/kinds/queue/files.ts';
import { queueLayout as queue } from '../../../src/kinds/queue/format/layout.ts';
import { openDocket, type Docket } from '../../../src/project/docket.ts';
import { mirrorOf, scratch } from '../../support/scratch.ts';

const clock = { now: () => Date.parse('2026-06-01T00:00:00Z') };
const head = '# mine\ntasks:\n';
const finished = (name: string, ended: string, status = 'completed', more = ''): string =>
  `  # about ${name}\n  - name: ${name}\n    status: ${status}\n    content: 'Do ${name}'  # quoted\n    created_at: "2026-01-01"\n    started_at: "2026-01-02T00:00:00Z"\n    completed_at: "${ended}T00:00:00Z"\n${more}`;
const failed = (name: string, ended: string): string =>
  finished(name, ended, 'failed', '    failure: {error: e}\n').replace('2026-01-01', '2026-01-02');
const waiting = `  - name: waits\n    status: pending\n    content: x\n    created_at: "2026-01-01"\n    started_at: null\n    completed_at: null\n`;

function project(text: string): string {
  const root = scratch();
  fs.mkdirSync(path.join(root, '.takt'));
  fs.writeFileSync(mirrorOf(root), text);
  return root;
}

async function use<T>(root: string, what: (docket: Docket) => Promise<T>): Promise<T> {
  const docket = await openDocket({ cwd: root, root, env: {}, clock });
  try {
    return await what(docket);
  } finally {
    await docket.close();
  }
}

const archive = (root: string, input: ArchiveInput = {}, dryRun = false): Promise<ArchivedTask[]> =>
  use(root, async (docket) => (await docket.queueFiles()).archive(input, dryRun));
const read = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
const archived = (root: string, month: string): string =>
  read(path.join(root, '.takt/archive', `${month}.yaml`));

describe('docket queue archive', () => {
  const text = `${head}${finished('a', '2026-03-05')}${failed('b', '2026-05-20')}${waiting}`;

  it('moves what is finished, as it is written, to the file of its month', async () => {
    const root = project(text);
    expect(await archive(root)).toMatchObject([
      { name: 'a', status: 'done', file: '.takt/archive/2026-03.yaml' },
      { name: 'b', status: 'failed', file: '.takt/archive/2026-05.yaml' },
    ]);
    expect(read(mirrorOf(root))).toBe(`${head}${waiting}`);
    expect(archived(root, '2026-03')).toBe(`tasks:\n${finished('a', '2026-03-05')}`);
    expect(archived(root, '2026-05')).toBe(`tasks:\n${failed('b', '2026-05-20')}`);
    expect(await archive(root)).toEqual([]);
    expect(archived(root, '2026-03')).toBe(`tasks:\n${finished('a', '2026-03-05')}`);
  });

  it.each<[ArchiveInput, string[]]>([
    [{ olderThanMs: 30 * 86_400_000 }, ['a']],
    [{ status: ['failed'] }, ['b']],
    [{ status: ['failed'], olderThanMs: 30 * 86_400_000 }, []],
  ])('takes only what is asked for: %j', async (input, names) => {
    const root = project(text);
    const before = read(mirrorOf(root));
    expect((await archive(root, input, true)).map(({ name }) => name)).toEqual(names);
    expect(read(mirrorOf(root))).toBe(before);
    expect(fs.existsSync(path.join(root, '.docket'))).toBe(false);
    expect((await archive(root, input)).map(({ name }) => name)).toEqual(names);
  });

  it('keeps equal names apart, and adds to a file in another style', async () => {
    const root = project(
      `${head}${finished('a', '2026-03-05')}${finished('a', '2026-03-06').replace('2026-01-01', '2026-01-09')}`,
    );
    const before = `tasks:\n    - name: a\n      created_at: old\n`;
    fs.mkdirSync(path.join(root, '.takt/archive'));
    fs.writeFileSync(path.join(root, '.takt/archive/2026-03.yaml'), before);
    expect(await archive(root)).toHaveLength(2);
    const sheet = queue.split(archived(root, '2026-03'));
    expect(archived(root, '2026-03').startsWith(before)).toBe(true);
    expect(sheet.entries.map(({ ref }) => ref)).toEqual(['a', 'a#2', 'a#3']);
  });

  it('moves nothing into a file that it cannot read, and follows no link', async () => {
    const root = project(text);
    fs.mkdirSync(path.join(root, '.takt/archive'));
    fs.writeFileSync(path.join(root, '.takt/archive/2026-03.yaml'), 'tasks: 5\n');
    await expect(archive(root)).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(read(mirrorOf(root))).toBe(text);
    fs.rmSync(path.join(root, '.takt/archive'), { recursive: true });
    const outside = scratch();
    fs.symlinkSync(outside, path.join(root, '.takt/archive'));
    await expect(archive(root)).rejects.toMatchObject({ code: 'BAD_FILE' });
    expect(fs.readdirSync(outside)).toEqual([]);
  });

  it('leaves a record that is pasted back until it says that it goes on', async () => {
    const root = project(text);
    await archive(root);
    const pasted = `${head}${finished('a', '2026-03-05')}${waiting}`;
    fs.writeFileSync(mirrorOf(root), pasted);
    fs.utimesSync(mirrorOf(root), 1, 1);
    const { findings } = await use(root, (docket) => docket.list({}));
    expect(findings).toMatchObject([{ message: expect.stringContaining('archived') }]);
    await use(root, (docket) => docket.add({ text: 'new' }));
    expect(read(mirrorOf(root))).toContain("content: 'Do a'  # quoted");
    const again = read(mirrorOf(root))
      .replace('status: completed', 'status: pending')
      .replace(/started_at: "2026-01-02.*/, 'started_at: null')
      .replace(/completed_at: "2026-03.*/, 'completed_at: null');
    fs.writeFileSync(mirrorOf(root), again);
    fs.utimesSync(mirrorOf(root), 1, 1);
    const { tasks } = await use(root, (docket) => docket.list({}));
    expect(tasks.find(({ title }) => title === 'Do a')).toMatchObject({ status: 'queued' });
  });

  it('loses no record and has none twice, wherever it dies', async () => {
    onTestFinished(() => setProbe(undefined));
    const original = project(text);
    await use(original, (docket) => docket.add({ text: 'first, so that the store is there' }));
    let died = true;
    for (let point = 1; died; point += 1) {
      const root = scratch();
      fs.cpSync(original, root, { recursive: true, preserveTimestamps: true });
      let calls = 0;
      died = false;
      setProbe(() => {
        calls += 1;
        died ||= calls >= point;
        if (died) throw new Error('dead');
      });
      await archive(root).catch(() => undefined);
      setProbe(undefined);
      await archive(root);
      const texts = [read(mirrorOf(root)), archived(root, '2026-03'), archived(root, '2026-05')];
      for (const name of ['a', 'b', 'waits'])
        expect(texts.join('').split(`- name: ${name}\n`), `${name}, dead at ${point}`).toHaveLength(2);
      expect(texts[0]).not.toContain('name: a\n');
    }
  }, 60_000);
});
