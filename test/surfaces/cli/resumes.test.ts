import { expect, it } from 'vitest';
import { clockTime } from '../../../src/surfaces/cli/frame/format.ts';
import { taskRows } from '../../../src/surfaces/cli/frame/rows.ts';
import { ranRow } from '../../../src/surfaces/cli/queue/ran.ts';
import type { Task } from '../../../src/task/schema.ts';
import { queued } from './fake-world.ts';

const until = '2026-03-01T19:00:00.000Z';
/** Where the reader is. */
const here = clockTime(until);
const paint = (_: unknown, text: string) => text;

function waiting(text: string): Task {
  const { status: _, ...card } = queued({ id: 'one' }) as Extract<Task, { status: 'queued' }>;
  return { ...card, status: 'blocked', reason: { kind: 'limit', text, who: 'docket', resumesAt: until } };
}

it('says once when a task goes on, whatever its reason says', () => {
  const now = Date.parse('2026-03-01T18:00:00Z');
  const texts = [`usage limit (until ${until})`, `no answer (tried again ${until})`, 'usage limit'];
  const ran = texts.map((text) => ranRow({ task: waiting(text), agent: 'claude' }, paint));
  expect(ran.map((row) => row.split('\n')[1]?.trim())).toEqual([
    `limit: usage limit (until ${here})`,
    `limit: no answer (tried again ${here})`,
    `limit: usage limit (resumes ${here})`,
  ]);
  const again = ranRow({ task: waiting('limit: usage limit'), agent: 'claude' }, paint);
  expect(again.split('\n')[1]?.trim()).toBe(`limit: usage limit (resumes ${here})`);
  const options = { columns: 200, now, paint, waits: {}, heading: false };
  expect(taskRows(texts.map(waiting), options)).not.toContain(until);
  expect(
    taskRows(texts.map(waiting), options).match(/limit, resumes \d\d:00; (usage limit|no answer)/g),
  ).toHaveLength(3);
});

it('tells a time where the reader is, and the day of one that is far', () => {
  const noon = new Date(2026, 2, 1, 12, 5);
  expect(clockTime(noon.toISOString(), noon.getTime() - 3_600_000)).toBe('12:05');
  expect(clockTime(noon.toISOString(), noon.getTime() - 86_400_000)).toBe('2026-03-01 12:05');
  expect(clockTime(noon.toISOString())).toBe('2026-03-01 12:05');
  expect(clockTime('soon')).toBe('soon');
});
