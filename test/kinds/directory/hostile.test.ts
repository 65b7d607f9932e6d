import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processRow } from '../../../src/io/process/table.ts';
import { until } from '../../support/project.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const containing = (text: string): string => expect.stringContaining(text) as string;
const vandal = (taskId: string) => subtask(taskId, 'success', { adapter: 'vandal' });
const honest = (taskId: string) => subtask(taskId, 'success', { adapter: 'shell' });

/** Step "one" does this in its own task directory while it works; "two" works beside it and does nothing wrong. */
async function vandalised(script: string, end = '{"status":"success","summary":"It is done."}') {
  const body = `cat > /dev/null; cd ".agentmesh/tasks/$DOCKET_TASK_ID"; ${script}\necho '${end}'`;
  const project = await TaskProject.created({
    vandal: { adapter: 'command', command: ['/bin/sh', '-c', body] },
  });
  const ran = project.run(actions(vandal('one'), honest('two')));
  /** What became of each step, or why not. */
  const states = async () =>
    Object.fromEntries(
      (await ran).steps.map(({ step, state, summary }) => [step, state === 'done' ? state : summary]),
    );
  return { project, ran, states };
}

describe('an agent that spoils the log', { timeout: 60_000 }, () => {
  const forged =
    '{"ts":"2026-03-01T00:00:00Z","type":"agent.completed","taskId":"%s","payload":{"step":"two","state":"done"},"docket":{"v":1,"type":"step.ended"}}';
  const spoils: Record<string, string> = {
    deletes: 'rm events.jsonl',
    empties: ': > events.jsonl',
    replaces: 'cp events.jsonl x; mv x events.jsonl',
    'forges a fact in': `printf '${forged}\\n' "$DOCKET_TASK_ID" >> events.jsonl`,
  };
  it.each(Object.entries(spoils))(
    '%s it: the run ends and says so, and so do the others',
    async (_, script) => {
      const slow = 'cat > /dev/null; echo $$ > pid; sleep 60';
      const vandal = `cat > /dev/null; while [ ! -s pid ]; do sleep 0.05; done; cd ".agentmesh/tasks/$DOCKET_TASK_ID"; ${script}`;
      const shell = (words: string) => ({ adapter: 'command', command: ['/bin/sh', '-c', words] });
      const project = await TaskProject.created({ vandal: shell(vandal), slow: shell(slow) });
      const ran = project.run(
        actions(subtask('one', '', { adapter: 'vandal' }), subtask('two', '', { adapter: 'slow' })),
      );
      await expect(ran).rejects.toMatchObject({ code: 'BAD_JOURNAL', exitCode: 2 });
      expect(processRow(Number(project.read('pid')))).toBeUndefined();
      fs.rmSync(project.dir, { recursive: true });
    },
  );

  it('adds nonsense to it: the work goes on, and the line is reported', async () => {
    const { project, states } = await vandalised('echo nonsense >> events.jsonl; sleep 0.2');
    expect(await states()).toEqual({ one: 'done', two: 'done' });
    expect(await (await project.tasks()).validate(project.id)).toMatchObject([{ severity: 'warning' }]);
  });

  it('leaves other tools their lines, and cuts off what is torn', async () => {
    const line = '{"ts":"2026-03-01T00:00:00Z","type":"tool.said","taskId":"%s"}';
    const said = `for i in 1 2 3 4 5; do printf '${line}\\n' "$DOCKET_TASK_ID" >> events.jsonl; sleep 0.03; done`;
    const { project, states } = await vandalised(`${said}; printf '{"ts":"20' >> events.jsonl; sleep 0.2`);
    expect(await states()).toEqual({ one: 'done', two: 'done' });
    expect(project.log('tool.said')).toHaveLength(5);
    expect(await (await project.tasks()).validate(project.id)).toEqual([]);
  });
});

describe('an agent that spoils other files', { timeout: 60_000 }, () => {
  it.each([
    'rm task.yaml',
    'echo "{{{" > task.yaml',
    'rm task.yaml; mkdir task.yaml',
    'rm task.yaml; mkfifo task.yaml',
    'ln -sf /dev/zero task.yaml',
  ])('%s: the work and its reports go on', async (script) => {
    const { project, states } = await vandalised(`${script}; sleep 0.3`);
    expect(await states()).toEqual({ one: 'done', two: 'done' });
    expect(project.finals()).toEqual({ one: 'success', two: 'success' });
    expect(project.text('README.md')).toContain('state: `completed`');
    expect((await (await project.tasks()).show(project.id)).task.status).toBe('done');
  });

  it.each([
    ['rm -rf agents/one/runtime; : > agents/one/runtime', 'a folder of the path is a file'],
    [
      'mv agents/one/runtime x; ln -s ../../x agents/one/runtime',
      'is a link where a folder of docket should be',
    ],
  ])('%s: that is its own failure', async (script, why) => {
    const { states } = await vandalised(`[ "$DOCKET_ATTEMPT" = 1 ] && { ${script}; }; sleep 1.2`);
    expect(await states()).toEqual({ one: containing(why), two: 'done' });
  });

  it('is not followed where it leads, when it puts a link in the place of shared/', async () => {
    const { project, ran } = await vandalised(
      'mkdir ../../../outside; rm -rf shared; ln -s ../../../outside shared; sleep 0.3',
      '{"status":"blocked","summary":"Which way?","questions":["Which way?"]}',
    );
    expect((await ran).task.status).toBe('blocked');
    expect(fs.readdirSync(path.join(project.root, 'outside'))).toEqual([]);
  });

  it.each([
    'rm shared/human-notes.md; mkfifo shared/human-notes.md',
    'ln -sf /etc/passwd shared/human-notes.md',
    'head -c 3000000 /dev/zero > shared/human-notes.md',
  ])('%s: its question stands, and only a command answers it', async (script) => {
    const asks = '{"status":"blocked","summary":"Which way?","questions":["Which way?"]}';
    const { project, ran } = await vandalised(`[ -e asked ] || { : > asked; ${script}; }; sleep 0.3`, asks);
    expect((await ran).task.status).toBe('blocked');
    expect(project.finals()).toEqual({ one: 'blocked', two: 'success' });
    await expect(project.resume()).rejects.toMatchObject({ exitCode: 2 });
    const notes = path.join(project.dir, 'shared/human-notes.md');
    fs.rmSync(notes);
    fs.writeFileSync(notes, '- What was there before.\n');
    await expect(project.resume()).rejects.toMatchObject({ code: 'NEEDS_PERSON', exitCode: 5 });
  });
});

describe('people and dockets at the same time', { timeout: 60_000 }, () => {
  it('runs a task once, however many try', async () => {
    const project = await TaskProject.created();
    const tries = [1, 2, 3].map(() => project.run(actions(honest('one'), honest('two'))));
    const ended = await Promise.allSettled(tries);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(project.log('agent.started')).toHaveLength(2);
  });

  it('takes one answer to a gate, however many come at once', async () => {
    const project = await TaskProject.ran(subtask('one', 'blocked'));
    const answers = [1, 2, 3, 4].map((n) => project.answer('gate-one', n % 2 ? 'approved' : 'rejected'));
    const ended = await Promise.allSettled(answers);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([...project.log('gate.approved'), ...project.log('gate.rejected')]).toHaveLength(1);
  });

  it('ends every agent of a task that is canceled while more are being started', async () => {
    const slow = { slow: { adapter: 'command', command: ['/bin/sh', '-c', 'cat > /dev/null; sleep 60'] } };
    const project = await TaskProject.created(slow);
    const names = Array.from({ length: 9 }, (_, n) => `s${n}`);
    let canceled: Promise<unknown> | undefined;
    const ran = await project.run(actions(...names.map((name) => subtask(name, '', { adapter: 'slow' }))), {
      parallel: 4,
      onProgress: () => void (canceled ??= project.tasks().then((tasks) => tasks.cancel(project.id, {}))),
    });
    await canceled;
    expect(ran.task.status).toBe('canceled');
    expect(project.leftovers()).toEqual([]);
    expect(project.log('agent.started').length).toBeLessThan(9);
  });

  it('keeps what a person writes into task.yaml while agents work, and ends them when it says canceled', async () => {
    const { project, ran } = await vandalised('sleep 2');
    await until('it works', () => project.log('agent.started').length > 1);
    project.edit('task.yaml', (text) => `${text.replace(/^title: .*/m, 'title: Mine')}# and a comment\n`);
    expect((await ran).task).toMatchObject({ status: 'done', title: 'Mine' });
    expect(project.text('task.yaml')).toContain('# and a comment');

    const other = await vandalised('sleep 60');
    await until('it works', () => other.project.log('agent.started').length > 1);
    other.project.edit('task.yaml', (text) => text.replace(/^state: .*/m, 'state: canceled'));
    expect((await other.ran).task.status).toBe('canceled');
    expect(other.project.leftovers()).toEqual([]);
  });
});

describe('what is attached', { timeout: 60_000 }, () => {
  async function promptWith(...names: string[]): Promise<string> {
    const project = await TaskProject.created();
    execFileSync('mkfifo', [path.join(project.root, 'pipe')]);
    fs.symlinkSync('/etc/passwd', path.join(project.root, 'link'));
    project.write('good.txt', 'Good words.');
    const attachments = names.map((name, n) => ({ id: `a${n}`, kind: 'file', path: name }));
    project.edit('shared/context-manifest.yaml', () => JSON.stringify({ attachments }));
    expect((await project.run(actions(subtask('one')))).task.status).toBe('done');
    return project.text('agents/one/runtime/prompt');
  }

  it('is read only where it is a file inside the root; the work goes on without the rest', async () => {
    const prompt = await promptWith('link', 'pipe', '.', 'none', 'good.txt');
    expect(prompt).toContain('Good words.');
    expect(prompt).not.toContain('root:');
    for (const name of ['../../../../../../etc/passwd', '/etc/passwd'])
      expect(await promptWith(name)).not.toContain('root:');
  });
});
