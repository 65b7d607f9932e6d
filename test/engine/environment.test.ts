import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Held } from '../../src/engine/blocking-errors.ts';
import { makeEnvironment } from '../../src/engine/environment/environment.ts';
import type { EnvironmentOptions, EnvironmentPlan } from '../../src/engine/environment/plan.ts';
import type { TaskEnvironment } from '../../src/engine/run-workflow.ts';
import { usualPorts } from '../../src/io/process/ports.ts';
import { gitIn, Workspaces } from '../support/workspaces.ts';

const live = new AbortController().signal;
const nothing: EnvironmentPlan = {
  copy: [],
  requires: [],
  commands: [],
  teardown: [],
  ports: [],
  portRange: usualPorts,
  caches: {},
  env: {},
};

const shell = (...lines: string[]) => lines.map((run) => ({ run, seconds: 20 }));

/** A project, its settings, and the setting of a task in a clone of it, or in place. */
class Place extends Workspaces {
  readonly told: string[] = [];

  async setting(
    plan: Partial<EnvironmentPlan>,
    id = 't1',
  ): Promise<{ setting: TaskEnvironment; cwd: string }> {
    const { cwd, plan: made } = await this.make({ id, slug: id });
    const workspace = { place: made.path, id };
    return { cwd, setting: makeEnvironment({ ...this.options(plan, id), cwd: () => cwd, workspace }) };
  }

  options(plan: Partial<EnvironmentPlan>, id: string): EnvironmentOptions {
    return {
      plan: { ...nothing, ...plan },
      root: this.root,
      key: `queue-${id}`,
      cwd: () => this.root,
      env: { PATH: process.env['PATH'], HOME: this.home, HIDDEN: 'from outside' },
      state: this.place('.docket/state'),
      goOn: `docket retry ${id}`,
      redact: (text) => text.replaceAll('hunter2', '***'),
      tell: (problem) => this.told.push(problem),
    };
  }
}

async function heldBy(setting: TaskEnvironment): Promise<string> {
  const error: unknown = await setting.ready(live).catch((thrown: unknown) => thrown);
  if (!(error instanceof Held)) throw new Error(`not held: ${String(error)}`);
  expect(error.reason).toMatchObject({ kind: 'setup', who: 'a person' });
  return error.reason.text;
}

const lines = (file: string): string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];

describe('the setting of a workspace', () => {
  it('is made once, and again when the list or the workspace is another', async () => {
    const project = new Place();
    const plan = {
      commands: shell('echo one >> done.log', 'echo "$MODE" >> done.log'),
      env: { MODE: 'two' },
    };
    const { cwd, setting } = await project.setting(plan);
    const log = path.join(cwd, 'done.log');
    expect(await setting.ready(live)).toEqual({ MODE: 'two' });
    await setting.leave(false, live);
    await (await project.setting(plan)).setting.ready(live);
    expect(lines(log)).toEqual(['one', 'two']);
    await (await project.setting({ ...plan, commands: shell('echo three >> done.log') })).setting.ready(live);
    expect(lines(log)).toEqual(['one', 'two', 'three']);
    fs.rmSync(cwd, { recursive: true });
    await (await project.setting(plan)).setting.ready(live);
    expect(lines(log)).toEqual(['one', 'two']);
  });

  it('holds the task with the end of the log, and goes on behind what was done', async () => {
    const project = new Place();
    const fails = 'seq 1 40; echo "password hunter2"; [ -e mended ]';
    const plan = { commands: shell('echo one >> done.log', fails, 'echo three >> done.log') };
    const { cwd, setting } = await project.setting(plan);
    const text = await heldBy(setting);
    expect(text).toContain('exit code 1\n… (21 lines before)\n22\n');
    expect(text).toContain('password ***\n');
    expect(text).toMatch(/\nthen: docket retry t1$/);
    const log = /the whole log: (.+)\n/.exec(text)?.[1] ?? '';
    expect(lines(log)).toEqual(expect.arrayContaining(['$ echo one >> done.log', '7', '[exit code 1]']));
    expect(fs.readFileSync(log, 'utf8')).not.toContain('hunter2');
    fs.writeFileSync(path.join(cwd, 'mended'), '');
    await (await project.setting(plan)).setting.ready(live);
    expect(lines(path.join(cwd, 'done.log'))).toEqual(['one', 'three']);
  });

  it('ends a command that takes too long, and one that is stopped is run again', async () => {
    const project = new Place();
    const slow = { commands: [{ run: 'echo begun; exec sleep 60', seconds: 0.3 }] };
    expect(await heldBy((await project.setting(slow)).setting)).toContain('ended after 0.3 s');
    const stop = new AbortController();
    const waits = { commands: shell('echo x >> done.log; [ -e go ] || exec sleep 60') };
    const { cwd, setting } = await project.setting(waits);
    const log = path.join(cwd, 'done.log');
    const looking = setInterval(() => fs.existsSync(log) && stop.abort('shutdown'), 20);
    await setting.ready(stop.signal);
    clearInterval(looking);
    fs.writeFileSync(path.join(cwd, 'go'), '');
    await (await project.setting(waits)).setting.ready(live);
    expect(lines(log)).toEqual(['x', 'x']);
  });

  it('begins nothing while a file is missing or empty, and says how it comes to be there', async () => {
    const project = new Place();
    project.write('.env', 'KEY=1\n');
    const wants = { requires: ['.env', 'sub/made', 'a.txt'], commands: shell('mkdir sub; : > sub/made') };
    const { cwd, setting } = await project.setting(wants);
    const text = await heldBy(setting);
    expect(text).toContain(
      `.env, sub/made are missing or empty in ${cwd}; the root has .env: name it in setup.copy`,
    );
    fs.writeFileSync(path.join(cwd, 'sub/made'), 'x');
    fs.rmSync(path.join(cwd, 'a.txt'));
    fs.symlinkSync('/etc/passwd', path.join(cwd, 'a.txt'));
    expect(await heldBy((await project.setting(wants)).setting)).toContain('.env, a.txt are missing');
    fs.rmSync(path.join(cwd, 'a.txt'));
    gitIn(cwd, 'checkout', '--', 'a.txt');
    await (await project.setting({ ...wants, copy: ['.env'] })).setting.ready(live);
    expect(lines(path.join(cwd, '.git/info/exclude'))).toContain('/.env');
  });

  it('is torn down once when the task is over, with its variables; a failure is told and done again', async () => {
    const project = new Place();
    const plan = {
      commands: shell('echo up >> log'),
      teardown: shell('echo "down $PORT" >> log; [ -e mended ]'),
      ports: ['PORT'],
    };
    const { cwd, setting } = await project.setting(plan);
    const { PORT: port } = await setting.ready(live);
    await setting.leave(true, live);
    expect(project.told.join()).toContain('teardown failed: ');
    fs.writeFileSync(path.join(cwd, 'mended'), '');
    await setting.leave(true, live);
    await setting.leave(true, live);
    expect(lines(path.join(cwd, 'log'))).toEqual(['up', `down ${port}`, `down ${port}`]);
    await setting.ready(live); // taken up again: with its setup, and the same port
    await setting.leave(false, live);
    expect(lines(path.join(cwd, 'log')).at(-1)).toBe('up');
    expect(project.told).toHaveLength(1);
  });
});

describe('the setting of work in place', () => {
  it('is made once for all who work there, also at the same time, and never torn down', async () => {
    const project = new Place();
    const plan = {
      commands: shell('echo begin >> log; sleep 0.2; echo end >> log'),
      teardown: shell('echo down >> log'),
      copy: ['.env'],
      requires: ['a.txt'],
      ports: ['PORT'],
      caches: { CACHE: project.place('.docket/cache') },
    };
    const settings = ['t1', 't2'].map((id) => makeEnvironment(project.options(plan, id)));
    const [one, two] = await Promise.all(settings.map((setting) => setting.ready(live)));
    expect(one?.['PORT']).not.toBe(two?.['PORT']);
    expect(fs.statSync(one?.['CACHE'] ?? '').isDirectory()).toBe(true);
    for (const setting of settings) await setting.leave(true, live);
    expect(lines(project.place('log'))).toEqual(['begin', 'end']);
  });

  it('says which variable of the settings has no value', async () => {
    const project = new Place();
    const setting = makeEnvironment(project.options({ env: { TOKEN: '$NOT_THERE', SEEN: '$HIDDEN' } }, 't1'));
    expect(await heldBy(setting)).toContain('setup.env.TOKEN takes its value from $NOT_THERE');
  });
});
