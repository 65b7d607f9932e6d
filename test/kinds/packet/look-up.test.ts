import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withOne, type Where } from '../../../src/app/one-store.ts';
import { packetLayout } from '../../../src/kinds/packet/format/layout.ts';
import { manifestFile } from '../../../src/kinds/packet/format/name.ts';
import { lookUp } from '../../../src/kinds/packet/look-up.ts';
import { makePacket } from '../../../src/kinds/packet/make.ts';
import { placeOfPacket } from '../../../src/kinds/packet/place.ts';
import { readPacket } from '../../../src/kinds/packet/read.ts';
import { readQuietStore } from '../../../src/store/file/quiet-reader.ts';
import { scratch } from '../../support/scratch.ts';

const clock = { now: () => Date.parse('2026-03-01T00:00:00Z') };

/** A packet with dots in its name, which its task's id has not. */
async function opened(): Promise<{ where: Where; manifest: string; isQuiet: () => Promise<boolean> }> {
  const root = fs.realpathSync(scratch());
  const where: Where = { root, env: {}, clock, warn: () => undefined };
  await makePacket(where, {
    id: 'a.b',
    goal: 'Say it',
    intent: 'safe_impl',
    allow: [],
    deny: [],
    commands: [],
    criteria: [],
  });
  const place = placeOfPacket(root, 'a.b');
  await withOne(where, place, packetLayout, async () => undefined);
  const store = { root: place.dir, dir: place.own, mirror: manifestFile, clock };
  const isQuiet = async () => (await readQuietStore(store)) !== undefined;
  return { where, manifest: path.join(place.dir, manifestFile), isQuiet };
}

it('finds what the store has of a packet, without its layout', async () => {
  const { where, isQuiet } = await opened();
  expect(await isQuiet()).toBe(true);
  expect(await lookUp(where, 'a.b')).toEqual(readPacket(where, 'a.b').task);
});

it('finds what people have edited since, and what is in no store yet', async () => {
  const { where, manifest, isQuiet } = await opened();
  fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace('Say it', 'Sing it'));
  expect(await isQuiet()).toBe(false);
  expect((await lookUp(where, 'a.b')).title).toBe('Sing it');
  await makePacket(where, {
    id: 'new',
    goal: 'Wait',
    intent: 'safe_impl',
    allow: [],
    deny: [],
    commands: [],
    criteria: [],
  });
  expect(await lookUp(where, 'new')).toMatchObject({ title: 'Wait', status: 'queued' });
});

it('says what is wrong, and that there is none', async () => {
  const { where, manifest } = await opened();
  fs.writeFileSync(manifest, 'goal: [');
  await expect(lookUp(where, 'a.b')).resolves.toEqual(readPacket(where, 'a.b').task);
  await expect(lookUp(where, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(lookUp(where, '../x')).rejects.toMatchObject({ code: 'INVALID' });
});
