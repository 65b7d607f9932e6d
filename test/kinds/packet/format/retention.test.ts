import { expect, it } from 'vitest';
import { retentionOf } from '../../../../src/kinds/packet/format/retention.ts';
import type { Task } from '../../../../src/task/schema.ts';

const now = Date.parse('2026-03-31T00:00:00Z');
const daysAgo = (days: number): string => new Date(now - days * 86_400_000).toISOString();

function judged(
  facts: { status?: string; finished?: number; archived?: number; retention?: 'keep' | 'archive' | 'delete' },
  policy: Parameters<typeof retentionOf>[1],
  isArchived = facts.archived !== undefined,
) {
  const { status = 'done', finished = 100, archived, retention } = facts;
  const task = {
    status,
    finishedAt: daysAgo(finished),
    ...(archived !== undefined && { archivedAt: daysAgo(archived) }),
  } as Task;
  return retentionOf({ task, retention, archived: isArchived }, policy, now);
}

const both = { archiveAfterDays: 14, deleteArchivedAfterDays: 90 };

it.each([
  [{ finished: 14 }, both, 'archive', 'finished 14 days ago; archiveAfterDays is 14'],
  [{ finished: 13 }, both, 'keep', 'finished 13 of 14 days ago'],
  [{ status: 'canceled' }, both, 'archive', 'finished 100 days ago; archiveAfterDays is 14'],
  [{}, {}, 'keep', 'packets.retention.archiveAfterDays is not set'],
  [{ retention: 'keep' }, both, 'keep', 'its manifest says retention: keep'],
  [
    { retention: 'archive', finished: 0 },
    {},
    'archive',
    'finished today; its manifest says retention: archive',
  ],
  [
    { retention: 'delete', finished: 0 },
    {},
    'archive',
    'finished today; its manifest says retention: delete',
  ],
  [{ retention: 'delete', finished: 3 }, both, 'keep', 'finished 3 of 14 days ago'],
  [{ archived: 90 }, both, 'delete', 'archived 90 days ago; deleteArchivedAfterDays is 90'],
  [{ archived: 89 }, both, 'keep', 'archived 89 of 90 days ago'],
  [{ archived: 90 }, { archiveAfterDays: 1 }, 'keep', 'packets.retention.deleteArchivedAfterDays is not set'],
  [
    { archived: 1, retention: 'delete' },
    {},
    'delete',
    'archived 1 days ago; its manifest says retention: delete',
  ],
  [{ archived: 99, retention: 'archive' }, both, 'keep', 'its manifest says retention: archive'],
  [{ archived: 99, retention: 'keep' }, both, 'keep', 'its manifest says retention: keep'],
] as const)('%j by %j: %s', (facts, policy, action, why) => {
  expect(judged(facts, policy)).toEqual({ action, why });
});

it.each(['queued', 'running', 'review', 'blocked', 'failed'])(
  'nothing happens to one that is %s',
  (status) => {
    for (const isArchived of [true, false])
      expect(judged({ status, archived: 99, retention: 'delete' }, both, isArchived)).toEqual({
        action: 'keep',
        why: `it is ${status}, not finished`,
      });
  },
);

it('one whose time in the archive nobody knows stays there', () => {
  expect(judged({}, both, true)).toEqual({ action: 'keep', why: 'nobody noted when it was archived' });
});
