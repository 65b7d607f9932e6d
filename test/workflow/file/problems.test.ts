import { describe, expect, it } from 'vitest';
import { compile, problemLines, step } from './shelf.ts';

describe('all problems at once, each with its place', () => {
  it('whatever kind they are of', () => {
    const found = compile(`name: main
personas: { unused: ./u.md }
steps:
  - name: plan
    persna: coder
    instruction: implement
    rules:
      - { condition: done, next: implemnt }
      - { condition: 'all("x")', next: COMPLETE }
      - { next: COMPLETE }
  - name: implement
    arpeggio: { source: csv }
    edit: maybe
`);
    expect(found.graph).toBeUndefined();
    expect(problemLines(found)).toEqual([
      expect.stringMatching(
        /^\/main\.yaml:5:5 error: unknown key "steps\[1\]\.persna" \(Did you mean "persona"\? /,
      ),
      '/main.yaml:6:18 warning: there is no instructions implement: the word itself is used as the text (write it)',
      '/main.yaml:8:34 error: there is no step "implemnt" (Did you mean "implement"?)',
      expect.stringMatching(/^\/main\.yaml:9:22 error: all\(…\) looks at parts, and this step has none/),
      expect.stringMatching(/^\/main\.yaml:10:9 error: the rule has no condition/),
      expect.stringMatching(/^\/main\.yaml:11:5 error: the step can never end: it has no rules/),
      '/main.yaml:12:5 error: not supported: "arpeggio" (Queue one task for each row of the data: docket add.)',
      expect.stringMatching(/^\/main\.yaml:13:11 error: .*must be true or false/),
    ]);
  });

  it.each([
    ['team_leader: { max_parts: 2 }', 'not supported: "team_leader"'],
    ['mcp_servers: {}', 'not supported: "mcp_servers"'],
    ['companion: x', 'not supported: "companion"'],
    ['promotion: [{ at: 3 }]', 'not supported: "promotion"'],
    ['dynamic_facets: { pool: x }', 'not supported: "dynamic_facets"'],
    ['uses: fragment', 'not supported: "uses"'],
    ['structured_output: { schema_ref: x }', 'not supported: "structured_output"'],
    ['kind: system', 'not supported: system steps'],
    ['mode: system', 'not supported: "mode"'],
    ['session: compact', 'not supported: session "compact"'],
    ['parallel: { fixed: [], pool: [] }', 'not supported: "parallel" with a pool'],
    ['report: ../../etc/passwd', 'is no name of a report'],
    ['report: /etc/passwd', 'is no name of a report'],
    ['report: .hidden', 'is no name of a report'],
    ['quality_gates: [{ type: command, command: ls, cwd: ../.. }]', 'leads out of the work tree'],
    ['quality_gates: [{ type: command, command: ls, cwd: /tmp }]', 'leads out of the work tree'],
    ['quality_gates: [{ type: webhook, command: ls }]', 'must be "command"'],
    ['concurrency: 2', 'only "parallel" has "concurrency"'],
    ['persona: nobody', 'there is no personas nobody'],
    ['knowledge: ./gone.md', 'there is no file ./gone.md'],
  ])('%s', (lines, problem) => {
    const { graph, problems } = compile(step(lines));
    expect(graph).toBeUndefined();
    expect(problems.map(({ message }) => message).join('\n')).toContain(problem);
    expect(problems[0]).toMatchObject({ file: '/main.yaml', line: 4 });
  });

  it.each([['facet_pools: {}'], ['all_steps: { rules: [] }'], ['schemas: {}'], ['mcp_servers: {}']])(
    '%s at the top',
    (line) => {
      expect(problemLines(compile(step('edit: true', line)))[0]).toContain('not supported');
    },
  );

  it('tells what has no effect, and goes on', () => {
    const found = compile(
      step('provider_options: { claude: { allowed_tools: [Read] } }\ntags: [a]', 'interactive_mode: quiet'),
    );
    expect(found.graph).toBeDefined();
    expect(found.problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: "provider_options" has no effect',
      'warning: "tags" has no effect',
      'warning: "interactive_mode" has no effect',
    ]);
  });

  it.each([
    ['', 'it has no steps'],
    ['steps: []', 'must be a list of at least 1'],
    ['- a', 'It has no keys'],
    ['steps: [', 'Flow sequence'],
    ['a: 1\na: 2', 'Map keys must be unique'],
    ['['.repeat(100_000), 'Too many levels of nesting'],
    ['a: &a [1,1,1]\nb: &b [*a,*a]\nsteps: *b', 'unknown key'],
    ['__proto__: { steps: [] }', '__proto__'],
    ['steps:\n  - name: COMPLETE\n    rules: [{ condition: true, next: ABORT }]', 'is the name of an end'],
    [
      'steps:\n  - { name: a, rules: [{ condition: x, next: COMPLETE }] }\n  - { name: a, rules: [{ condition: x, next: COMPLETE }] }',
      'two steps "a"',
    ],
    [
      'initial_step: b\nsteps:\n  - { name: a, rules: [{ condition: x, next: COMPLETE }] }',
      'there is no step "b"',
    ],
  ])('%j', (text, problem) => {
    const { graph, problems } = compile(text);
    expect(graph).toBeUndefined();
    expect(problems.map(({ message }) => message).join('\n')).toContain(problem);
  });
});

describe('what a graph that holds together has against it', () => {
  it('names steps that nothing leads to or that never end, and entries that nobody uses', () => {
    const found = compile(
      `
knowledge: { used: ./u.md, spare: ./s.md }
steps:
  - { name: a, knowledge: used, rules: [{ condition: x, next: COMPLETE }, { condition: y, next: b }] }
  - { name: b, rules: [{ condition: x, next: c }] }
  - { name: c, rules: [{ condition: x, next: b }] }
  - { name: lonely, rules: [{ condition: x, next: COMPLETE }] }
`,
      { files: { './u.md': 'U', './s.md': 'S' } },
    );
    expect(found.graph).toBeDefined();
    expect(problemLines(found)).toEqual([
      '/main.yaml:2:28 warning: no step uses "knowledge.spare" (Use it, or take it out.)',
      expect.stringContaining(':5:5 warning: no way from "b" leads to an end'),
      expect.stringContaining(':6:5 warning: no way from "c" leads to an end'),
      expect.stringContaining(':7:5 warning: no rule leads to "lonely"'),
    ]);
  });

  it('a judge may be the way out', () => {
    const found = compile(`
steps:
  - { name: b, rules: [{ condition: x, next: c }] }
  - { name: c, rules: [{ condition: x, next: b }] }
loop_monitors:
  - { cycle: [b, c], judge: { rules: [{ condition: go on, next: b }, { condition: stop, next: ABORT }] } }
`);
    expect(found.problems).toEqual([]);
  });

  it('labels that no part can choose, and conditions that are there twice', () => {
    const found = compile(`
steps:
  - name: reviews
    parallel:
      - { name: a, rules: [{ condition: approved }] }
      - { name: b, rules: [{ condition: approved }, { condition: bad }] }
    rules:
      - { condition: all("aproved"), next: COMPLETE }
      - { condition: any("bad"), next: ABORT }
      - { condition: any("bad"), next: COMPLETE }
      - { condition: 'all("approved", "bad", "x")', next: COMPLETE }
`);
    expect(found.problems.map(({ message, fix }) => `${message} (${fix})`)).toEqual([
      'no part can choose "aproved" (Did you mean "approved"?)',
      expect.stringContaining('the condition "any(\\"bad\\")" is there twice'),
      expect.stringContaining('all(…) has 3 labels for 2 parts'),
    ]);
  });
});
