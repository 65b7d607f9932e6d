import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { iso } from '../../io/clock.ts';
import { createFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Project } from '../../settings/project.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Command } from '../../task/command.ts';
import { isSameLink, type Link, linkText } from '../../task/link.ts';
import type { Trust } from '../../task/schema.ts';
import { withOne } from '../one-store.ts';
import { packetLayout, sayingOf } from '../packet/format/layout.ts';
import { readManifest, type Manifest } from '../packet/format/manifest.ts';
import { idFor } from '../packet/format/name.ts';
import { newManifest, type NewManifest } from '../packet/format/new-manifest.ts';
import { ownOf, withOwn } from '../packet/format/own.ts';
import { makePacketsFolder, packetsFolder, placeOfPacket } from '../packet/place.ts';
import { refused } from '../refused.ts';

export interface PartOf {
  /** Whose work it is. */
  standsFor: Link;
  /** The work tree: absolute. */
  tree: string;
  /** Absent: a person's own words. */
  trust: Trust | undefined;
  /** What is to be done, whole. */
  request: string;
  manifest: Omit<NewManifest, 'id'>;
}

/**
 * The packet that does a part of another task's work, made where it is missing. That it is a part, and how far it is
 * trusted, is in its journal from its first line on: nobody ever finds it as one that stands alone.
 */
export async function makePart(where: Project, id: string, part: PartOf): Promise<void> {
  const manifest = manifestOf(id, part);
  const folder = makeOwnFolder(makePacketsFolder(where.root, packetsFolder), id);
  for (const name of ['inputs', 'outputs', 'state', 'done']) makeOwnFolder(folder, name);
  makeOwnFolder(folder, 'inputs', 'attachments');
  const place = placeOfPacket(where.root, id);
  await withOne(where, place, packetLayout, async (store) => {
    const task = await store.get(idFor(id));
    if (task && !isSameLink(task.standsFor, part.standsFor)) throw notOurs(id, part.standsFor);
    const { tree, trust, standsFor } = part;
    const isSame = task && ownOf(task).tree === tree && JSON.stringify(task.trust) === JSON.stringify(trust);
    if (isSame) return;
    const about = { id: idFor(id), by: 'docket' };
    const noted = withOwn(task?.extras ?? {}, { tree });
    const trusted = trust && { trust };
    const { extras, ...saying } = sayingOf(manifest);
    const command: Command = task
      ? { type: 'edit', ...about, set: { extras: noted, ...trusted } }
      : { type: 'create', ...about, ...saying, extras: { ...extras, ...noted }, standsFor, ...trusted };
    const done = await executeTogether(store, about.id, [command], iso(where.clock));
    if (!done.ok) throw refused(done.refusal, id);
  });
  // After the journal: a request alone would look like somebody's half-made packet.
  createFile(path.join(folder, 'inputs', 'user_request.md'), `${part.request.trimEnd()}\n`, { sync: true });
}

function manifestOf(id: string, { manifest, standsFor }: PartOf): Manifest {
  const read = readManifest(newManifest({ id, ...manifest }));
  if ('manifest' in read) return read.manifest;
  const said = read.wrongs.map(({ message }) => message).join('; ');
  throw new DocketError(
    'INVALID',
    `the packet of ${linkText(standsFor)} cannot be made: ${said}`,
    read.wrongs[0]?.fix ?? '',
    {
      id,
    },
  );
}

function notOurs(id: string, link: Link): DocketError {
  return new DocketError(
    'REFUSED',
    `there is a packet ${id} already, and it is not that of ${linkText(link)}`,
    fix`archive it: ${command`packet archive ${id} --force`}`,
    { id },
  );
}
