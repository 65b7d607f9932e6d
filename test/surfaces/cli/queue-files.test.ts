import { describe, expect, it } from 'vitest';
import type { ArchivedTask, MigratedTask, QueueFiles } from '../../../src/kinds/queue/files.ts';
import type { AnsweredRemoval } from '../../../src/store/store.ts';
import { durationMs } from '../../../src/surfaces/cli/frame/format.ts';
import { docket, json } from './fake-world.ts';

const archived: ArchivedTask[] = [
  {
    id: 't1',
    name: 'a',
    status: 'done',
    finishedAt: '2026-03-01T00:00:00Z',
    file: '.takt/archive/2026-03.yaml',
  },
];
const migrated: MigratedTask[] = [
  { id: 't1', name: 'a', from: 'content', taskDir: '.takt/tasks/a' },
  { id: 't2', name: 'b\u001B[31m', from: 'content_file', taskDir: '.takt/tasks/b', skipped: 'it is running' },
];

async function about(
  argv: string[],
  tasks: { archived?: ArchivedTask[]; migrated?: MigratedTask[]; answered?: AnsweredRemoval[] } = {},
) {
  const calls: unknown[][] = [];
  const queueFiles: QueueFiles = {
    async archive(...args) {
      calls.push(args);
      return tasks.archived ?? archived;
    },
    async migrate(...args) {
      calls.push(args);
      return tasks.migrated ?? migrated;
    },
    async answerRemovals(...args) {
      calls.push(args);
      return tasks.answered ?? [];
    },
  };
  return { ...(await docket(['queue', ...argv], { queueFiles })), calls };
}

describe('docket queue archive', () => {
  it('prints what it moved, and where to', async () => {
    const ended = await about(['archive']);
    expect(ended).toMatchObject({ code: 0, stderr: '1 record moved.\n', calls: [[{}, false]] });
    expect(ended.stdout).toBe('a  done  .takt/archive/2026-03.yaml\n');
    expect(json(await about(['archive', '--json']))).toMatchObject({
      ok: true,
      tasks: archived,
      dryRun: false,
    });
    expect((await about(['archive'], { archived: [] })).stderr).toContain('No record');
  });

  it('goes by age and status', async () => {
    const ended = await about([
      'archive',
      '--older-than',
      '30d',
      '--status',
      'completed,failed',
      '--dry-run',
    ]);
    expect(ended.calls).toEqual([[{ olderThanMs: 30 * 86_400_000, status: ['done', 'failed'] }, true]]);
    expect(ended.stderr).toContain('nothing was changed');
    expect(await about(['archive', '--older-than', 'long'])).toMatchObject({ code: 2, calls: [] });
    expect(await about(['archive', '--status', 'pending'])).toMatchObject({ code: 2, calls: [] });
  });

  it.each([
    ['90m', 5_400_000],
    ['12h', 43_200_000],
    ['2w', 1_209_600_000],
    ['5', undefined],
    ['-1d', undefined],
    ['1d2h', undefined],
  ])('takes the age %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

describe('docket queue migrate', () => {
  it('only shows what it would do, until it is told', async () => {
    const ended = await about(['migrate']);
    expect(ended).toMatchObject({ code: 0, calls: [[false]] });
    expect(ended.stdout).toContain('→ .takt/tasks/a/order.md');
    expect(ended.stdout).toContain('stays: it is running');
    expect(ended.stdout).not.toContain('\u001B');
    expect(ended.stderr).toContain('docket queue migrate --apply');
    expect((await about(['migrate', '--dry-run'])).calls).toEqual([[false]]);
    expect(await about(['migrate', '--apply'])).toMatchObject({ stderr: '1 moved.\n', calls: [[true]] });
    expect(await about(['migrate', '--apply', '--dry-run'])).toMatchObject({ code: 2, calls: [] });
    expect(json(await about(['migrate', '--json']))).toMatchObject({ tasks: migrated, dryRun: true });
  });
});

describe('docket queue confirm-removals and reject-removals', () => {
  const answered = [
    { id: 't1', name: 'a' },
    { id: 't2', name: 'b', refused: 'the task is running' },
  ];

  it('names what was removed, and what could not be', async () => {
    const ended = await about(['confirm-removals'], { answered });
    expect(ended).toMatchObject({ code: 4, stdout: 'removed a\n', calls: [[true, expect.any(String)]] });
    expect(ended.stderr).toContain('b was not removed: the task is running');
    expect(ended.stderr).toContain('docket restore a');
    expect(json(await about(['confirm-removals', '--json'], { answered }))).toMatchObject({
      tasks: answered,
    });
  });

  it('names what was kept, and says when there is nothing to answer', async () => {
    const ended = await about(['reject-removals'], { answered: [{ id: 't1', name: 'a' }] });
    expect(ended).toMatchObject({ code: 0, stdout: 'kept a\n', calls: [[false, expect.any(String)]] });
    const idle = await about(['reject-removals']);
    expect(idle).toMatchObject({ code: 0, stdout: '', stderr: 'No removal waits for an answer.\n' });
  });
});
