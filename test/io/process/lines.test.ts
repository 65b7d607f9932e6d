import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from '../../../src/io/process/lines.ts';
import type { Line } from '../../../src/io/process/process.ts';
import { startProcess } from '../../../src/io/process/start.ts';
import { ended, start } from '../../support/child.ts';
import { agent, all, attempt, leftovers, node, nothing, rounds, run, shell } from './support.ts';

function split(pieces: readonly Uint8Array[], maxBytes = 1000): Line[] {
  const splitter = new LineSplitter(maxBytes);
  const lines = pieces.flatMap((piece) => [...splitter.push(Buffer.from(piece))]);
  return [...lines, ...splitter.end()];
}

/** What the splitter must come to, the simple way. */
function wholeLines(bytes: Buffer): Line[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines.map((line) => ({ text: (line.at(-1) === 13 ? line.subarray(0, -1) : line).toString('utf8') }));
}

describe('lines from pieces', () => {
  test('are the same wherever the pieces begin', () => {
    const some = fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '\r', '日', '🙂', '\0', 'a').map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), fc.array(fc.nat(200)), (parts, cuts) => {
        const bytes = Buffer.concat(parts);
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = borders.map((at, n) => bytes.subarray(at, borders[n + 1] ?? bytes.length));
        expect(split(pieces)).toEqual(wholeLines(bytes));
      }),
    );
  });

  test('that are too long are cut at a whole character, and the next one is whole', () => {
    const text = 'ä'.repeat(600);
    for (const size of [1, 7, 999, 1000, 1001, 5000]) {
      const bytes = Buffer.from(`${text}\nnext\n${'x'.repeat(1000)}\n`);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(split(pieces, 1000)).toEqual([
        { text: 'ä'.repeat(500), cut: 1200 },
        { text: 'next' },
        { text: 'x'.repeat(1000) },
      ]);
    }
    expect(split([Buffer.from('🙂🙂')], 6)).toEqual([{ text: '🙂', cut: 8 }]);
  });
});

describe('lines of a process', () => {
  test('broken characters, NUL bytes, every kind of end of line', async () => {
    const { lines } = await run(node('flood.mjs', ['bytes']));
    expect(lines).toEqual(
      ['日本語 🙂', 'a��b�', '\0c\0', '', '', 'no newline at the end'].map((text) => ({ text })),
    );
  });

  test('can be read again, by two at once, and after the end', async () => {
    const child = await startProcess(shell('for n in 1 2 3; do echo $n; sleep 0.02; done'));
    const texts = (await Promise.all([all(child), all(child)])).map((lines) => lines.map(({ text }) => text));
    expect(texts).toEqual([
      ['1', '2', '3'],
      ['1', '2', '3'],
    ]);
    expect((await all(child)).length).toBe(3);
  });

  test('the end of stderr, and when it last said something', async () => {
    const before = performance.now();
    const child = await startProcess(shell('head -c 200000 /dev/zero | tr "\\0" x >&2; echo " ü end" >&2'));
    await child.exited;
    expect(child.stderrTail()).toMatch(/^x+ ü end\n$/);
    expect(child.stderrTail()).toHaveLength(64 * 1024 - 1);
    expect(child.lastOutput()).toBeGreaterThan(before);
    expect(child.lastOutput()).toBeLessThanOrEqual(performance.now());
  });

  test('an agent that empties its own output: all that it said, in its order', async () => {
    const script = `for n in 1 2 3 4 5; do echo "before $n"; read -r go; echo "after $n" > /dev/stdout; echo "last of $n"; read -r go; done`;
    const child = await startProcess(shell(script, { stdin: 'open' }));
    const heard: string[] = [];
    for await (const { text } of child.lines()) {
      heard.push(text);
      if (!text.startsWith('after')) await child.send('go\n').catch(() => undefined); // it may be at its end
    }
    expect(heard).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`before ${n}`, `after ${n}`, `last of ${n}`]));
  });

  test('a log that the agent replaced by something else is an error, not a trap', async () => {
    const spec = shell('rm events.jsonl; mkfifo events.jsonl; echo x');
    const child = await startProcess(spec);
    await child.exited;
    await expect(all(child)).rejects.toMatchObject({ code: 'BAD_FILE' });
  });
});

describe('very many short lines', () => {
  /** Busy, so that a turn of the event loop is due after a few lines, however fast the machine is. */
  const work = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };

  test('leave the event loop its turn while one piece of output is read', async () => {
    const child = await startProcess(shell('yes "" | head -n 640'));
    await child.exited;
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    try {
      for await (const _ of child.lines()) work(1);
    } finally {
      clearInterval(timer);
    }
    // 640 lines at 1 ms each came in one piece: without a turn in between, no timer would have fired.
    expect(turns).toBeGreaterThan(20);
  });

  test('end an agent that writes on and on', async () => {
    const spec = shell('yes ""', { maxOutputLines: 1000 });
    const child = await startProcess(spec);
    await expect(all(child)).rejects.toMatchObject({ code: 'REFUSED', data: { problem: 'output' } });
    expect(await child.exited).toMatchObject({ stopped: 'output' });
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('are not taken for all of the output when the agent has ended before', async () => {
    const child = await startProcess(shell('yes "" | head -n 2000', { maxOutputLines: 1000 }));
    await child.exited;
    await expect(all(child)).rejects.toThrow('the agent wrote more than 1,000 lines');
  });
});

interface Said {
  lines: number;
  inOrder: boolean;
  longest: number;
  cuts: number[];
  last: string;
  begin: string;
  exit: unknown;
  grownMb: number;
  cpuMs: number;
}

/** Read in a process that does nothing else, so that its memory says something. */
async function readBy(args: readonly string[]): Promise<{ said: Said; bytes: number }> {
  const { dir, mark } = attempt([]);
  const argv = [agent('reader.mjs'), dir, mark, process.execPath, agent('flood.mjs'), ...args];
  const { out } = await ended(start(process.execPath, argv));
  const said = JSON.parse(out) as Said;
  console.log(`flood ${args.join(' ')}: memory grew by ${said.grownMb} MB, cpu ${said.cpuMs} ms`);
  return { said, bytes: fs.statSync(path.join(dir, 'events.jsonl')).size };
}

describe('memory stays bounded and nothing is lost', { timeout: 120_000 }, () => {
  test('a line of many megabytes', async () => {
    const megabytes = rounds > 0 ? 300 : 30;
    const { said, bytes } = await readBy(['line', String(megabytes)]);
    const length = megabytes * 1024 ** 2 + 13;
    expect(said).toMatchObject({ exit: { code: 0 }, lines: 2, last: 'behind it', cuts: [length] });
    expect(said.begin).toBe('{"begins":"äääääääää…ää');
    expect(said.longest).toBeLessThanOrEqual(64 * 1024);
    expect(bytes).toBe(length + 11);
    expect(said.grownMb).toBeLessThan(100);
  });

  test('10,000 lines per second', async () => {
    const seconds = rounds > 0 ? 10 : 1;
    const { said } = await readBy(['fast', String(seconds)]);
    expect(said).toMatchObject({ exit: { code: 0 }, lines: seconds * 10_000, inOrder: true });
    expect(said.grownMb).toBeLessThan(100);
  });
});
