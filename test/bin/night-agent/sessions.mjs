// Conversations: what each was told first. They are the provider's, so they lie where nobody else looks.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './clock.mjs';

const home = join(folder, 'sessions');
const fileOf = (id) => join(home, `${id}.json`);

/** The first prompt of one that goes on; undefined: there is none of that name. */
export function recall(id) {
  return /^[0-9a-f-]{36}$/.test(id ?? '') && existsSync(fileOf(id))
    ? JSON.parse(readFileSync(fileOf(id), 'utf8'))
    : undefined;
}

export function remember(id, session) {
  mkdirSync(home, { recursive: true });
  writeFileSync(fileOf(id), JSON.stringify(session));
}
