import { getEventListeners } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FileWatch } from '../../src/io/watch.ts';
import { scratch } from '../support/scratch.ts';

/** Longer than a test may take: whoever waits for a poll never comes back. */
const never = 600_000;

function watching(file: string, pollMs: number): { watch: FileWatch; abort: AbortController } {
  const watch = new FileWatch(file, pollMs);
  const abort = new AbortController();
  onTestFinished(() => {
    abort.abort();
    watch.close();
  });
  return { watch, abort };
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('a watched file', () => {
  test('is changed', async () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'a');
    const { watch, abort } = watching(file, never);
    const changed = watch.changed(abort.signal);
    fs.appendFileSync(file, 'b');
    expect(await changed).toBeUndefined();
  });

  test('is replaced, again and again', async () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'a');
    const { watch, abort } = watching(file, never);
    for (let n = 0; n < 3; n += 1) {
      const changed = watch.changed(abort.signal);
      fs.writeFileSync(`${file}.new`, String(n));
      fs.renameSync(`${file}.new`, file);
      expect(await changed).toBeUndefined();
    }
  });

  test('is made', async () => {
    const file = path.join(scratch(), 'file');
    const { watch, abort } = watching(file, never);
    const changed = watch.changed(abort.signal);
    fs.writeFileSync(file, 'a');
    expect(await changed).toBeUndefined();
  });

  test('changed before anybody asked: it is not missed', async () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'a');
    const { watch, abort } = watching(file, never);
    fs.appendFileSync(file, 'b');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await watch.changed(abort.signal)).toBeUndefined();
  });

  test('has a neighbour that changes: nobody is woken', async () => {
    const dir = scratch();
    const { watch, abort } = watching(path.join(dir, 'file'), never);
    let woken = false;
    const changed = watch.changed(abort.signal).then(() => (woken = true));
    fs.writeFileSync(path.join(dir, 'other'), 'a');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(woken).toBe(false);
    abort.abort();
    await changed;
  });

  test('is in a folder that is not there: it is polled', async () => {
    const file = path.join(scratch(), 'none', 'file');
    const { watch, abort } = watching(file, 20);
    await watch.changed(abort.signal);
    expect(await watch.changed(abort.signal)).toBeUndefined();
  });

  test('is in a folder that goes away: it is polled', async () => {
    const dir = path.join(scratch(), 'folder');
    fs.mkdirSync(dir);
    const { watch, abort } = watching(path.join(dir, 'file'), 20);
    fs.rmdirSync(dir);
    await watch.changed(abort.signal);
    expect(await watch.changed(abort.signal)).toBeUndefined();
  });

  test('is no longer waited for: neither timers nor listeners are left', async () => {
    const file = path.join(scratch(), 'file');
    fs.writeFileSync(file, 'a');
    const before = timers();
    const { watch, abort } = watching(file, never);
    for (let n = 0; n < 20; n += 1) {
      const changed = watch.changed(abort.signal);
      fs.appendFileSync(file, 'b');
      await changed;
    }
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
    expect(timers()).toBe(before);
    const aborted = watch.changed(abort.signal);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(1);
    abort.abort();
    await aborted;
    await watch.changed(abort.signal);
    expect(timers()).toBe(before);
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0);
    watch.close();
    expect(process.getActiveResourcesInfo()).not.toContain('FSEvent');
  });
});
