// What every call was and came to, one JSON line each, where no docket looks: `call` when it comes, `end` when it is over.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, now } from './clock.mjs';

const file = join(folder, 'diary.jsonl');

/** One write each: lines of agents that run at once do not mix. */
export function note(entry) {
  const line = { at: new Date(now()).toISOString(), mark: process.env.DOCKET_MARK, ...entry };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function entries() {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
