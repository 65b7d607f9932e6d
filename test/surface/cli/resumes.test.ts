import { expect, it } from 'vitest';
import { ranRow } from '../../../src/surface/cli/ran.ts';
import { taskRows } from '../../../src/surface/cli/rows.ts';
import type { Task } from '../../../src/task/schema.ts';
import { queued } from './fake-world.ts';

const until = '2026-03-01T19:00:00.000Z';
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
    `limit: usage limit (until ${until})`,
    `limit: no answer (tried again ${until})`,
    `limit: usage limit (resumes ${until})`,
  ]);
  const again = ranRow({ task: waiting('limit: usage limit'), agent: 'claude' }, paint);
  expect(again.split('\n')[1]?.trim()).toBe(`limit: usage limit (resumes ${until})`);
  const options = { columns: 200, now, paint, waits: {}, heading: false };
  expect(taskRows(texts.map(waiting), options)).not.toContain(until);
  expect(
    taskRows(texts.map(waiting), options).match(/limit, resumes \d\d:00; (usage limit|no answer)/g),
  ).toHaveLength(3);
});
