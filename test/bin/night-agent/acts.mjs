// What an agent does with its work. `[[NAME ACT]]` in the first prompt of a conversation says which work it is and how it is
// done; the name's first letter is the layout's.
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, roleIn } from '../packet-cli/answers.mjs';
import { folder, night, now } from './clock.mjs';

const tag = /\[\[([\w-]+) ([\w-]+)\]\]/;

export function workIn(prompt) {
  const [, name = '', act = 'work'] = tag.exec(prompt) ?? [];
  return { name, act };
}

/** Returns the report, and the words of it where there is no form for that. */
export async function perform({ name, act }, prompt) {
  await sleep(100 + Math.random() * 300);
  const report = await acts[act](name, prompt);
  return typeof report === 'string' ? { text: report } : { report, text: JSON.stringify(report) };
}

const acts = {
  work: (name, prompt) => {
    if (name.startsWith('p')) return staged(name, prompt);
    write(`night/${name}.txt`, `${name}\n`);
    return success(name, [`night/${name}.txt`]);
  },
  /** Says that it made a file, and made none. */
  lies: (name) => success(name, ['night/never.txt']),
  asks: (name) => ({
    status: 'blocked',
    summary: `${name} cannot go on`,
    questions: ['Which colour should it be?'],
  }),
  /** Writes where it may not. */
  escapes: (name, prompt) => {
    if (roleIn(prompt) === 'impl') write('docs/escaped.txt', 'I was here\n');
    return staged(name, prompt);
  },
  /** Goes round and round: what it is told to mend it leaves as it is. */
  turns: (name) => {
    if (process.env.DOCKET_STEP.startsWith('review')) return 'The door is still open. [REVIEW:2]';
    if (process.env.DOCKET_STEP === 'implement') write(`night/${name}.txt`, `${name}\n`);
    return success(name, []);
  },
  /** Takes all the room there is, once, and goes on as if there were more. `filling` says since when. */
  fills(name, prompt) {
    const flag = join(folder, 'filled');
    if (!existsSync(flag)) {
      writeFileSync(join(folder, 'filling'), String(now()));
      fill(night.ballast);
      writeFileSync(flag, '');
    }
    return acts.work(name, prompt);
  },
};

function success(name, files) {
  const changes = files.map((file) => `${file}: written`);
  if (name.startsWith('b'))
    return {
      status: 'done',
      summary: `${name} is done`,
      changes,
      evidence: files.map((file) => `log of the test: ${file}`),
    };
  const evidence = files.map((ref) => ({ kind: 'file', ref }));
  return { status: 'success', summary: `${name} is done`, changes, evidence };
}

function staged(name, prompt) {
  const role = roleIn(prompt);
  if (role === 'impl') write(`src/${name}.txt`, `${name}\n`);
  return answerOf(role);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, text);
}

function fill(file) {
  const fd = openSync(file, 'w');
  const zeros = Buffer.alloc(1 << 16);
  try {
    for (let size = zeros.length; size > 0;) {
      try {
        writeSync(fd, zeros, 0, size);
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(fd);
  }
}
