import { describe, expect, it } from 'vitest';
import { edits, reports, says, WorkflowProject } from '../support/queue-workflow.ts';

const over = [{ condition: 'it is over', next: 'COMPLETE' }];

describe('a command that a step must pass', { timeout: 60_000 }, () => {
  const written = { report: { status: 'success', summary: 'written' } };
  const gated = {
    name: 'work',
    instruction: 'Write it.',
    edit: true,
    quality_gates: [
      'It reads well',
      {
        type: 'command',
        name: 'three lines',
        command: 'echo "has $(wc -l < a.txt) lines"; test $(wc -l < a.txt) = 3',
      },
    ],
    rules: over,
  };

  it('fails twice and passes: the same step mends it in the same conversation', async () => {
    const project = new WorkflowProject([
      {
        step: 'work',
        turns: ['one\n', 'one\ntwo\n', 'one\ntwo\nthree\n'].map((text) => [edits('a.txt', text), written]),
      },
    ]);
    project.workflow('gated', [gated]);
    project.task('it', 'gated', { worktree: true });
    expect((await project.docket('run')).code).toBe(0);
    const { task } = await project.show('it');
    expect(task.attempts['work']?.n).toBe(3);
    const [first, second, third] = project.prompts('work');
    expect(first).toContain('It reads well');
    expect(second).toContain('three lines');
    expect(second).toContain('has 1 lines');
    expect(third).toContain('has 2 lines');
    expect(await project.sessionsOf('it', 'work')).toHaveLength(1);
    expect(project.git('show', `${String(project.record()?.['branch'])}:a.txt`)).toBe('one\ntwo\nthree\n');
  });

  it('never passes: a person is asked, with what it said', async () => {
    const project = new WorkflowProject([reports('work', 'written', edits('a.txt', 'one\n'))]);
    project.workflow('gated', [gated]);
    project.task('it', 'gated');
    expect((await project.docket('run')).code).toBe(5);
    const { task } = await project.show('it');
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
    expect(task.reason?.text).toContain('has 1 lines');
  });
});

describe('steps at once', { timeout: 60_000 }, () => {
  const part = (name: string) => ({
    name,
    instruction: 'Look at it.',
    edit: false,
    rules: [{ condition: 'approved' }, { condition: 'rejected' }],
  });
  const reviews = (rules: object[]) => [
    { name: 'reviews', parallel: [part('wide'), part('deep')], rules },
    { name: 'mend', instruction: 'Mend it.', rules: [{ condition: 'mended', next: 'reviews' }] },
  ];

  it('all() wants every part, any() one: it goes round until all agree', async () => {
    const project = new WorkflowProject([
      says('wide', 'Fine. [WIDE:1]'),
      says('deep', 'No. [DEEP:2]'),
      reports('mend', 'Mended.'),
      says('wide--2', 'Fine. [WIDE:1]'),
      says('deep--2', 'Fine now. [DEEP:1]'),
    ]);
    project.workflow(
      'both',
      reviews([
        { condition: 'all("approved")', next: 'COMPLETE' },
        { condition: 'any("rejected")', next: 'mend' },
      ]),
    );
    project.task('it', 'both');
    expect((await project.docket('run')).code).toBe(0);
    const way = await project.way('it');
    expect(way.filter((step) => !/^(wide|deep)/.test(step))).toEqual([
      'reviews done: any("rejected") (parts)',
      'mend done: mended (only)',
      'reviews--2 done: all("approved") (parts)',
    ]);
    expect(way.filter((step) => /^(wide|deep)/.test(step))).toHaveLength(4);
    expect(project.prompts('mend')[0]).toContain('No. [DEEP:2]');
    expect(project.prompts('mend')[0]).toContain('### wide');
  });

  it('a part that fails is no approval: nothing is lost, and a retry does that part alone', async () => {
    const failing = { step: 'deep', steps: [{ report: { status: 'failed', summary: 'I cannot see' } }] };
    const project = new WorkflowProject([says('wide', 'Fine. [WIDE:1]'), failing]);
    project.workflow('both', reviews([{ condition: 'all("approved")', next: 'COMPLETE' }]));
    project.task('it', 'both');
    expect((await project.docket('run')).code).not.toBe(0);
    expect((await project.show('it')).task.status).not.toBe('done');
    project.script([says('deep', 'Fine. [DEEP:1]')]);
    expect((await project.docket('retry', 'it')).code).toBe(0);
    expect((await project.docket('run')).code).toBe(0);
    expect(project.record()?.status).toBe('completed');
    expect((await project.show('it')).task.attempts['wide']?.n).toBe(1);
  });
});

it('a workflow calls another, and goes on where that one leads', { timeout: 60_000 }, async () => {
  const project = new WorkflowProject([
    reports('begin', 'Begun.'),
    says('check-look', 'There is something. [CHECK/LOOK:2]'),
    reports('mend', 'Mended.'),
    says('check-look--2', 'All well. [CHECK/LOOK:1]'),
  ]);
  project.workflow('inner', [
    {
      name: 'look',
      instruction: 'Look at it.',
      rules: [
        { condition: 'all is well', next: 'COMPLETE' },
        { condition: 'something is there', next: 'ABORT' },
      ],
    },
  ]);
  project.workflow('outer', [
    { name: 'begin', instruction: 'Begin it.', rules: [{ condition: 'begun', next: 'check' }] },
    {
      name: 'check',
      kind: 'workflow_call',
      call: 'inner',
      rules: [
        { condition: 'COMPLETE', next: 'COMPLETE' },
        { condition: 'ABORT', next: 'mend' },
      ],
    },
    { name: 'mend', instruction: 'Mend it.', rules: [{ condition: 'mended', next: 'check' }] },
  ]);
  project.task('it', 'outer');
  expect((await project.docket('run')).code).toBe(0);
  expect((await project.way('it')).map((step) => step.split(' ')[0])).toEqual([
    'begin',
    'check-look',
    'mend',
    'check-look--2',
  ]);
});

it('a circle is judged after so many rounds, and then goes on', { timeout: 60_000 }, async () => {
  const project = new WorkflowProject([
    says('ask', 'No. [ASK:2]'),
    says('ask--2', 'No. [ASK:2]'),
    reports('answer', 'Here.'),
    reports('answer--2', 'Here.'),
    says('judge-ask-answer', 'Once more. [JUDGE-ASK-ANSWER:1]'),
    says('ask--3', 'Yes. [ASK:1]'),
  ]);
  project.workflow(
    'circle',
    [
      {
        name: 'ask',
        instruction: 'Is it so?',
        rules: [
          { condition: 'yes', next: 'COMPLETE' },
          { condition: 'no', next: 'answer' },
        ],
      },
      { name: 'answer', instruction: 'Answer it.', rules: [{ condition: 'answered', next: 'ask' }] },
    ],
    {
      loop_monitors: [
        {
          cycle: ['ask', 'answer'],
          threshold: 2,
          judge: {
            rules: [
              { condition: 'it gets better', next: 'ask' },
              { condition: 'it does not', next: 'ABORT' },
            ],
          },
        },
      ],
    },
  );
  project.task('it', 'circle');
  expect((await project.docket('run')).code).toBe(0);
  expect((await project.way('it')).map((step) => step.split(' ')[0])).toEqual([
    'ask',
    'answer',
    'ask--2',
    'answer--2',
    'judge-ask-answer',
    'ask--3',
  ]);
});

describe('sessions', { timeout: 60_000 }, () => {
  it('one persona has one conversation, another has its own, and a fresh one is new', async () => {
    const step = (name: string, next: string, more: object) => ({
      name,
      instruction: 'Do your part.',
      rules: [{ condition: 'done with it', next }],
      ...more,
    });
    const project = new WorkflowProject(
      ['one', 'two', 'three', 'four'].map((name) => reports(name, `said ${name}`)),
    );
    project.workflow('talk', [
      step('one', 'two', { persona: 'coder' }),
      step('two', 'three', { persona: 'reviewer' }),
      step('three', 'four', { persona: 'coder' }),
      step('four', 'COMPLETE', { persona: 'coder', session: 'refresh' }),
    ]);
    project.task('it', 'talk');
    expect((await project.docket('run')).code).toBe(0);
    const { attempts } = (await project.show('it')).task;
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => attempts[name]?.session);
    expect(three).toBe(one);
    expect(new Set([one, two, four]).size).toBe(3);
  });
});

describe('what a step may do', { timeout: 60_000 }, () => {
  it('a step that may only read, and writes all the same, is held; what it did is told', async () => {
    const project = new WorkflowProject([], {
      agents: {
        sh: { adapter: 'command', command: ['sh', '-c', 'cat > /dev/null; echo x > sneaky.txt; echo done'] },
      },
      defaultAgent: 'sh',
    });
    project.workflow('look', [{ name: 'look', instruction: 'Only look.', edit: false, rules: over }]);
    project.task('it', 'look');
    expect((await project.docket('run')).code).toBe(5);
    const { task } = await project.show('it');
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'scope' } });
    expect(task.reason?.text).toContain('sneaky.txt');
  });

  it('a floor that the settings do not give is asked for, not taken', async () => {
    const project = new WorkflowProject([reports('work', 'done')]);
    project.workflow('wants', [
      { name: 'work', instruction: 'Do it all.', required_permission_mode: 'full', rules: over },
    ]);
    project.task('it', 'wants');
    expect((await project.docket('run')).code).toBe(5);
    const { task } = await project.show('it');
    expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'setup' } });
    expect(task.reason?.text).toContain('permission: full');
    expect(project.events('attempt.started')).toEqual([]);
  });
});
