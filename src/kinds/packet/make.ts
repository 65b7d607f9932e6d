import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { createFile, listDir } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { makeMasker } from '../../render/masker.ts';
import { knownSecrets } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig } from '../../settings/read-config.ts';
import type { NewPacket, Packet } from './api.ts';
import { readManifest } from './format/manifest.ts';
import { newManifest } from './format/new-manifest.ts';
import { assertNoSecrets } from './manifest-findings.ts';
import { archiveFolder, makePacketsFolder, packetsFolder, placeOfPacket } from './place.ts';
import { readPacket, viewOf } from './read.ts';
import { assertIntent, withPlanned } from './settings.ts';

/** Makes the folder, its manifest and the request. Nothing of another packet is ever touched. */
export async function makePacket(where: Project, input: NewPacket): Promise<Packet> {
  const { goal, intent } = input;
  if (goal.trim() === '') throw new DocketError('INVALID', 'the packet has no goal', 'give --goal');
  assertIntent(intent, where);
  const id = input.id ?? nextId(where);
  const place = placeOfPacket(where.root, id);
  if (isDirectory(place.dir))
    throw new DocketError('REFUSED', `there is a packet ${id} already`, 'choose another --id', { id });
  const { allow, deny, commands, criteria } = input;
  const text = newManifest({ id, goal, intent, allow, deny, commands, criteria });
  assertGood(text);
  const request = await withoutSecrets(where, text, input.request ?? goal);
  const folder = makeOwnFolder(makePacketsFolder(where.root, packetsFolder), id);
  for (const name of ['inputs', 'outputs', 'state', 'done']) makeOwnFolder(folder, name);
  makeOwnFolder(folder, 'inputs', 'attachments');
  createFile(`${folder}/inputs/user_request.md`, `${request.trimEnd()}\n`, { sync: true });
  createFile(`${folder}/manifest.yaml`, text, { sync: true });
  return withPlanned(viewOf((await readPacket(where, id)).task), where);
}

/** The request with its secrets masked. The manifest is run as it is: one that holds some is refused. */
async function withoutSecrets(where: Project, manifest: string, request: string): Promise<string> {
  const secrets = knownSecrets(where, await readConfig(where.root, where.env));
  await assertNoSecrets('the new manifest.yaml', manifest, secrets);
  return makeMasker(secrets).text(request);
}

/** Before anything is written: half a packet would only be in the way. */
function assertGood(manifest: string): void {
  const read = readManifest(manifest);
  if (!('wrongs' in read)) return;
  const said = read.wrongs.map(({ message }) => message).join('; ');
  throw new DocketError('INVALID', said, read.wrongs[0]?.fix ?? '', { wrongs: read.wrongs });
}

/** The day, and the next number of it; what was put away keeps its own. */
function nextId({ root, clock }: Project): string {
  const day = iso(clock).slice(0, 10).replaceAll('-', '');
  const taken = [packetsFolder, archiveFolder].flatMap((folder) => listDir(`${root}/${folder}`));
  const numbers = taken.flatMap((name) => (name.startsWith(`${day}-`) ? [Number(name.slice(9))] : []));
  const last = Math.max(0, ...numbers.filter((number) => Number.isSafeInteger(number)));
  return `${day}-${String(last + 1).padStart(3, '0')}`;
}
