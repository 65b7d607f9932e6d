import { expect, it } from 'vitest';
import type { EndedStray, Processes, PsEntry } from '../../../src/project/ps/api.ts';
import { docket, json } from './fake-world.ts';

const base = { cpuPercent: 4, rssBytes: 50 * 1024 ** 2, ports: [], since: '2026-03-01T11:48:00Z' };
const entries: PsEntry[] = [
  {
    ...base,
    state: 'running',
    layout: 'queue',
    task: 't1',
    step: 'work',
    attempt: 2,
    agent: 'codex',
    pid: 41,
    pids: [41, 42],
    cpuSeconds: 12.34,
    last: { what: 'tool Bash began', at: '2026-03-01T11:59:48Z' },
  },
  {
    ...base,
    state: 'stray',
    layout: 'task',
    task: 't2',
    step: 'ev\u001Bil',
    agent: 'claude',
    pid: 51,
    pids: [51],
    cpuSeconds: 0,
    ports: [3000],
    why: 'its task is queued, and no docket runs it',
    goOn: 'docket task resume t2',
    end: 'docket ps --end-strays',
  },
];

function running(list: PsEntry[], ended: EndedStray[] = []): { processes: Processes; dry: boolean[] } {
  const dry: boolean[] = [];
  const endStrays: Processes['endStrays'] = async ({ dryRun }) => {
    dry.push(dryRun);
    return ended;
  };
  return { processes: { list: async () => list, endStrays }, dry };
}

it('shows a row for each, safely, and says what can be done', async () => {
  const { stdout, stderr, code } = await docket(['ps'], running(entries));
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    '41  running  t1  work#2  codex   12m  12.3s 4%  50M  tool Bash began 12s ago',
    expect.stringMatching(
      /^51 {2}stray {4}t2 {2}\S+ +claude {2}12m {2}0\.0s 4% +50M {2}nothing yet; listens on 3000; its task is queued, and no docket runs it; goes on with: docket task resume t2$/,
    ),
    '',
  ]);
  expect(stdout).not.toContain('\u001B');
  expect(stderr).toContain('docket ps --end-strays');
});

it('says so when nothing runs', async () => {
  expect(await docket(['ps'], running([]))).toMatchObject({ stdout: '', code: 0 });
  expect(json(await docket(['ps', '--json'], running([])))).toMatchObject({ ok: true, processes: [] });
});

it('ends strays only when told to, and tells what it could not', async () => {
  const { processes, dry } = running([], [{ ...entries[1]!, ended: false, problem: 'it cannot be ended' }]);
  const { stderr, code } = await docket(['ps', '--end-strays'], { processes });
  expect([code, stderr]).toEqual([1, expect.stringContaining('51: it cannot be ended')]);
  expect(json(await docket(['ps', '--end-strays', '--json'], { processes }))).toMatchObject({
    ok: false,
    error: { code: 'IO', data: { pids: [51] } },
    processes: [{ pid: 51, ended: false }],
  });
  await docket(['ps', '--end-strays', '--dry-run'], { processes });
  expect(dry).toEqual([false, false, true]);
  expect((await docket(['ps', '--dry-run'], { processes })).code).toBe(2);
});
