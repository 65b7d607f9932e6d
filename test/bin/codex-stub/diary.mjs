// What every start of the stub was given, one JSON line each, and one more for its end: tests count processes by it.
import { appendFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const file = process.env.STUB_DIARY;

const write = (entry) => appendFileSync(file, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);

export function began({ thread, ...more }) {
  const title = /^# Your task: (.*)$/m.exec(thread.prompts.join('\n'))?.[1];
  write({ event: 'start', thread: thread.id, home: process.env.CODEX_HOME, title, ...more });
}

export const ended = () => write({ event: 'end' });

/** A file beside the diary, by which a test lets the stub go on. */
export async function cue(name) {
  while (!existsSync(join(dirname(file), name))) await sleep(20);
}
