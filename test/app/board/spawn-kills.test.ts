import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';
import { ended, startNode } from '../../support/child.ts';

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
