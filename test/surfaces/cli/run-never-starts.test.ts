import { describe, expect, it } from 'vitest';
import { MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add } from '../../support/scratch.ts';
import { Plain } from './plain-project.ts';
import { inFolder } from './real-world.ts';

const givesUp =
  '  - { name: work, instruction: Speak French only., rules: [{ condition: done, next: ABORT }] }';

describe('docket run of what can never start', () => {
  it.each([[[]], [['child']]])('ends with 5, and says what is missing (named: %j)', async (named) => {
    const project = new Plain('echo Done.');
    await project.cli('add', 'Base', '--name', 'base');
    await project.cli('add', 'Child', '--name', 'child', '--needs', 'base');
    await project.cli('cancel', 'base');
    const ran = await project.cli('run', ...named);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(
      'child is queued: it waits for base (canceled), which will never be done; see why, and what helps: docket explain child\n',
    );
    expect(ran.stderr).not.toContain('no queued task can start');
    const told = JSON.parse((await project.cli('run', ...named, '--json')).stdout) as object;
    expect(told).toMatchObject({
      ok: false,
      error: { message: 'a person must act: child (queued)', data: { exitCode: 5 } },
    });
    const explained = JSON.parse((await project.cli('explain', 'child', '--json')).stdout) as object;
    expect(explained).toMatchObject({
      cause: { kind: 'dependency', who: 'a person' },
      next: [{ command: 'docket retry base' }, { command: 'docket cancel child' }],
    });
    const needs = await project.cli('needs-me', '--exit-code');
    expect([needs.code, needs.stdout]).toEqual([5, expect.stringContaining('docket retry base')]);
  });

  it.each([
    ['canceled', 'which will never be done', 'docket retry base', 'docket retry base'],
    ['failed', 'which nothing takes up again by itself', 'docket retry base --note TEXT', 'base'],
  ])('says so along the whole chain behind what is %s', async (status, words, retry, told) => {
    const project = new Plain('echo Done.');
    project.workflow('no', givesUp);
    await project.cli('add', 'Base', '--name', 'base', '--workflow', 'no');
    await project.cli('add', 'Child', '--name', 'child', '--needs', 'base');
    await project.cli('add', 'Grandchild', '--name', 'grand', '--needs', 'child');
    await project.cli(...(status === 'canceled' ? ['cancel', 'base'] : ['run', 'base']));
    const ran = await project.cli('run', 'grand');
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining(`it waits for child (queued), behind base (${status}), ${words};`),
    ]);
    expect((await project.cli('show', 'grand')).stdout).toContain(`behind base (${status}), ${words}`);
    const explained = JSON.parse((await project.cli('explain', 'grand', '--json')).stdout) as object;
    expect(explained).toMatchObject({
      cause: { kind: 'dependency', who: 'a person' },
      next: [{ command: retry }, { command: 'docket cancel grand' }],
    });
    const seen = JSON.parse((await project.cli('status', '--json')).stdout) as object;
    expect(seen).toMatchObject({ waiting: [], stuck: [{ name: 'child' }, { name: 'grand' }] });
    const needs = await project.cli('needs-me', '--exit-code');
    expect([needs.code, needs.stdout.match(/docket retry/g)]).toEqual([5, ['docket retry']]);
    expect(needs.stdout).toContain(told);
  });

  it('says that it comes later where what it waits for was not named', async () => {
    const project = new Plain('echo Done.');
    await project.cli('add', 'Base', '--name', 'base');
    await project.cli('add', 'Child', '--name', 'child', '--needs', 'base');
    const ran = await project.cli('run', 'child');
    expect([ran.code, ran.stderr]).toEqual([75, expect.stringContaining('it waits for base (queued);')]);
  });

  it('names who has it where another docket is at work on it', async () => {
    const workspace = new MixedWorkspace();
    let token = 0;
    await workspace.queue(async (store) => {
      await add(store, 't1');
      const [claim] = await store.claim({ owner: 'docket-4711', max: 1 });
      token = claim?.token ?? 0;
      const ran = await inFolder(workspace.root, ['run', 't1']);
      expect(ran.code).toBe(4);
      expect(ran.stderr).toMatch(
        /^t1 is running: docket-4711 \(process \d+ on \S+\) has it since \S+; see it work: docket logs t1 --follow$/m,
      );
    });
    expect(token).toBeGreaterThan(0);
  });
});
