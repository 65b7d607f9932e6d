import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { storeChild } from '../support/child.ts';
import { add, journalOf, lookAt, mirrorOf, openStore, scratch, storeDir } from '../support/scratch.ts';

const head = '# what we do\ntasks:\n';
const entry = (name: string) =>
  `  - name: ${name}\n    status: pending\n    content: "Do ${name} well"\n    created_at: "2026-02-01T10:00:00.000Z"\n    started_at: null\n    completed_at: null\n`;
const text = head + ['alpha', 'beta', 'gamma'].map(entry).join('');

function save(root: string, content: string | Uint8Array): void {
  fs.mkdirSync(path.dirname(mirrorOf(root)), { recursive: true });
  fs.writeFileSync(mirrorOf(root), content);
}

const bytes = (root: string): Buffer => fs.readFileSync(mirrorOf(root));
const named = (root: string): Record<string, string> =>
  Object.fromEntries(
    lookAt(root).tasks.map((task): [string, string] => [queueLayout.ref(task), task.status]),
  );
const listed = (root: string): string[] =>
  queueLayout.split(bytes(root).toString('utf8')).entries.map(({ ref }) => ref);

describe('a file in an unusual style keeps it', () => {
  test.each([
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${text}`],
    ['CRLF and a byte order mark', `\ufeff${text.replaceAll('\n', '\r\n')}`],
  ])('%s', async (_, content) => {
    const root = scratch();
    save(root, content);
    const store = await openStore(root, { settleMs: 0 });
    await add(store, 'delta');
    expect(named(root)).toEqual({ alpha: 'queued', beta: 'queued', gamma: 'queued', delta: 'queued' });
    expect(bytes(root).toString('utf8').startsWith(content)).toBe(true);
    const crlf = content.includes('\r\n');
    expect(/[^\r]\n/.test(bytes(root).toString('utf8'))).toBe(!crlf);
    await store.close();
  });
});

describe('a file that cannot be read stops nobody and is not touched', () => {
  const at = Buffer.from(text).indexOf('Do beta');
  const spoiled = (change: (content: Buffer) => void): Buffer => {
    const content = Buffer.from(text);
    change(content);
    return content;
  };
  test.each<[string, Buffer, number | undefined]>([
    ['bytes that are no UTF-8', spoiled((content) => content.fill(0xff, at, at + 1)), 11],
    ['zero bytes', spoiled((content) => content.fill(0, at, at + 7)), 11],
    ['zero bytes over two entries', spoiled((content) => content.fill(0, at, at + 200)), 11],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 1],
    ['tabs for indentation', Buffer.from(text.replaceAll('    ', '\t')), undefined],
    ['a list that is no list', Buffer.from('tasks: everything\n'), 1],
    ['another key', Buffer.from('task:\n  - name: x\n'), 1],
  ])('%s', async (_, content, line) => {
    const root = scratch();
    save(root, text);
    const store = await openStore(root, { settleMs: 0 });
    save(root, content);
    await add(store, 'delta');
    const findings = await store.doctor();
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({ severity: 'error', path: mirrorOf(root) });
      expect(finding.line).toBeGreaterThan(0);
      expect(finding.fix).not.toBe('');
    }
    expect(findings[0]?.line).toBe(line ?? findings[0]?.line);
    expect(bytes(root).equals(content)).toBe(true);
    const all = { alpha: 'queued', beta: 'queued', gamma: 'queued', delta: 'queued' };
    expect(named(root)).toEqual(all);
    save(root, text);
    expect(await store.doctor()).toEqual([]);
    expect(named(root)).toEqual(all);
    expect(listed(root)).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    await store.close();
  });

  test('a folder in its place', async () => {
    const root = scratch();
    save(root, text);
    const warnings: string[] = [];
    const store = await openStore(root, { settleMs: 0, warn: (warning) => warnings.push(warning) });
    fs.rmSync(mirrorOf(root));
    fs.mkdirSync(mirrorOf(root));
    await add(store, 'delta');
    await add(store, 'epsilon');
    expect(await store.doctor()).toEqual([expect.objectContaining({ path: mirrorOf(root) })]);
    expect(warnings).toEqual([expect.stringContaining(mirrorOf(root))]);
    fs.rmdirSync(mirrorOf(root));
    expect(await store.doctor()).toEqual([]);
    expect(listed(root)).toEqual(['alpha', 'beta', 'gamma', 'delta', 'epsilon']);
    await store.close();
  });

  test('a line of 100 MB', { timeout: 120_000 }, async () => {
    const root = scratch();
    save(root, text);
    fs.appendFileSync(mirrorOf(root), '  - name: long\n    status: pending\n    content: "');
    const piece = 'abcdefgh'.repeat(1 << 17);
    for (let n = 0; n < 100; n += 1) fs.appendFileSync(mirrorOf(root), piece);
    fs.appendFileSync(
      mirrorOf(root),
      `"\n    created_at: "2026-02-01T10:00:00.000Z"\n    started_at: null\n    completed_at: null\n${entry('delta')}`,
    );
    const { size } = fs.statSync(mirrorOf(root));
    const answers = await storeChild(root, ['add:omega', 'read']);
    expect(answers.find(({ op }) => op === 'add:omega')).toMatchObject({ ok: true });
    const read = answers.find(({ op }) => op === 'read');
    expect(read).toMatchObject({ findings: [{ path: mirrorOf(root), line: 21 }] });
    expect(read?.tasks).toHaveLength(5);
    expect(fs.statSync(mirrorOf(root)).size).toBeGreaterThan(size);
    expect(answers.at(-1)!.rssKb).toBeLessThan(1200 * 1024);
  });
});

describe('a file that was not saved to its end', () => {
  const saved = text.replace('Do beta well', 'Do beta very well') + entry('delta');
  const before = { alpha: 'queued', beta: 'queued', gamma: 'queued' };

  /** A commit waits for the rest, so not at every byte: at each line's end, and in the middle of each line. */
  const lines = saved.split('\n').slice(0, -1);
  const ends = lines.map((_, index) => lines.slice(0, index + 1).join('\n').length);
  const cuts = ends.flatMap((end, index) => [end - Math.ceil(lines[index]!.length / 2), end, end + 1]);

  test('somebody is saving it: it is looked at when they are ready', { timeout: 120_000 }, async () => {
    expect(await Promise.all(cuts.map((cut) => saveInTwoParts(cut)))).toHaveLength(cuts.length);
  });

  async function saveInTwoParts(cut: number): Promise<void> {
    const root = scratch();
    save(root, text);
    let now = Date.now() + 120_000;
    const store = await openStore(root, { settleMs: 60_000, clock: { now: () => now } });
    expect(named(root)).toEqual(before);
    const written = bytes(root).toString('utf8');
    expect(written).toBe(text);

    now = Date.now();
    const fd = fs.openSync(mirrorOf(root), 'w');
    fs.writeSync(fd, saved.slice(0, cut));
    await add(store, 'neighbour');
    const all = { ...before, neighbour: 'queued' };
    expect(
      Object.fromEntries(
        (await store.list({ removed: true })).map((task) => [queueLayout.ref(task), task.status]),
      ),
    ).toEqual(all);
    fs.writeSync(fd, saved.slice(cut));
    fs.closeSync(fd);

    now = Date.now() + 120_000;
    expect(await store.doctor()).toEqual([]);
    expect(bytes(root).toString('utf8').startsWith(saved)).toBe(true);
    expect(listed(root)).toEqual(['alpha', 'beta', 'gamma', 'delta', 'neighbour']);
    expect(named(root)).toEqual({ ...all, delta: 'queued' });
    const events = fs.readFileSync(journalOf(root), 'utf8').trimEnd().split('\n').slice(1);
    const types = events.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.toSorted()).toEqual([...Array.from({ length: 5 }, () => 'task.created'), 'task.edited']);
    await store.close();
  }

  test('nobody will ever save the rest: at every byte', { timeout: 120_000 }, async () => {
    const root = scratch();
    save(root, text);
    const warnings: string[] = [];
    const store = await openStore(root, { settleMs: 0, warn: (warning) => warnings.push(warning) });
    const believed: number[] = [];
    const behindFirst = head.length + entry('alpha').length;
    for (let cut = 0; cut < text.length; cut += 1) {
      save(root, text.slice(0, cut));
      await store.doctor();
      const gone = (await store.list({ removed: true })).filter(({ status }) => status !== 'queued');
      if (gone.length > 0) {
        believed.push(cut);
        break;
      }
      expect((await store.doctor()).filter(({ next }) => next)).toHaveLength(cut === behindFirst ? 1 : 0);
      if (cut === behindFirst) await store.answerRemovals(false, 'ann');
      save(root, text);
      expect(await store.doctor()).toEqual([]);
      expect(bytes(root).toString('utf8')).toBe(text);
    }
    // The only cut that looks like an edit: exactly behind the last entry but one, as if the last had been deleted.
    expect(believed).toEqual([behindFirst + entry('beta').length]);
    expect(warnings.length).toBeGreaterThan(0);
    const kept = fs.readdirSync(storeDir(root)).filter((name) => name.startsWith('cut-'));
    expect(kept.length).toBeGreaterThan(0);
    expect(warnings.some((warning) => warning.includes(kept[0]!))).toBe(true);
    await store.close();
  });

  test.each<[string, string, string[]]>([
    ['the first entry', head + entry('beta') + entry('gamma'), ['alpha']],
    ['the one in the middle', head + entry('alpha') + entry('gamma'), ['beta']],
    ['the last entry', head + entry('alpha') + entry('beta'), ['gamma']],
    ['all but the last', head + entry('gamma'), ['alpha', 'beta']],
  ])('but deleting %s by hand takes the work off', async (_, content, gone) => {
    const root = scratch();
    save(root, text);
    const store = await openStore(root, { settleMs: 0 });
    save(root, content);
    expect(await store.doctor()).toEqual([]);
    const canceled = Object.entries(named(root)).filter(([, status]) => status === 'canceled');
    expect(canceled.map(([name]) => name).toSorted()).toEqual(gone.toSorted());
    expect(bytes(root).toString('utf8')).toBe(content);
    await store.close();
  });

  test('blank lines that go with the last entry do not look like a cut', async () => {
    const root = scratch();
    save(root, `${head}${entry('alpha')}\n${entry('beta')}\n${entry('gamma')}`);
    const store = await openStore(root, { settleMs: 0 });
    save(root, `${head}${entry('alpha')}\n${entry('beta')}`);
    await store.doctor();
    expect(named(root)).toEqual({ alpha: 'queued', beta: 'queued', gamma: 'canceled' });
    await store.close();
  });

  test('a list without a word is not an empty list', async () => {
    const root = scratch();
    save(root, text);
    const store = await openStore(root, { settleMs: 0 });
    save(root, head);
    await store.doctor();
    expect(named(root)).toEqual(before);
    expect(bytes(root).toString('utf8')).toBe(text);
    await store.close();
  });
});
