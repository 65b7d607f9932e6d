import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { adoptProcess, hasBegun } from '../../../src/io/process/adopt.ts';
import { findMarked } from '../../../src/io/process/family.ts';
import type { AgentProcess, ProcessSpec } from '../../../src/io/process/process.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { recordedCode, recordedPid } from '../../../src/io/process/supervisor.ts';
import { tempFolderOf } from '../../../src/io/process/temp-folder.ts';
import { start } from '../../support/child.ts';
import { endProcess } from '../../support/project.ts';
import { scratch } from '../../support/scratch.ts';
import { agent, all, leftovers, nothing, run, shell } from './support.ts';

/** Says "up", works until there is a file named "go", says how far it came and ends with 5. */
const worker = `echo up; n=0; while [ ! -e go ]; do n=$((n+1)); echo "$n"; sleep 0.01; done; echo "came to $n"; exit 5`;

/** A docket starts these agents and is killed while they work, or after they have ended. */
async function killedWith(specs: readonly ProcessSpec[]): Promise<void> {
  const wanted = JSON.stringify(specs.map(({ argv, dir, mark }) => ({ argv, dir, mark })));
  const docket = start(process.execPath, [agent('docket.mjs'), wanted]);
  await once(docket.stdout!, 'data');
  docket.kill('SIGKILL');
  await once(docket, 'exit');
}

function adopted(spec: ProcessSpec): AgentProcess {
  const child = adoptProcess({ dir: spec.dir, mark: spec.mark, graceMs: 200 });
  if (!child) throw new Error('nothing was found');
  expect(child.adopted).toBe(true);
  return child;
}

const go = (spec: ProcessSpec) => fs.writeFileSync(path.join(spec.dir, 'go'), '');

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** All it has counted, without a gap, and the last word. */
async function expectWhole(child: AgentProcess): Promise<void> {
  const texts = (await all(child)).map(({ text }) => text);
  const count = texts.length - 2;
  expect(texts).toEqual([
    'up',
    ...Array.from({ length: count }, (_, n) => String(n + 1)),
    `came to ${count}`,
  ]);
}

describe('after docket was killed', () => {
  test('ten agents: those that ended are read, those that run are followed', async () => {
    const done = Array.from({ length: 5 }, (_, n) =>
      shell(`cat; echo "result ${n}"; echo why >&2; exit ${n}`),
    );
    const working = Array.from({ length: 5 }, () => shell(worker));
    await killedWith([...done, ...working]);
    for (const [n, spec] of done.entries()) {
      await until(() => recordedCode(spec.dir) !== undefined);
      const child = adopted(spec);
      expect(await child.exited).toEqual({ code: n });
      expect((await all(child)).map(({ text }) => text)).toEqual(['prompt', `result ${n}`]);
      expect(child.stderrTail()).toBe('why\n');
    }
    const followed = working.map(adopted);
    for (const [n, child] of followed.entries()) {
      const whole = expectWhole(child);
      go(working[n]!);
      await whole;
      expect(await child.exited).toEqual({ code: 5 });
    }
    for (const { mark } of [...done, ...working]) expect(leftovers(mark)).toEqual(nothing);
  });

  test('one that ended while nobody was there', async () => {
    const spec = shell(worker);
    await killedWith([spec]);
    go(spec);
    await until(() => findMarked(spec.mark).length === 0);
    const child = adopted(spec);
    expect(await child.exited).toEqual({ code: 5 });
    await expectWhole(child);
    expect(child.lastOutput()).toBeLessThan(performance.now());
    expect(leftovers(spec.mark)).toEqual(nothing);
    // And again: nothing of it is used up.
    expect(await adopted(spec).exited).toEqual({ code: 5 });
    expect(await adopted(spec).stop('canceled')).toEqual({ code: 5 });
  });

  test('one that runs can be stopped, with what it left behind', async () => {
    const spec = shell(`trap '' TERM; setsid sleep 100 & ${worker}`);
    await killedWith([spec]);
    const child = adopted(spec);
    expect(await child.stop('shutdown')).toEqual({ code: 137, stopped: 'shutdown' });
    expect(recordedCode(spec.dir)).toBe(137);
    expect(leftovers(spec.mark)).toEqual(nothing);
    await expect(child.send('x')).rejects.toMatchObject({ code: 'IO' });
  });

  test('one whose supervisor was killed too: followed, and its code is unknown', async () => {
    const spec = shell(`setsid sleep 100 & ${worker}`);
    await killedWith([spec]);
    process.kill(recordedPid(spec.dir)!, 'SIGKILL');
    const child = adopted(spec);
    const whole = expectWhole(child);
    go(spec);
    await whole;
    expect(await child.exited).toEqual({});
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('one that was killed with all its kin: read as far as it came', async () => {
    const spec = shell(worker);
    await killedWith([spec]);
    for (const pid of findMarked(spec.mark)) endProcess(pid); // some go with the first of them
    const child = adopted(spec);
    expect(await child.exited).toEqual({});
    expect((await all(child))[0]).toEqual({ text: 'up' });
  });

  test('one that left a process behind: it goes', async () => {
    const spec = shell('setsid sleep 100 & echo up');
    await killedWith([spec]);
    await until(() => recordedCode(spec.dir) !== undefined);
    expect(await adopted(spec).exited).toEqual({ code: 0 });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });
});

describe('nothing to adopt', () => {
  test('an empty folder, or one where the start was only intended', async () => {
    const spec = shell('echo up');
    expect(adoptProcess(spec)).toBeUndefined();
    fs.writeFileSync(path.join(spec.dir, 'start.json'), '{');
    fs.writeFileSync(path.join(spec.dir, 'events.jsonl'), 'old');
    expect(adoptProcess(spec)).toBeUndefined();
    // So it can be started there.
    expect((await run(spec)).texts).toEqual(['up']);
  });

  test('a process of somebody else that has the recorded number by now', async () => {
    const other = shell('echo up; exec sleep 100');
    const neighbour = await startProcess(other);
    const spec = shell('true');
    fs.writeFileSync(path.join(spec.dir, 'pid'), `${recordedPid(other.dir) ?? process.pid}\n`);
    fs.writeFileSync(path.join(spec.dir, 'events.jsonl'), '');
    const child = adopted(spec);
    expect(await child.stop('canceled')).toEqual({});
    expect(findMarked(other.mark)).not.toEqual([]);
    await neighbour.stop('canceled');
  });

  test('a record that names another folder to clear away', async () => {
    const precious = scratch();
    const spec = shell('true');
    await run(spec);
    fs.writeFileSync(path.join(spec.dir, 'start.json'), JSON.stringify({ tempFolder: precious }));
    await adopted(spec).exited;
    expect(fs.existsSync(precious)).toBe(true);
    const link = tempFolderOf(spec.mark);
    fs.symlinkSync(precious, link);
    fs.writeFileSync(path.join(precious, 'file'), '');
    fs.writeFileSync(path.join(spec.dir, 'start.json'), JSON.stringify({ tempFolder: link }));
    await adopted(spec).exited;
    expect(fs.existsSync(path.join(precious, 'file'))).toBe(true);
  });
});

describe('an attempt of which nothing is found', () => {
  test('cannot begin any more, however late its supervisor comes', async () => {
    const spec = shell('echo began > began');
    expect([hasBegun(spec), hasBegun(spec)]).toEqual([false, false]);
    const { exit } = await run(spec);
    expect(exit.code).toBe(125);
    expect(fs.existsSync(path.join(spec.cwd, 'began'))).toBe(false);
  });

  test('unless it has begun', async () => {
    const spec = shell('exit 3');
    await run(spec);
    expect(hasBegun(spec)).toBe(true);
  });
});
