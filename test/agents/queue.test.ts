import { expect, it } from 'vitest';
import { ended } from '../support/child.ts';
import { hands } from './real-codex.ts';
import { RealQueue } from './real-queue.ts';
import { claudeSetup } from './setup/claude.ts';
import { codexSetup } from './setup/codex.ts';
import { geminiSetup } from './setup/gemini.ts';

const writes = (text: string) => ({ do: [{ shell: `echo ${text} > a.txt` }] });

it('one step of codex: changed in a clone, committed on the branch of the task, and nowhere else', async () => {
  const queue = await RealQueue.with([codexSetup], { polite: [writes('good day'), hands('It is polite.')] });
  const main = queue.git('rev-parse', 'main');
  await queue.add('polite', 'Make it polite [[polite]]');
  expect(await queue.docket('run')).toMatchObject({ code: 0 });
  const { task, noted, steps } = await queue.shown('polite');
  expect(task).toMatchObject({ status: 'done', summary: 'It is polite.' });
  expect(steps).toMatchObject([{ step: 'work', state: 'done', agent: 'codex', chose: { by: 'only' } }]);
  const { branch = '', commit } = noted;
  expect(branch).toMatch(/^takt\/\d{8}T\d{6}-make-it-polite/);
  expect(queue.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n')).toEqual([
    'main',
    branch,
  ]);
  expect(queue.git('rev-parse', branch)).toBe(`${commit}\n`);
  expect(queue.git('rev-parse', `${branch}^`)).toBe(main);
  expect(queue.git('diff', '--name-only', 'main', branch)).toBe('a.txt\n');
  expect(queue.git('show', `${branch}:a.txt`)).toBe('good day\n');
  expect([queue.git('rev-parse', 'main'), queue.read('a.txt')]).toEqual([main, 'one\n']);
  expect(queue.git('symbolic-ref', '--short', 'HEAD')).toBe('main\n');
  expect(queue.git('status', '--porcelain')).toBe('');
  expect(queue.leftovers()).toEqual([]);
});

/** Who plans and reviews may only read, and is of another vendor than who writes. */
const rounds = `
name: rounds
steps:
  - name: plan
    persona: planner
    provider: claude
    edit: false
    instruction: Say what to change. [[plan{step_iteration}]]
    rules:
      - { condition: the plan is made, next: implement }
      - { condition: it cannot be done, next: ABORT }
  - name: implement
    persona: coder
    provider: codex
    edit: true
    instruction: Do it. [[implement{step_iteration}]]
    quality_gates:
      - { type: command, name: greeting, command: "grep day a.txt || { echo no day in it; exit 1; }" }
    rules:
      - { condition: it is done, next: review }
      - { condition: the plan is wrong, next: plan }
  - name: review
    persona: reviewer
    provider: claude
    edit: false
    instruction: Look at it. [[review{step_iteration}]]
    rules:
      - { condition: approved, next: COMPLETE }
      - { condition: changes are needed, next: fix }
  - name: fix
    persona: coder
    provider: codex
    edit: true
    instruction: Settle it. [[fix{step_iteration}]]
    rules:
      - { condition: settled, next: review }
      - { condition: it cannot be settled, next: ABORT }
`;

it('two vendors plan, write, review and fix, each in its own conversations', async () => {
  const queue = await RealQueue.with([codexSetup, claudeSetup], {
    plan1: [{ text: 'Say good day in a.txt.\n\n[PLAN:1]' }],
    // The command finds what is wrong, and the same conversation hears of it.
    implement1: [writes('hello'), { text: 'Done.\n[IMPLEMENT:1]' }, writes('day'), { text: '[IMPLEMENT:1]' }],
    // No tag: a judge, who reads this answer, has to say what it means.
    review1: [{ text: 'It should be a good day, not any day. [[judge]]' }],
    judge: [{ text: '[JUDGE:2]' }],
    fix1: [writes('good day'), { text: 'It is good now.\n[FIX:1]' }],
    review2: [{ text: 'Fine.\n[REVIEW:1]' }],
  });
  queue.workflow('rounds', rounds);
  await queue.add('greet', 'Greet people', '--workflow', 'rounds');
  expect(await queue.docket('run')).toMatchObject({ code: 0 });

  const { task, noted, steps } = await queue.shown('greet');
  expect(task.status).toBe('done');
  expect(
    steps.map(({ step, agent, attempt, chose }) => [step, agent, attempt, chose?.text, chose?.by]),
  ).toEqual([
    ['plan', 'claude', 1, 'the plan is made', 'tag'],
    ['implement', 'codex', 2, 'it is done', 'tag'],
    ['review', 'claude', 1, 'changes are needed', 'judge'],
    ['fix', 'codex', 1, 'settled', 'tag'],
    ['review--2', 'claude', 1, 'approved', 'tag'],
  ]);
  expect(queue.played()).toEqual(['plan1', 'implement1', 'review1', 'judge', 'fix1', 'review2']);
  expect(queue.git('show', `${noted.branch}:a.txt`)).toBe('good day\n');

  // What each vendor really sent of the turns before, and to whom.
  const seen = (name: string) => queue.model.requests.find((request) => request.name === name)?.seen;
  expect(seen('implement1')).toEqual(['implement1']);
  expect(seen('judge')).toEqual(['judge']);
  expect(seen('fix1')).toEqual(['implement1', 'judge', 'fix1']);
  expect(seen('review2')).toEqual(['review1', 'review2']);
  expect(queue.heard('implement1')).toContain('Say good day in a.txt.');
  expect(queue.heard('fix1')).toMatch(
    /user: [^]*\[\[implement1]][^]*user: [^]*no day in it[^]*assistant: \[IMPLEMENT:1][^]*user: [^]*not any day[^]*\[\[fix1]]/,
  );
  const sessions = Object.fromEntries(
    Object.entries(task.attempts ?? {}).map(([id, one]) => [id, one.session]),
  );
  expect(sessions['fix']).toBe(sessions['implement']);
  expect(sessions['review--2']).toBe(sessions['review']);
  expect(new Set(Object.values(sessions)).size).toBe(4);
  expect(queue.leftovers()).toEqual([]);
});

it('docket is killed while codex works: the next one goes on, and nobody is asked twice', async () => {
  const queue = await RealQueue.with([codexSetup, claudeSetup], {
    plan1: [{ text: 'Say good day in a.txt.\n\n[PLAN:1]' }],
    implement1: [{ ...writes('good day'), delayMs: 1500 }, { text: 'Done.\n[IMPLEMENT:1]' }],
    review1: [{ text: 'Fine.\n[REVIEW:1]' }],
  });
  queue.workflow('rounds', rounds);
  await queue.add('greet', 'Greet people', '--workflow', 'rounds');
  const first = queue.start('run');
  const over = ended(first);
  await queue.model.arrived('implement1');
  first.kill('SIGKILL');
  expect(await over).toMatchObject({ signal: 'SIGKILL' });

  expect(await queue.docket('run')).toMatchObject({ code: 0 });
  const { task, noted, steps } = await queue.shown('greet');
  expect(task.status).toBe('done');
  expect(steps.map(({ step, state }) => [step, state])).toEqual([
    ['plan', 'done'],
    ['implement', 'done'],
    ['review', 'done'],
  ]);
  expect(queue.model.requests.map(({ name, step }) => [name, step])).toEqual([
    ['plan1', 0],
    ['implement1', 0],
    ['implement1', 1],
    ['review1', 0],
  ]);
  expect(queue.git('show', `${noted.branch}:a.txt`)).toBe('good day\n');
  expect(queue.git('rev-list', '--count', `main..${noted.branch}`)).toBe('1\n');
  expect(queue.leftovers()).toEqual([]);
});

const readers = [codexSetup, claudeSetup, geminiSetup];

it('a step that may only read cannot write, whoever takes it', async () => {
  // The words come with the tries: a CLI that offers no such tool ends with them.
  const scenario = readers.map(({ name }) => {
    const text = `Tried.\n[BY-${name}:1]`;
    const tries = [{ write: { path: 'tool.txt', content: 'no\n' } }, { shell: 'echo no > shell.txt' }];
    return [name, [{ do: tries, text }, { text }]] as const;
  });
  const queue = await RealQueue.with(readers, Object.fromEntries(scenario));
  const parts = readers.map(
    ({ name }) => `
      - name: by-${name}
        provider: ${name}
        edit: false
        instruction: Look only. [[${name}]]
        rules: [{ condition: seen }, { condition: not seen }]`,
  );
  const rules = 'rules: [{ condition: all("seen"), next: COMPLETE }, { condition: true, next: ABORT }]';
  queue.workflow('look', `name: look\nsteps:\n  - name: all\n    ${rules}\n    parallel:${parts.join('')}\n`);
  await queue.add('look', 'Look at it', '--workflow', 'look');
  const { code } = await queue.docket('run');

  const { noted, steps } = await queue.shown('look');
  expect(steps.map(({ step, state, chose }) => [step, state, chose?.by])).toEqual([
    ...readers.map(({ name }) => [`by-${name}`, 'done', 'tag']),
    ['all', 'done', 'parts'],
  ]);
  expect(code).toBe(0);
  // Nothing was written because it was refused, not because nobody tried.
  for (const { name } of readers) {
    const [first] = queue.model.requests.filter((request) => request.name === name);
    expect([name, (first?.called ?? []).length + (first?.missing ?? []).length]).toEqual([name, 2]);
  }
  expect(queue.git('diff', '--name-only', 'main', noted.commit ?? '')).toBe('');
  expect(queue.git('-C', noted.workspace ?? '', 'status', '--porcelain', '--ignored')).toBe('');
  expect(queue.leftovers()).toEqual([]);
});
