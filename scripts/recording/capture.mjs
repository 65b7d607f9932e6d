// Runs a command line in a pseudo-terminal and writes down what it printed, and when. By `script` of util-linux.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns {{ at: number, text: string }[]} in seconds since the first output */
export function capture(line, { columns, rows, env, cwd }) {
  const folder = mkdtempSync(join(tmpdir(), 'docket-recording-'));
  const [log, timing] = ['log', 'timing'].map((name) => join(folder, name));
  try {
    const options = ['--quiet', '--return', '--flush', '--log-out', log, '--log-timing', timing];
    const inside = `stty cols ${columns} rows ${rows} -echo; ${line}`;
    const { status, error } = spawnSync('script', [...options, '--command', inside], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (error) throw new Error(`a recording needs \`script\` of util-linux: ${error.message}`);
    const bytes = withoutHeader(readFileSync(log));
    if (status !== 0)
      throw new Error(`${line} ended with ${status}:\n${bytes.toString('utf8').slice(-2000)}`);
    return timed(bytes, readFileSync(timing, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `script` writes a line of its own before the session, and one behind it, which the timing does not count. */
function withoutHeader(bytes) {
  return bytes.subarray(bytes.indexOf(0x0a) + 1);
}

/** The timing has a line for each piece: seconds since the one before, and its bytes. */
function timed(bytes, timing) {
  const decoder = new TextDecoder();
  let at = 0;
  let from = 0;
  return timing
    .trim()
    .split('\n')
    .map((entry) => {
      const [wait, length] = entry.split(' ').map(Number);
      at += wait;
      const text = decoder.decode(bytes.subarray(from, (from += length)), { stream: true });
      return { at, text };
    });
}
