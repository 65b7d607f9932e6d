import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliJsonSchemas, undescribed } from '../../../../src/surfaces/cli/json-schemas.ts';
import { commands } from '../all-commands.ts';
import { Place } from '../errors/place.ts';
import { isGood } from './held.ts';
import { allStories } from './stories/all.ts';
import type { Line, Story } from './story.ts';
import { commandOf, told } from './told.ts';

const linesOf = ({ lines }: Story) =>
  lines.map((one): Line => (typeof one === 'string' ? { line: one } : one));

// Nearly all of docket is loaded here: on a busy machine that alone takes a while.
describe('what commands print with --json', { timeout: 120_000 }, () => {
  it.each(allStories.map((story) => [story.title, story] as const))('%s', async (_title, story) => {
    const place = new Place();
    const faults: string[] = [];
    try {
      await story.make(place);
      for (const line of linesOf(story)) faults.push(...(await told(place, line)));
    } finally {
      place.remove();
    }
    expect(faults).toEqual([]);
  });
});

it('schemas/cli is what they are held to (npm run schemas)', () => {
  const folder = new URL('../../../../schemas/cli/', import.meta.url);
  const files = fs.readdirSync(folder).map((name) => {
    return [`cli/${name}`, JSON.parse(fs.readFileSync(new URL(name, folder), 'utf8')) as unknown];
  });
  expect(Object.fromEntries(files)).toEqual(JSON.parse(JSON.stringify(cliJsonSchemas(commands))));
});

describe('every command', () => {
  it('has a schema, or a reason to have none', () => {
    const without = commands.filter(({ answer }) => answer === undefined);
    expect(without.map(({ name }) => name)).toEqual(Object.keys(undescribed));
  });

  const described = commands.map(({ name }) => name).filter((name) => !(name in undescribed));

  /** It takes a minute; test/project/demo holds what it prints to its schema. */
  const elsewhere = ['demo'];

  it('is done above', () => {
    const done = allStories
      .flatMap(linesOf)
      .filter(({ code = 0, until }) => code === 0 || until !== undefined)
      .map(({ line }) => commandOf(line));
    expect(described.filter((name) => !done.includes(name))).toEqual(elsewhere);
  });

  it('has answers with fields that must be there, and errors', () => {
    const error = { code: 'USAGE', message: 'm', fix: 'f', commands: [], data: {} };
    for (const name of described) {
      expect([name, isGood(name, { v: 1, ok: true })]).toEqual([name, { own: false, published: false }]);
      expect([name, isGood(name, { v: 1, ok: false })]).toEqual([name, { own: false, published: false }]);
      expect([name, isGood(name, { v: 1, ok: false, error })]).toEqual([
        name,
        { own: true, published: true },
      ]);
    }
  });
});
