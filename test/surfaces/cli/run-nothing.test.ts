import { describe, expect, it } from 'vitest';
import { clockTime } from '../../../src/surfaces/cli/frame/format.ts';
import { does, MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

describe('docket run with nothing to run', () => {
  const until = '2126-03-01T19:00:00.000Z';
  const limit = { kind: 'limit', text: 'limit: usage limit', who: 'docket', resumesAt: until } as const;
  const scope = { kind: 'scope', text: 'it changed more than it may', who: 'a person' } as const;

  it.each([
    [
      'waits for a limit',
      [limit],
      75,
      [`t0 is blocked: limit: usage limit (goes on ${clockTime(until)})`, 'run --wait'],
    ],
    ['needs a person', [limit, scope], 5, ['t1 is blocked: scope: it changed more', 'docket retry <task>']],
    ['is nothing at all', [], 0, ['Nothing to run: no queued task can start.']],
  ])('says so when what is left %s', async (_, reasons, code, told) => {
    const workspace = new MixedWorkspace();
    await workspace.queue(async (store) => {
      for (const [n, reason] of reasons.entries()) {
        await add(store, `t${n}`);
        await does(store, { type: 'block', id: `t${n}`, by: 'docket', reason });
      }
    });
    const ran = await inFolder(workspace.root, ['run']);
    expect(ran.code).toBe(code);
    for (const text of told) expect(ran.stderr).toContain(text);
    const quiet = await inFolder(workspace.root, ['run', '--quiet']);
    expect(quiet.stderr).toBe(
      ran.stderr
        .split(/(?<=\n)/)
        .filter((line) => / is blocked: /.test(line))
        .join(''),
    );
    const { stdout } = await inFolder(workspace.root, ['run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject(
      code === 0 ? { ok: true } : { error: { data: { exitCode: code } } },
    );
  });
});
