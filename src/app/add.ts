import type { AddInput } from '../app.ts';
import { DocketError } from '../errors.ts';
import { newRecord } from '../layout/queue/record.ts';
import { slugify, taskDirFor } from '../layout/queue/slug.ts';
import type { Backend } from '../store/backend.ts';
import { committedWith, execute } from '../store/execute.ts';
import type { Task, Text } from '../task/schema.ts';
import { idsByName, idsOf } from './ids.ts';
import { refused } from './refused.ts';

/** A longer body goes into the blob store: a journal line has to stay small. */
const longestInline = 32 * 1024;

export async function addTask(
  store: Backend,
  input: AddInput,
  made: { id: string; now: string },
): Promise<Task> {
  const title = firstLine(input.text);
  if (title === '') throw invalid('the task has no text', 'say what is to be done');
  const { priority = 0 } = input;
  if (!Number.isInteger(priority) || Math.abs(priority) > 100) {
    throw invalid(
      `priority ${priority} is not a whole number from -100 to 100`,
      'use 0 for ordinary work, more for urgent',
    );
  }
  const key = input.key === undefined ? undefined : `add:${input.key}`;
  const before = key === undefined ? undefined : await committedWith(store, key);
  if (before) return before;
  // The end of the id makes name and folder unique by construction: no list of all names to search and to race for.
  const slug = `${slugify(title)}-${made.id.slice(-4)}`;
  const name = input.name ?? slug;
  const needs = input.needs?.length ? await idsOf(store, input.needs) : [];
  if (input.name !== undefined) await assertFree(store, input.name);
  const executed = await execute(
    store,
    {
      type: 'create',
      id: made.id,
      by: 'cli',
      title,
      spec: {
        body: await bodyOf(store, input.text),
        workspace: { kind: 'inplace' },
        ...(input.workflow !== undefined && { workflow: input.workflow }),
      },
      ...(priority !== 0 && { priority }),
      ...(needs.length > 0 && { needs }),
      extras: { queue: newRecord({ name, taskDir: taskDirFor(slug, made.now) }) },
    },
    { now: made.now, ...(key !== undefined && { key }) },
  );
  if (!executed.ok) throw refused(executed.refusal);
  return executed.task;
}

function firstLine(text: string): string {
  return (
    text
      .trim()
      .split(/\r?\n/, 1)[0]
      ?.replace(/^#+\s+/, '')
      .trim() ?? ''
  );
}

async function bodyOf(store: Backend, text: string): Promise<Text> {
  const bytes = Buffer.from(text);
  if (bytes.length <= longestInline) return text;
  return { blob: await store.blobs.put(bytes), bytes: bytes.length };
}

async function assertFree(store: Backend, name: string): Promise<void> {
  if (!(await idsByName(store)).has(name)) return;
  throw new DocketError('REFUSED', `there is a task named "${name}" already`, 'choose another --name', {
    name,
  });
}

function invalid(message: string, fix: string): DocketError {
  return new DocketError('INVALID', message, fix);
}
