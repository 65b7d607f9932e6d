import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMarked } from '../../../src/io/process/family.ts';
import { BoardProject, report } from '../../support/board-project.ts';
import { ended, startNode } from '../../support/child.ts';
import { endProcess, until } from '../../support/project.ts';
import { scratch } from '../../support/scratch.ts';

const never = (): AbortSignal => new AbortController().signal;

describe('when docket dies while its worker is at work', { timeout: 60_000 }, () => {
  it('the next pass follows that worker, and starts no other', async () => {
    const at = new BoardProject(`say begun; await go; ${report()}`);
    await at.say('create task: build');
    const job = { root: at.root, text: 'run T-001', how: { mode: 'spawn' } };
    const docket = startNode('board-act.mjs', [JSON.stringify(job)], { stdio: 'ignore' });
    await at.said('begun');
    docket.kill('SIGKILL');
    await once(docket, 'close');
    expect(await at.stand()).toEqual(['T-001 pending']); // nothing says that it is at work when nobody answers for it
    const pass = at.board.autopilot({ signal: never() });
    at.tell('go');
    expect((await pass).steps).toMatchObject([{ taskId: 'T-001', decision: 'done' }]);
    expect(at.log).toEqual(['T-001 work-1 1']);
    expect(at.lines().filter((line) => /dispatched|done/.test(line))).toEqual([
      'T-001 task_dispatched',
      'T-001 task_done',
    ]);
  });

  it('and the worker ends meanwhile, its answer counts', async () => {
    const at = new BoardProject(`say begun; ${report()}; say over`);
    await at.say('create task: build');
    const point = 'before write state/tasks.jsonl 5';
    const job = { root: at.root, text: 'run T-001', how: { mode: 'spawn' }, point };
    const { signal } = await ended(startNode('board-act.mjs', [JSON.stringify(job)]));
    await at.said('over');
    expect([signal, await at.stand()]).toEqual(['SIGKILL', ['T-001 pending']]);
    await at.board.autopilot({ signal: never() });
    expect([await at.stand(), at.log]).toEqual([['T-001 done'], ['T-001 work-1 1']]);
  });
});

interface Attempt {
  type: string;
  payload: { mark?: string; session?: string };
}

/** What the log says of attempts: their starts, and the conversations that they have. */
function attempts(at: BoardProject, type: string): Attempt['payload'][] {
  return at
    .logText()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Attempt)
    .filter((line) => line.type === type)
    .map(({ payload }) => payload);
}

describe('when docket and its worker die together, as with the machine', { timeout: 120_000 }, () => {
  const begins = [{ edit: { path: 'begun', write: 'yes' } }, { hang: true }];
  const done = { status: 'success', summary: 'it is built', evidence: ['npm test: 12 tests pass'] };

  function project(...first: object[][]): { at: BoardProject; story: (...turns: object[][]) => void } {
    const scenario = path.join(scratch(), 'story.yaml');
    const story = (...turns: object[][]): void =>
      fs.writeFileSync(scenario, JSON.stringify({ rules: [{ turns }] }));
    story(...first);
    const at = new BoardProject('', { settings: { adapter: 'script', command: [scenario], env: {} } });
    return { at, story };
  }

  /** A docket that is at work on the board, and everything that it started, is gone from one moment to the next. */
  async function lostPower(at: BoardProject, text: string, how: object = {}): Promise<void> {
    const docket = startNode('board-act.mjs', [JSON.stringify({ root: at.root, text, how })], {
      stdio: 'ignore',
    });
    await until('its worker is at work', () => fs.existsSync(path.join(at.root, 'begun')));
    docket.kill('SIGKILL');
    await once(docket, 'close');
    const marks = attempts(at, 'attempt_started').flatMap(({ mark }) => mark ?? []);
    await until('its worker is dead', () => {
      const alive = marks.flatMap((mark) => findMarked(mark));
      for (const pid of alive) endProcess(pid);
      return alive.length === 0;
    });
  }

  it('the next pass continues the same session, and the task is done', async () => {
    const { at } = project(begins, [{ report: done }]);
    await at.say('create task: build');
    await lostPower(at, 'run T-001', { mode: 'spawn' });
    const { steps } = await at.board.autopilot({ signal: never() });
    expect(steps).toMatchObject([{ taskId: 'T-001', decision: 'done' }]);
    const sessions = attempts(at, 'attempt_started').map(({ session }) => session);
    expect(sessions).toHaveLength(2);
    expect(new Set(sessions).size).toBe(1);
  });

  it('the steps of an autopilot are done by the next pass, those that were not begun among them', async () => {
    const { at, story } = project(begins);
    for (const title of ['one', 'two', 'three', 'four']) await at.say(`create task: ${title}`);
    at.write('docs/protocol-config.json', JSON.stringify({ orchestrator: { maxConcurrentSpawns: 1 } }));
    await lostPower(at, 'autopilot 3');
    story([{ report: done }]);
    const { steps } = await at.another().autopilot({ signal: never() });
    expect(steps.map(({ taskId, decision }) => [taskId, decision])).toEqual([
      ['T-001', 'done'],
      ['T-002', 'done'],
      ['T-003', 'done'],
    ]);
    expect(await at.stand()).toEqual(['T-001 done', 'T-002 done', 'T-003 done', 'T-004 pending']);
  });
});
