import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/surfaces/cli/frame/visible.ts';
import { directory, fakeDirectories, gate, runOf, waiting } from './fake-directories.ts';
import { docket, json } from './fake-world.ts';

const evil = 'a\u001B]0;x\u0007\r\n\u202Eb\tc 日本語';

describe('docket task list', () => {
  const list = (tasks: ReturnType<typeof directory>[], more: string[] = [], setting = {}) =>
    docket(['task', 'list', ...more], { directories: fakeDirectories({ tasks }).directories, ...setting });

  it('prints one aligned row per task: id, state, agents, title, what it waits for', async () => {
    const tasks = [
      waiting({
        'gate-b': gate(),
        'gate-c': gate({ reason: 'And?' }),
        'gate-a': gate({ state: 'approved' }),
      }),
      directory(
        { id: '三', title: '日本' },
        { roster: [{ state: 'completed' }, { state: 'pending' }, 'odd'] },
      ),
      directory({ id: 't3', status: 'failed', failure: { error: 'b broke' } }, { state: 'failed' }),
      directory(
        {
          id: 't4',
          status: 'running',
          run: runOf([{ id: 'x' }], { states: { x: { state: 'running', since: '' } } }),
        },
        { state: 'working' },
      ),
    ];
    const { code, stdout, stderr } = await list(tasks);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'task-1  input-required  1/2  Port the parser  [gate-b: Which port? (+1 more)]',
      '三      created         1/2  日本',
      't3      failed          -    Port the parser  [b broke]',
      't4      working         0/1  Port the parser  [1 running]',
      '',
    ]);
  });

  it.each([40, 60, 80, 120])('fits a terminal of %i columns, whatever models wrote', async (columns) => {
    const tasks = [
      waiting({ 'gate-b': gate({ reason: evil.repeat(9) }) }, { title: evil.repeat(20) }),
      directory({ id: 't2', title: '日本語'.repeat(60) }),
    ];
    const { stdout } = await list(tasks, ['--no-color'], { tty: true, columns });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('ID      STATE           AGENTS  TITLE');
    // The fixed columns and a little of the title are shown even where they fill the row.
    expect(lines.filter((line) => displayWidth(line) > Math.max(columns, 46))).toEqual([]);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
  });

  it('is JSON, with findings beside', async () => {
    const finding = {
      severity: 'error',
      path: 'bad/task.yaml',
      message: 'not YAML',
      fix: 'mend it',
    } as const;
    const { directories } = fakeDirectories({ tasks: [directory({}, { mine: 1 })], findings: [finding] });
    const plain = await docket(['task', 'list', '--quiet'], { directories });
    expect(plain.stderr).toBe('bad/task.yaml error not YAML\n  fix: mend it\n');
    const answer = json(await docket(['task', 'list', '--json'], { directories }));
    expect(answer).toMatchObject({
      ok: true,
      tasks: [{ id: 'task-1', status: 'queued', mine: 1 }],
      findings: [finding],
    });
  });

  it('tells how to begin', async () => {
    const ended = await list([]);
    expect([ended.code, ended.stdout]).toEqual([0, '']);
    expect(ended.stderr).toContain('docket task create');
  });
});

describe('docket task show', () => {
  const show = (one: ReturnType<typeof directory>, ...more: string[]) =>
    docket(['task', 'show', one.id, ...more], { directories: fakeDirectories({ tasks: [one] }).directories });

  it('tells all that matters, with the commands that answer the gates', async () => {
    const one = waiting({ 'gate-b': gate(), 'gate-a': gate({ state: 'approved' }) });
    const milestones = [
      { id: 'm1', state: 'done', title: 'Read' },
      null,
      { id: 'm2', state: 'pending', title: 'Write' },
    ];
    const ended = await show({ ...one, file: { ...one.file, milestones } }, '--root', '/my repo');
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout.split('\n')).toEqual([
      'id: task-1',
      'title: Port the parser',
      'state: input-required',
      'topology: swarm',
      'goal: Port it',
      'created: 2026-03-01T11:00:00Z (1h ago)',
      'updated: 2026-03-01T11:30:00Z (30m ago)',
      'steps: 2 (1 done, 1 blocked)',
      '  a  done     codex  Parsed it.',
      '  b  blocked  codex  Which port?',
      'gates: 2 (1 blocked, 1 approved)',
      '  gate-b of task-1  waits 12m  Which port?',
      `    docket gate approve task-1 gate-b --root '/my repo' --note "…"`,
      `    docket gate reject task-1 gate-b --root '/my repo' --note "…"`,
      'milestones: 2 (1 done, 1 pending)',
      '  m1  done     Read',
      '  m2  pending  Write',
      'files:',
      '  .agentmesh/tasks/task-1/README.md',
      '  .agentmesh/tasks/task-1/task.yaml',
      '  .agentmesh/tasks/task-1/events.jsonl',
      '  .agentmesh/tasks/task-1/shared/human-notes.md',
      '  .agentmesh/tasks/task-1/shared/state-board.md',
      '',
    ]);
  });

  it('says why a task stands still, and no gate of a task that is over', async () => {
    const run = runOf([], { gates: { 'gate-b': gate() }, joinedAt: '2026-03-01T12:00:00Z' });
    const over = directory({ status: 'canceled', canceledBecause: 'not needed', run });
    const { stdout } = await show(over);
    expect(stdout).toContain('why: not needed\n');
    expect(stdout).not.toContain('docket gate');
    expect(stdout).toContain('shared/reports/joined-summary.md\n');
  });

  it('lets nothing that a model wrote move the cursor or pose as a line of ours', async () => {
    const run = runOf([{ id: 'x', title: evil, agent: evil }], {
      goal: evil,
      states: { x: { state: 'failed', since: '', reason: evil } },
      gates: {
        'gate-x': gate({ reason: evil, options: [{ id: "'; rm -rf ~ #", kind: 'allow', text: evil }] }),
      },
    });
    const file = { state: evil, topology: evil, milestones: [{ id: evil, title: evil, state: evil }] };
    const { stdout } = await show(directory({ title: evil, run }, file));
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/);
    expect(stdout).toContain(String.raw`docket gate approve task-1 gate-x '--choice='\''; rm -rf ~ #'`);
  });

  it('is JSON in which no key of the file can pose as docket', async () => {
    const one = waiting({ 'gate-b': gate() });
    const file = { ...one.file, v: 9, ok: false, error: 'x', status: 'x', dir: '/', steps: 'x', mine: [1] };
    expect(json(await show({ ...one, file }, '--json'))).toMatchObject({
      v: 1,
      ok: true,
      id: 'task-1',
      status: 'blocked',
      dir: '.agentmesh/tasks/task-1',
      state: 'input-required',
      goal: 'Port it',
      mine: [1],
      steps: [
        { step: 'a', state: 'done', agent: 'codex', said: 'Parsed it.' },
        { step: 'b', state: 'blocked', said: 'Which port?' },
      ],
    });
    expect(json(await show({ ...one, file }, '--json'))).not.toHaveProperty('error');
  });
});
