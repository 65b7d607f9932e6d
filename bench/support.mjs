// What every figure needs: a place for data, rounds, and numbers that people can read.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** On the repository's disk, because the usual temp folder is often kept in memory, where a flush costs nothing. */
export function makeDataFolder() {
  const parent = path.join(repository, 'node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'docket-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  return folder;
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures base and subject by turns, so that whatever else the machine does meets both, and compares within a
 * round. One more round comes first and does not count: it warms the caches and the compiler.
 */
export async function compare(rounds, base, subject) {
  const ratios = [];
  const bases = [];
  const subjects = [];
  for (let round = -1; round < rounds; round += 1) {
    const one = await base();
    const other = await subject();
    if (round < 0) continue;
    bases.push(one);
    subjects.push(other);
    ratios.push(other / one);
  }
  return {
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    base: median(bases),
    subject: median(subjects),
  };
}

export async function millis(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function number(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export const perSecond = (value) => `${number(value)}/s`;
export const ms = (value) => `${number(value)} ms`;
export const mebibytes = (bytes) => `${number(bytes / 2 ** 20)} MiB`;
