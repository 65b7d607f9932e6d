import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../src/errors.ts';
import { setProbe } from '../../../../src/io/fault.ts';
import { commands } from '../all-commands.ts';
import type { Case } from './case.ts';
import { allCases } from './cases/all.ts';
import { Place } from './place.ts';
import { faultsIn, type Told } from './standard.ts';

const documented = fs.readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
const exits = new Map<string, number>(errorCodes.map(({ code, exitCode }) => [code, exitCode]));

afterEach(() => setProbe(undefined));

describe.each(allCases.map((set) => [set.title, set] as const))('%s', (_title, { make, cases }) => {
  let place: Place;
  beforeAll(async () => {
    place = new Place();
    await make(place);
  });
  afterAll(() => place.remove());

  it.each(cases.map((one) => [one.line, one] as const))('docket %s', async (_line, one) => {
    const asJson = await tried(place, `${one.line} --json`, one);
    expect(asJson.stderr).toBe('');
    const answer = oneValue(asJson.stdout);
    expect(answer).toMatchObject({ v: 1, ok: false, error: { code: one.code } });
    const error = answer['error'] as Told;
    expect(await faultsIn(error)).toEqual([]);
    expect([asJson.code, documented]).toEqual([
      exits.get(one.code),
      expect.stringContaining(`\n## ${one.code}\n`),
    ]);
    for (const name of one.names) expect(error.message).toContain(place.filled(name));

    const asText = await tried(place, one.line, one);
    expect(asText.code).toBe(asJson.code);
    expect(`${asText.stdout}${asText.stderr}`).toContain(place.filled(one.at ?? ''));
    if (one.told) return;
    expect(asText.stdout).toBe('');
    // The same words; only what could be taken for another line is set off.
    expect(unfolded(asText.stderr)).toContain(unfolded(`error: ${error.message}`));
    expect(unfolded(asText.stderr)).toContain(unfolded(`fix: ${error.fix}`));
    expect(documented).toContain(one.shown ? blockOf(place, one, asText.stderr) : '');
  });
});

it('every command has a line that fails here', () => {
  const lines = allCases.flatMap(({ cases }) => cases.map(({ line }) => line));
  const without = commands.filter(({ name, raw }) => !raw && !lines.some((line) => isOf(line, name)));
  expect(without.map(({ name }) => name)).toEqual([]);
});

/** Only an agent at work, a dead disk or another machine brings these about; their tests are elsewhere. */
const elsewhere = ['CONFLICT', 'FENCED', 'UNSUPPORTED_FS', 'STORE_STOPPED', 'INTERNAL'];

it('every code has one, too', () => {
  const codes = new Set<string>(allCases.flatMap(({ cases }) => cases.map(({ code }) => code)));
  expect(errorCodes.filter(({ code }) => !codes.has(code)).map(({ code }) => code)).toEqual(elsewhere);
});

function isOf(line: string, command: string): boolean {
  return `${line.replace(/^--root \S+ /, '')} `.startsWith(`${command} `);
}

async function tried(place: Place, line: string, { stdin, disk }: Case) {
  if (disk !== undefined)
    setProbe((moment, _call, path) => {
      if (moment === 'before' && path.startsWith(place.root)) throw refusing(disk, path);
    });
  try {
    return await place.try(line, stdin);
  } finally {
    setProbe(undefined);
  }
}

function refusing(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: refused, write '${path}'`), { code });
}

function oneValue(text: string): Record<string, unknown> {
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(text) as Record<string, unknown>;
}

function unfolded(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** As docs/errors.md has it: in a folder that everybody could have, with names that are the same every time. */
function blockOf(place: Place, { line }: Case, stderr: string): string {
  let said = stderr.replaceAll(place.root, '/home/ann/shop');
  for (const [name, value] of place.names) said = said.replaceAll(value, `<${name}>`);
  return `$ docket ${line.replaceAll('{', '<').replaceAll('}', '>')}\n${said}`;
}
