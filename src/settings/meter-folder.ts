import path from 'node:path';
import { stateFolder } from '../io/own-places.ts';

/** Where the user's account book is. Apart from what writes it, so that a look at it loads nothing else. */
export function meterFolder({
  root,
  env,
}: {
  root: string;
  env: Readonly<Record<string, string | undefined>>;
}): string {
  return path.join(stateFolder(env) ?? path.join(root, '.docket'), 'meter');
}
