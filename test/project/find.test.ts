import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/io/clock.ts';
import { openDocket } from '../../src/project/docket.ts';
import { findTask } from '../../src/project/tasks/find.ts';
import { scratch } from '../support/scratch.ts';

/** A project with tasks `login` and `login-page` in the queue, a packet `login`, and T-001 on the board. */
async function project(): Promise<(ref: string, of?: string) => Promise<string>> {
  const root = scratch();
  const docket = await openDocket({ cwd: root, root, env: {} });
  for (const name of ['login', 'login-page']) await docket.add({ text: name, name });
  const nothing = { allow: ['src/**'], deny: [], commands: [], criteria: [] };
  await (await docket.packets()).make({ id: 'login', goal: 'login', intent: 'review_only', ...nothing });
  const [sender, { signal }] = [{ actor: 'orchestrator', isBot: false }, new AbortController()];
  await (await docket.board()).say({ text: 'create task: login', sender, signal });
  await docket.close();
  return async (ref, of) => {
    const { kind, name } = await findTask({ root, clock: systemClock }, ref, of);
    return `${kind}:${name}`;
  };
}

describe('a task is found', () => {
  it('by a whole name before a beginning, by kind:name, by a short id of the board, by a unique beginning', async () => {
    const find = await project();
    expect(await find('packet:login')).toBe('packet:login');
    expect(await find('queue:login')).toBe('queue:login');
    expect(await find('login', 'packet')).toBe('packet:login');
    expect(await find('login-p')).toBe('queue:login-page');
    expect(await find('queue:login-p')).toBe('queue:login-page');
    expect(await find('T-1')).toBe('board:T-001');
    expect(await find('board:T-1')).toBe('board:T-001');
  });

  it('or its candidates are listed', async () => {
    const find = await project();
    await expect(find('login')).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID', fix: 'say which: queue:login, packet:login' }),
    );
    await expect(find('logi')).rejects.toThrow(
      expect.objectContaining({ fix: 'say which: queue:login, queue:login-page, packet:login' }),
    );
  });

  it.each(['lo', 'nobody', 'packet:login-page', 'nosuch:login', '../login', 'packet:../login', ''])(
    'never by %j',
    async (ref) => {
      const find = await project();
      await expect(find(ref)).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    },
  );
});
