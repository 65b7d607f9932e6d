import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { around } from './fault.ts';
import { createFile } from './files.ts';
import { attempt, codeOf } from './io-error.ts';
import { modeOfNewFolder } from './private-files.ts';

/**
 * A folder below one of ours, made where it is missing. Agents can write there too: a link in the place of a folder
 * would lead what we write to somewhere else, so it is refused.
 */
export function makeOwnFolder(base: string, ...names: readonly string[]): string {
  let folder = base;
  for (const name of names) {
    folder = path.join(folder, name);
    if (!isOwnFolder(folder)) makeFolder(folder);
  }
  return folder;
}

/** False: nothing has that name. Anything but a real folder there is an error. */
export function isOwnFolder(folder: string): boolean {
  const stat = attempt('look at', folder, () => fs.lstatSync(folder, { throwIfNoEntry: false }));
  if (stat === undefined || stat.isDirectory()) return stat !== undefined;
  throw new DocketError(
    'BAD_FILE',
    `${folder} is a ${stat.isSymbolicLink() ? 'link' : 'file'} where a folder of docket should be`,
    'remove it: docket did not make it',
    { path: folder },
  );
}

function makeFolder(folder: string): void {
  attempt('create the folder', folder, () =>
    around('mkdir', folder, () => {
      try {
        fs.mkdirSync(folder, modeOfNewFolder(folder));
      } catch (error) {
        // Another docket was quicker; what is there now must be a folder as well.
        if (codeOf(error) !== 'EEXIST' || !isOwnFolder(folder)) throw error;
      }
    }),
  );
}

export const ownRules = '*\n!/.gitignore\n!/config.yaml\n!/prompts/\n!/prompts/**\n';

/**
 * Keeps what is ours in `.docket` out of version control: it may hold secrets. People's settings and templates there
 * are theirs to commit. Who changes the file has a reason, so it is written once. False: there is one.
 */
export function ignoreOwn(docketFolder: string): boolean {
  return createFile(path.join(docketFolder, '.gitignore'), ownRules);
}
