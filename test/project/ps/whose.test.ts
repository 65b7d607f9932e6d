import { expect, test } from 'vitest';
import { judgeFamily } from '../../../src/project/ps/judge.ts';
import { whoseFolder } from '../../../src/project/ps/whose.ts';
import type { Task } from '../../../src/task/schema.ts';

test.each<[string, ReturnType<typeof whoseFolder>]>([
  ['.docket/queue/attempts/t1/work/2', { layout: 'queue', task: 't1', step: 'work', attempt: 2 }],
  ['.docket/board/attempts/T-001/work-1/1', { layout: 'board', task: 'T-001', step: 'work-1', attempt: 1 }],
  ['.docket/packet/p-1/attempts/impl/3', { layout: 'packet', task: 'p-1', step: 'impl', attempt: 3 }],
  ['.agentmesh/tasks/t/agents/a-1/runtime', { layout: 'task', task: 't', step: 'a-1' }],
  ['.agentmesh/tasks/t/agents/a-1/runtime/attempt-2', { layout: 'task', task: 't', step: 'a-1', attempt: 2 }],
  ['.docket/queue/checks/t1/0', { layout: 'queue', task: 't1', command: 'checks' }],
  ['.docket/queue/trial-commands/0', { layout: 'queue', command: 'trial-commands' }],
  ['.docket/board/verify/T-001/1', { layout: 'board', task: 'T-001', command: 'verify' }],
  ['.docket/packet/p-1/tree/commands/0', { layout: 'packet', task: 'p-1', command: 'verify' }],
  ['.docket/setup/t1/commands/0', { task: 't1', command: 'setup' }],
  ['.docket/queue/clones/t1/.docket/queue/attempts/x/work/1', undefined],
  ['src/start', undefined],
  ['.docket', undefined],
])('%s', (folder, whose) => {
  expect(whoseFolder(folder)).toEqual(whose);
});

const attempt = { n: 1, step: 'work', agent: 'a', adapter: 'script', mark: 'mark-1', startedAt: '' };
const task = (status: string, more: object = {}): Task =>
  ({ id: 't1', status, extras: {}, attempts: { work: attempt }, ...more }) as unknown as Task;
const at = { layout: 'queue', task: 't1', step: 'work', attempt: 1 } as const;

test.each<[string, Parameters<typeof judgeFamily>, object]>([
  ['its task runs', [at, 'mark-1', { task: task('running') }, false], { state: 'running' }],
  ['it is reviewed', [at, 'mark-1', { task: task('review') }, false], { state: 'running' }],
  [
    'it was put back',
    [at, 'mark-1', { task: task('queued') }, true],
    { state: 'stray', goOn: 'docket run t1' },
  ],
  [
    'it was put back, and has a name',
    [at, 'mark-1', { task: task('queued', { extras: { queue: { name: 'fix' } } }) }, true],
    { state: 'stray', goOn: 'docket run fix' },
  ],
  [
    'it was put back, and its name is no word',
    [at, 'mark-1', { task: task('queued', { extras: { queue: { name: 'fix; rm x' } } }) }, true],
    { state: 'stray', goOn: 'docket run t1' },
  ],
  ['it was canceled', [at, 'mark-1', { task: task('canceled') }, true], { state: 'stray' }],
  ['it was removed', [at, 'mark-1', { task: task('running', { removedAt: 'x' }) }, true], { state: 'stray' }],
  ['another attempt runs', [at, 'mark-2', { task: task('running') }, true], { why: 'its attempt has ended' }],
  ['there is no task', [at, 'mark-1', {}, true], { why: 'its task is gone' }],
  [
    'its store is broken',
    [at, 'mark-1', { problem: 'line 3' }, true],
    { state: 'suspect', why: 'its task cannot be read: line 3' },
  ],
  ['a command of a docket', [{ command: 'setup' }, 'mark-1', {}, true], { state: 'running' }],
  ['a command of nobody', [{ command: 'setup' }, 'mark-1', {}, false], { state: 'stray' }],
])('%s', (_, input, judged) => {
  expect(judgeFamily(...input)).toMatchObject(judged);
});
