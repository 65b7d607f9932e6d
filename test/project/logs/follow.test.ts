import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended } from '../../support/child.ts';
import { Project, until } from '../../support/project.ts';
import { report, ShellProject } from '../../support/shell-project.ts';

/** `docket logs …` beside other work, with what it has printed so far. */
function following(project: Project, ...args: string[]) {
  const child = project.start('logs', ...args);
  let seen = '';
  let talk = '';
  child.stdout?.on('data', (text: Buffer) => (seen += text.toString()));
  child.stderr?.on('data', (text: Buffer) => (talk += text.toString()));
  return {
    child,
    end: ended(child),
    talk: () => talk,
    shows: (text: string) => until(`logs show ${text}`, () => (seen + talk).includes(text)),
  };
}

describe('docket logs --follow', () => {
  it('waits for what is queued, and goes on with the next docket when the first is killed', async () => {
    const project = new ShellProject(`echo "it begins"; say begun; await go; echo "it ends"; ${report()}`);
    project.queue(['a'], false);
    const logs = following(project, 'a', '-f');
    await logs.shows('a is queued');
    await project.killedWhen('begun');
    await logs.shows('it begins');
    // Its agent lives on without a docket.
    project.cue('go');
    await logs.shows('it ends');
    await project.docket('run');
    const { code, out } = await logs.end;
    expect(code).toBe(0);
    expect(out.match(/it begins/g)).toHaveLength(1);
    expect(out.match(/it ends/g)).toHaveLength(1);
    expect(logs.talk()).toMatch(/a is done/);
  });

  it('goes on with a file that was put in the place of the first, or emptied', async () => {
    const project = new ShellProject(`echo "line 1"; say begun; await go; ${report()}`);
    project.queue(['a'], false);
    const run = project.start('run');
    await project.said('begun');
    const logs = following(project, 'a', '-f', '--json');
    await logs.shows('line 1');
    const id = await project.idOf('a');
    const file = path.join(project.root, '.docket/queue/attempts', id, 'work/1/events.jsonl');
    fs.truncateSync(file, 0);
    fs.appendFileSync(file, 'line 2\n');
    await logs.shows('line 2');
    fs.renameSync(file, `${file}.1`);
    fs.writeFileSync(file, 'line 3\n');
    await logs.shows('line 3');
    project.cue('go');
    await ended(run);
    const lines = (await logs.end).out.trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { kind: string; status?: string; task: string });
    expect(entries.at(-1)).toMatchObject({ layout: 'queue', task: 'a', kind: 'status' });
    expect(lines.filter((line) => line.includes('line 1'))).toHaveLength(1);
  });

  it('shows what goes to stderr as it comes', async () => {
    const project = new ShellProject(`echo "a warning" >&2; await go; ${report()}`);
    project.queue(['a'], false);
    const logs = following(project, 'a', '-f');
    await logs.shows('a is queued');
    const run = project.start('run');
    await logs.shows('work stderr a warning');
    project.cue('go');
    await ended(run);
    expect((await logs.end).out.match(/a warning/g)).toHaveLength(1);
  });

  it('knows whose words they are, also when it began before the agent did', async () => {
    const command = ['./.docket/scenario.yaml'];
    const project = new Project({ agents: { demo: { adapter: 'script', command } }, defaultAgent: 'demo' });
    const steps = [{ say: 'I look first.' }, { report: { status: 'success', summary: 'It is there.' } }];
    project.write('.docket/scenario.yaml', JSON.stringify({ rules: [{ steps }] }));
    project.queue(['a'], false);
    const logs = following(project, 'a', '-f');
    await logs.shows('a is queued');
    await project.docket('run');
    const { out } = await logs.end;
    expect(out).toContain('work I look first.');
    expect(out).not.toContain('"type"');
  });

  it('without a name shows all that runs, each line with its task, until Ctrl-C', async () => {
    const project = new ShellProject(`echo "hello from $name"; say "begun-$name"; await go; ${report()}`);
    project.queue(['a', 'b'], true);
    const logs = following(project, '-f');
    const run = project.start('run', '--concurrency', '2');
    await logs.shows('a work hello from a');
    await logs.shows('b work hello from b');
    project.cue('go');
    await ended(run);
    await logs.shows('b is done');
    logs.child.kill('SIGINT');
    expect((await logs.end).code).toBe(130);
  });

  it('needs a name, or --follow', async () => {
    const project = new ShellProject('true');
    const { code, out } = await project.docket('logs', '--json');
    expect(code).toBe(2);
    expect((JSON.parse(out) as { error: { fix: string } }).error.fix).toMatch(/--follow/);
  });
});
