import { z } from 'zod';
import { attemptSchema, deliverySchema, runSchema, taskSchema } from '../../../app/schemas.ts';

export const attempt = attemptSchema;
// What stands in many answers is described once in each, and named there.
z.globalRegistry.add(attempt, { id: 'attempt', description: 'One call of an agent for a step.' });
z.globalRegistry.add(deliverySchema, { id: 'delivery', description: 'Where finished work has gone.' });
z.globalRegistry.add(runSchema, { id: 'run', description: 'One execution of a workflow for a task.' });

type Option = (typeof taskSchema.options)[number];
type Key = Option extends infer O ? (O extends Option ? keyof O['shape'] : never) : never;

const about: Readonly<Partial<Record<Key, string>>> = {
  id: 'What never changes about it, and what every command takes.',
  rev: 'The number of the last event that changed it.',
  spec: 'What is to be done, and how.',
  priority: 'From -100 to 100; the highest comes first.',
  needs: 'Ids of tasks that must be done first.',
  queuedAt: 'When it last became ready to be picked.',
  owner: 'Who has it.',
  lease: 'How long the owner has it: as long as a process lives, or until a time.',
  standsFor: 'The task of another format whose result this one’s is.',
  doneBy: 'The task of another format that does its work.',
  trust: 'Whether its words are vouched for; absent: they are a person’s own.',
  delivery: 'Where its finished work has gone; failed: a person must act, though the task is done.',
  extras: 'What formats keep beside, by format: theirs to change.',
  attempts: 'By step: the latest call of an agent.',
  used: 'By all of its agents.',
  startedAt: 'When work on it began.',
  finishedAt: 'Of one that is done, failed or canceled.',
  summary: 'Of one that is done or in review: what came of it.',
  reason: 'Of one that is blocked: why, and who must act.',
  failure: 'Of one that failed: why.',
  canceledBecause: 'Of one that was canceled.',
};

/** Its seven forms as one: what not every status has may be absent. Seven times the same would be read by nobody. */
export const task = z
  .strictObject(merged(taskSchema.options.map(({ shape }) => shape as Record<string, z.ZodType>)))
  .meta({ id: 'task', description: 'The whole task. What its status requires is there.' });

function merged(shapes: readonly Record<string, z.ZodType>[]): Record<string, z.ZodType> {
  const keys = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  return Object.fromEntries(
    [...keys].map((key) => {
      const all = shapes.flatMap((shape) => shape[key] ?? []);
      const [first = z.never()] = all;
      const loose = all.find((schema) => schema._zod.optin === 'optional');
      const one = key === 'status' ? z.union(all) : (loose ?? first);
      const isSometimes = loose === undefined && all.length < shapes.length;
      return [key, described(isSometimes ? one.optional() : one, about[key as Key])];
    }),
  );
}

function described(schema: z.ZodType, text: string | undefined): z.ZodType {
  return text === undefined ? schema : schema.describe(text);
}
