import { describe, expect, it } from 'vitest';
import { compile, graphOf, nodeOf, problemLines, step } from './shelf.ts';

describe('both vocabularies', () => {
  it('the older words say the same as the newer ones', () => {
    const older = graphOf(`
name: main
max_movements: 7
initial_movement: plan
piece_config: { provider: claude-sdk, model: opus }
movements:
  - name: plan
    agent: Plan with care and say why.
    instruction_template: Plan {task}
    report: 00-plan.md
    rules:
      - { condition: planned, next: COMPLETE }
`);
    const newer = graphOf(`
name: main
max_steps: 7
initial_step: plan
workflow_config: { provider: { type: claude, model: opus } }
steps:
  - name: plan
    persona: Plan with care and say why.
    instruction: Plan {task}
    output_contracts: { report: [{ name: 00-plan.md }] }
    rules:
      - { condition: planned, next: COMPLETE }
`);
    expect(older).toEqual(newer);
    expect(older).toMatchObject({
      maxSteps: 7,
      start: 'plan',
      nodes: { plan: { agent: 'claude', model: 'opus' } },
    });
  });

  it('max_iteration is the oldest word of all, 30 the default, and infinite no limit', () => {
    expect(graphOf(step('edit: true', 'max_iteration: 4')).maxSteps).toBe(4);
    expect(graphOf(step('edit: true')).maxSteps).toBe(30);
    expect(graphOf(step('edit: true', 'max_steps: infinite')).maxSteps).toBeUndefined();
  });

  it('both at once is a mistake', () => {
    expect(problemLines(compile(step('edit: true', 'max_steps: 3\nmax_movements: 4')))).toEqual([
      expect.stringContaining('"max_movements" is the older word for "max_steps"'),
    ]);
  });
});

describe('a step', () => {
  it('has every text in it', () => {
    const graph = graphOf(
      step(`
description: It works
persona: coder
policy: [careful, ./own/rules.md]
knowledge: "Two words of background."
instruction: [implement, "And say so."]
pass_previous_response: false
quality_gates:
  - Tests are there
  - { type: command, name: unit, command: npm test, cwd: packages/a, timeout_ms: 9000 }
edit: true
required_permission_mode: full
allow_git_commit: true
session: refresh
session_key: shared
provider: codex
model: gpt
output_contracts:
  report:
    - { name: a.md, format: plan, use_judge: false }
    - { name: b.md, format: "Any form will do.", order: "Write it last of all." }
report:
  - Scope: c.md`),
      {
        facets: {
          personas: { coder: 'You code.\n' },
          policies: { careful: 'Be careful.' },
          instructions: { implement: 'Do {task} as {var:mode}.' },
          report_formats: { plan: '# Plan' },
        },
        files: { './own/rules.md': 'My rules.' },
      },
    );
    expect(nodeOf(graph, 'work')).toEqual({
      id: 'work',
      title: 'work',
      kind: 'work',
      role: 'coder',
      agent: 'codex',
      model: 'gpt',
      permission: 'edit',
      floor: 'full',
      commits: true,
      session: { mode: 'fresh', key: 'shared' },
      prompt: {
        persona: 'You code.',
        knowledge: [{ name: 'knowledge', text: 'Two words of background.' }],
        instruction: 'Do {task} as unspecified.\n\nAnd say so.',
        criteria: ['Tests are there'],
        policy: [
          { name: 'careful', text: 'Be careful.' },
          { name: 'rules', text: 'My rules.' },
        ],
        passPrevious: false,
      },
      reports: [
        { name: 'a.md', format: '# Plan', judged: false },
        { name: 'b.md', format: 'Write it last of all.\n\nAny form will do.', judged: true },
        { name: 'c.md', format: '', judged: true },
      ],
      checks: [{ name: 'unit', command: 'npm test', cwd: 'packages/a', timeoutMs: 9000 }],
      rules: [
        {
          condition: { kind: 'when', expression: { op: 'value', value: true } },
          text: 'true',
          next: { end: 'done' },
        },
      ],
    });
  });

  it('may say nothing of rights: the settings do', () => {
    const { permission, floor, commits, agent } = nodeOf(graphOf(step('description: x')), 'work');
    expect([permission, floor, commits, agent]).toEqual([undefined, undefined, undefined, undefined]);
    expect(nodeOf(graphOf(step('edit: false')), 'work').permission).toBe('read');
    expect(nodeOf(graphOf(step('permission_mode: bypassPermissions')), 'work').permission).toBe('full');
  });

  it('of commands has no agent', () => {
    const text = (commands: string) => `
steps:
  - name: verify
    kind: checks
    commands: ${commands}
    rules:
      - { condition: passed, next: COMPLETE }
      - { condition: failed, next: ABORT }
`;
    const node = nodeOf(graphOf(text('[npm test, { name: types, command: tsc }]')), 'verify');
    expect(node).toMatchObject({
      kind: 'checks',
      checks: [
        { name: 'npm test', command: 'npm test' },
        { name: 'types', command: 'tsc' },
      ],
    });
    const acceptance = [{ name: 'all', command: 'make check' }];
    expect(nodeOf(graphOf(text('project'), {}, { acceptance }), 'verify').checks).toEqual(acceptance);
    expect(nodeOf(graphOf(text('project')), 'verify').checks).toEqual([]);
    expect(
      problemLines(compile(text('project').replace('condition: failed', 'condition: unclear')))[0],
    ).toContain('commands cannot say "unclear"');
  });

  it('with parts is a fan, and no two parts share a conversation', () => {
    const graph = graphOf(`
steps:
  - name: reviews
    concurrency: 2
    parallel:
      - { name: a, persona: A careful reader., persona_name: reviewer, rules: [{ condition: ok }, { condition: bad }] }
      - { name: b, persona: A careful reader., persona_name: reviewer, rules: [{ condition: ok }, { condition: bad }] }
    rules:
      - { condition: all("ok"), next: COMPLETE }
      - { condition: any("bad"), next: ABORT }
`);
    expect(nodeOf(graph, 'reviews')).toMatchObject({ kind: 'fan', parts: ['a', 'b'], slots: 2 });
    expect([nodeOf(graph, 'a'), nodeOf(graph, 'b')].map(({ session }) => session.key)).toEqual([
      'reviewer',
      'reviewer/b',
    ]);
  });

  it('has an id that is safe everywhere', () => {
    const names = ['Plan -- it!', 'plan it', 'constructor', '__proto__', '設計', '検証', 'Prüfung', 'a/b'];
    const steps = names.map(
      (name) => `  - { name: ${JSON.stringify(name)}, rules: [{ condition: true, next: COMPLETE }] }`,
    );
    const graph = graphOf(`steps:\n${steps.join('\n')}`);
    const ids = Object.keys(graph.nodes);
    expect(ids).toEqual([
      'plan-it',
      'plan-it-2',
      'constructor-step',
      '__proto__-step',
      'step',
      'step-2',
      'prufung',
      'a-b',
    ]);
    expect(ids.filter((id) => id.includes('--') || id in {})).toEqual([]);
    expect(Object.values(graph.nodes).map(({ title }) => title)).toEqual(names);
  });
});

describe('rules', () => {
  it('keep what goes with them', () => {
    const graph = graphOf(`
steps:
  - name: work
    rules:
      - { when: context.iteration > 3, next: ABORT }
      - { condition: ask the user, next: work, requires_user_input: true, appendix: Say what is missing. }
      - { condition: chat, next: work, interactive_only: true }
      - { condition: 'ai("is it done?")', next: COMPLETE }
`);
    expect(nodeOf(graph, 'work').rules).toMatchObject([
      { text: 'context.iteration > 3', condition: { kind: 'when' }, next: { end: 'failed' } },
      { text: 'ask the user', asks: true, appendix: 'Say what is missing.', next: { step: 'work' } },
      { condition: { kind: 'judge', text: 'is it done?' } },
    ]);
  });
});

describe('a monitor', () => {
  it('has a node that judges, and never judges in a conversation of others', () => {
    const graph = graphOf(`
steps:
  - { name: review, rules: [{ condition: ok, next: COMPLETE }, { condition: bad, next: fix }] }
  - { name: fix, rules: [{ condition: done, next: verify }] }
  - { name: verify, rules: [{ condition: done, next: review }] }
loop_monitors:
  - cycle: [review, fix]
    ignore_steps: [verify]
    threshold: 4
    judge:
      instruction: "After {cycle_count} rounds: is it worth it?"
      rules: [{ condition: go on, next: review }, { condition: stop, next: ABORT }]
`);
    expect(graph.monitors).toEqual([
      { cycle: ['review', 'fix'], threshold: 4, ignore: ['verify'], judge: 'judge-review-fix' },
    ]);
    expect(nodeOf(graph, 'judge-review-fix')).toMatchObject({
      permission: 'read',
      session: { mode: 'fresh', key: 'judge-review-fix' },
      prompt: { instruction: 'After 4 rounds: is it worth it?' },
      rules: [{ next: { step: 'review' } }, { next: { end: 'failed' } }],
    });
  });
});

describe('a text that extends another', () => {
  it('holds it, through several files', () => {
    const personas = {
      coder: '{extends:base}\nYou code.',
      base: '{extends:root}\nYou care.',
      root: 'You are here.',
    };
    const graph = graphOf(step('persona: coder'), { facets: { personas } });
    expect(nodeOf(graph, 'work').prompt.persona).toBe('You are here.\nYou care.\nYou code.');
  });

  it('is told where that leads in a circle or nowhere', () => {
    const personas = { a: '{extends:b}', b: '{extends:a}', lost: '{extends:gone}' };
    expect(problemLines(compile(step('persona: a'), { facets: { personas } }))).toEqual([
      expect.stringMatching(/main\.yaml:4:14 error: .*b\.md: there is no personas a/),
    ]);
    expect(problemLines(compile(step('persona: lost'), { facets: { personas } }))[0]).toContain(
      'there is no personas gone',
    );
  });
});
