import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withOne } from '../../../src/kinds/one-store.ts';
import { packetLayout } from '../../../src/kinds/packet/format/layout.ts';
import { manifestFile } from '../../../src/kinds/packet/format/name.ts';
import { makePacket } from '../../../src/kinds/packet/make.ts';
import { placeOfPacket } from '../../../src/kinds/packet/place.ts';
import { readPacket } from '../../../src/kinds/packet/read.ts';
import type { Project } from '../../../src/settings/project.ts';
import type { Task } from '../../../src/task/schema.ts';
import { readNow, scratch } from '../../support/scratch.ts';

const clock = { now: () => Date.parse('2026-03-01T00:00:00Z') };

/** A packet with dots in its name, which its task's id has not. */
async function opened(): Promise<{ where: Project; manifest: string; whole: () => Task | undefined }> {
  const root = fs.realpathSync(scratch());
  const where: Project = { root, env: {}, clock, warn: () => undefined };
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
  const store = { root: place.dir, dir: place.own, layout: packetLayout, clock };
  return { where, manifest: path.join(place.dir, manifestFile), whole: () => readNow(store).tasks[0] };
}

it('finds what the store has of a packet, without its layout', async () => {
  const { where, whole } = await opened();
  expect(await readPacket(where, 'a.b')).toEqual({ task: whole(), findings: [], fromFile: false });
});

it('finds what people have edited since, and what is in no store yet', async () => {
  const { where, manifest } = await opened();
  fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace('Say it', 'Sing it'));
  expect(await readPacket(where, 'a.b')).toMatchObject({ task: { title: 'Sing it' }, fromFile: true });
  await makePacket(where, {
    id: 'new',
    goal: 'Wait',
    intent: 'safe_impl',
    allow: [],
    deny: [],
    commands: [],
    criteria: [],
  });
  expect((await readPacket(where, 'new')).task).toMatchObject({ title: 'Wait', status: 'queued' });
});

it('says what is wrong, and that there is none', async () => {
  const { where, manifest, whole } = await opened();
  fs.writeFileSync(manifest, 'goal: [');
  expect((await readPacket(where, 'a.b')).task).toEqual(whole());
  await expect(readPacket(where, 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(readPacket(where, '../x')).rejects.toMatchObject({ code: 'INVALID' });
});
