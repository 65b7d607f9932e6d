import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { codeOf } from './io-error.ts';

/**
 * The real place of a path below `root`, or an error: nothing outside is ever touched, be it by `..`, by an absolute
 * path or through a link that lies on the way.
 */
export function placeInside(root: string, name: string): string {
  const base = fs.realpathSync(root);
  const place = realPlace(path.resolve(base, name));
  const inside = path.relative(base, place);
  if (inside !== '' && inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
    return place;
  throw new DocketError('REFUSED', `${name} is not inside the work tree`, 'name a file below it', {
    path: name,
    root,
  });
}

/** Where writing to this path would end up: links are followed, also the one that leads to nothing yet. */
function realPlace(file: string, links = 0): string {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const parent = realPlace(path.dirname(file), links);
  const name = path.join(parent, path.basename(file));
  if (!fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) return name;
  if (links >= 40)
    throw new DocketError('REFUSED', `${file} is a circle of links`, 'remove the links', { path: file });
  return realPlace(path.resolve(parent, fs.readlinkSync(name)), links + 1);
}
