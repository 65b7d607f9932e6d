import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProofProject } from '../support/proof-project.ts';

const check = 'grep -q good src/made.txt';
const make = (words: string) => `mkdir -p src; echo ${words} > src/made.txt`;
const honest = { changes: ['src/made.txt: made'], evidence: [{ kind: 'command', ref: check }] };

describe('a task of the queue', { timeout: 60_000 }, () => {
  it('is told in the words of the command that failed, and says what goes on', async () => {
    const script = `${make('bad')}; echo "boom: $CALL" > src/log.txt`;
    const project = new ProofProject(script, honest, [`cat src/log.txt; ${check}`]);
    const { reason, evidence } = await project.work('in place');
    expect(project.prompt(2)).toMatch(/the checks for this work, and they failed[^]*boom: +1/);
    expect(reason).toMatch(
      /^verify: .*ended with exit code 1[^]*boom: +3[^]*docket evidence one[^]*docket retry one$/,
    );
    const last = evidence.findLast(({ kind }) => kind === 'command');
    const opened = await project.with((docket) => docket.evidence('one', { entry: last?.id }));
    expect(opened.opened?.output).toMatch(/^boom: +3\n$/);
  });

  it('goes back once to who was not true, and then to a person', async () => {
    const made = (call: number) => `${make('good')}; [ "$((CALL))" -ge ${call} ] && touch never.ts; true`;
    const claims = { changes: ['never.ts: made'] };
    const mended = new ProofProject(made(2), claims, []);
    expect(await mended.work('in place')).toMatchObject({ status: 'done', calls: 2 });
    expect(mended.prompt(2)).toContain(
      'the report does not match what docket found: never.ts: it does not exist',
    );
    const stubborn = new ProofProject(made(4), claims, []);
    const { status, reason, calls } = await stubborn.work('in place');
    expect([status, calls, reason]).toEqual([
      'blocked',
      2,
      expect.stringMatching(
        /^verify: the report does not match what docket found: never\.ts: [^]*docket retry one$/,
      ),
    ]);
    // A person wants it to go on: who was not true is asked once more, and once more nobody else.
    const { signal } = new AbortController();
    const goOn = async () =>
      (await stubborn.with((docket) => docket.run({ signal, tasks: ['one'] })))[0]?.task.status;
    expect([await goOn(), stubborn.calls]).toEqual(['blocked', 3]);
    expect([await goOn(), stubborn.calls]).toEqual(['done', 4]);
  });

  it('says that nothing was run where nothing is configured', async () => {
    const project = new ProofProject(make('good'), {}, []);
    const { status, evidence } = await project.work('in place');
    expect([status, ...evidence.map(({ kind, ok, note }) => `${kind} ${ok} ${note}`)]).toEqual([
      'done',
      'command null no command was run: none is configured',
      'tree true changed: src/made.txt',
    ]);
    const idle = new ProofProject('true', {}, []);
    idle.queue(['one'], false);
    const { out } = await idle.docket('run');
    expect(out).toContain('but no command of yours checked it, and its agents changed nothing\n');
    expect((await idle.docket('explain', 'one')).out).toContain('no command was run: none is configured');
    const ids = evidence.map(({ id }) => id);
    expect(project.events('task.done').map(({ data }) => data['verdict'])).toMatchObject([
      { evidence: [expect.stringContaining('.takt/runs/'), ...ids] },
    ]);
  });

  it('waits on its branch until it is merged, and the view says so', async () => {
    const project = new ProofProject(make('good'), honest, [check]);
    expect(await project.work('clone')).toMatchObject({ status: 'done' });
    const told = async () => [
      /not all of it is merged; .*: docket merge --queue/.test((await project.docket('status')).out),
      /docket merge one +bring it in/.test((await project.docket('explain', 'one')).out),
    ];
    expect(await told()).toEqual([true, true]);
    expect((await project.docket('merge', '--queue')).code).toBe(0);
    expect(await told()).toEqual([false, false]);
  });

  it('is proved by commands that were run on what they left, all of them', async () => {
    const [first, second] = ['test ! -e src/late.txt', 'echo late > src/late.txt'];
    const project = new ProofProject(make('good'), {}, [first, second]);
    const { status, reason } = await project.work('in place');
    expect([status, reason]).toEqual([
      'blocked',
      expect.stringContaining(`\`${first}\` ended with exit code 1`),
    ]);
  });

  it('is not done when something of it cannot be committed', async () => {
    const script = `${make('good')}; git init --quiet inner; echo x > inner/lost.txt`;
    const project = new ProofProject(script, honest, []);
    const { status, reason } = await project.work('clone');
    expect([status, reason]).toEqual(['blocked', expect.stringMatching(/^verify: .*inner\//)]);
    fs.rmSync(path.join(project.root, '.docket/queue/clones'), { recursive: true, force: true });
  });

  it('does not run twice what a step has checked on the same tree, and not trust what was checked before a change', async () => {
    const count = '$CUES/ran';
    const project = new ProofProject(
      `${make('good')}; [ "$((CALL))" = 2 ] && echo more >> src/made.txt; true`,
      {},
      [`echo x >> ${count}; ${check}`],
    );
    fs.mkdirSync(path.join(project.root, '.takt/workflows'), { recursive: true });
    const step = (name: string, next: string) => ({
      name,
      instruction: 'do it',
      edit: true,
      rules: [{ condition: 'done', next }],
    });
    const checks = {
      name: 'check',
      kind: 'checks',
      commands: 'project',
      rules: [
        { condition: 'passed', next: 'COMPLETE' },
        { condition: 'failed', next: 'ABORT' },
      ],
    };
    const again = {
      ...checks,
      rules: [
        { condition: 'passed', next: 'more' },
        { condition: 'failed', next: 'ABORT' },
      ],
    };
    const flow = (name: string, steps: object[]) =>
      project.write(`.takt/workflows/${name}.yaml`, JSON.stringify({ name, max_steps: 9, steps }));
    flow('once', [step('work', 'check'), checks]);
    flow('changed', [step('work', 'check'), again, step('more', 'COMPLETE')]);
    project.configure({ commandEnv: ['CUES'] });
    Object.assign(project.env, { CUES: project.cues });
    const run = async (workflow: string): Promise<[string, number]> => {
      const ran = path.join(project.cues, 'ran');
      fs.rmSync(ran, { force: true });
      await project.with((docket) => docket.add({ text: workflow, workflow }));
      const [done] = await project.with((docket) => docket.run({ signal: new AbortController().signal }));
      return [done?.task.status ?? '', fs.readFileSync(ran, 'utf8').split('\n').length - 1];
    };
    expect(await run('once')).toEqual(['done', 1]);
    expect(await run('changed')).toEqual(['done', 2]);
  });
});
