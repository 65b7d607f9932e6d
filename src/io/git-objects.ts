import fs from 'node:fs';
import path from 'node:path';
import { around } from './fault.ts';
import { makeDir } from './files.ts';
import { codeOf, ioError } from './io-error.ts';

const mostLooks = 3;
/** What is smaller is copied before anybody else could take a turn. */
const largeBytes = 256 * 1024;

/**
 * Copies the packs of a repository to another that has none yet, as files: no file is shared, and nothing is packed anew.
 * Returns the names of the objects that are in no pack. Undefined: they cannot be had so, because some are elsewhere,
 * or because the packs change faster than they are copied.
 *
 * Somebody may repack meanwhile. Git removes an object or a pack only when a newer pack holds it, so the single objects
 * are listed first and the packs after them: what is gone by then is in one of these.
 */
export async function copyPacks(from: string, to: string): Promise<string[] | undefined> {
  if (['alternates', 'http-alternates'].some((name) => fs.existsSync(path.join(from, 'info', name))))
    return undefined;
  const single = namesIn(from)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => namesIn(path.join(from, name)).map((rest) => name + rest))
    .filter((name) => /^[0-9a-f]{40}$/.test(name));
  makeDir(path.join(to, 'pack'));
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const packs = namesIn(path.join(from, 'pack'));
    if (packs.some((name) => name.endsWith('.promisor'))) return undefined; // a part of them is on a server
    const wanted = packs.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -'.idx'.length));
    const copied = await Promise.all(wanted.map((name) => copyPack(from, to, name)));
    if (copied.every(Boolean)) return single;
  }
  return undefined;
}

/** False: it is gone, and what it held is in another. What only speeds things up is left out. */
async function copyPack(from: string, to: string, name: string): Promise<boolean> {
  for (const end of ['.pack', '.idx']) {
    const file = path.join(from, 'pack', name + end);
    const copy = path.join(to, 'pack', name + end);
    if (fs.existsSync(copy)) continue;
    try {
      if (fs.statSync(file).size < largeBytes) around('write', copy, () => fs.copyFileSync(file, copy));
      else await fs.promises.copyFile(file, copy, fs.constants.COPYFILE_FICLONE);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw ioError(error, 'copy', file);
    }
  }
  return true;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw ioError(error, 'list', folder);
  }
}
