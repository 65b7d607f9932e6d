import { describe, expect, it } from 'vitest';
import { deepestCall } from '../../../src/workflow/graph.ts';
import { compile, graphOf, nodeOf, problemLines } from './shelf.ts';

const child = `
name: child
subworkflow: { callable: true, returns: [needs_fix], params: { rules: { type: 'facet_ref[]', facet_kind: policy, default: [] } } }
steps:
  - name: look
    policy: [{ $param: rules }, strict]
    instruction: "Look in {var:mode} mode."
    rules:
      - { condition: fine, next: COMPLETE }
      - { condition: not fine, return: needs_fix, appendix: Name the worst. }
      - { condition: hopeless, next: ABORT }
`;
const facets = { policies: { strict: 'Be strict.', kind: 'Be kind.' } };

function main(call: string): string {
  return `
steps:
  - { name: work, rules: [{ condition: done, next: check }] }
  - name: check
    ${call}
    rules:
      - { condition: COMPLETE, next: COMPLETE }
      - { condition: needs_fix, next: work, appendix: It comes from a review. }
`;
}

describe('a call', () => {
  it('becomes the steps of what is called, tied to the rules of the caller', () => {
    const text = main('call: child\n    args: { rules: kind }\n    vars: { mode: "deep" }');
    const graph = graphOf(text, { facets, workflows: { child } });
    expect(Object.keys(graph.nodes)).toEqual(['work', 'check-look']);
    expect(nodeOf(graph, 'work').rules[0]?.next).toEqual({ step: 'check-look' });
    expect(nodeOf(graph, 'check-look')).toMatchObject({
      title: 'check/look',
      prompt: { instruction: 'Look in deep mode.', policy: [{ text: 'Be kind.' }, { text: 'Be strict.' }] },
      rules: [
        { next: { end: 'done' } },
        { next: { step: 'work' }, appendix: 'Name the worst.\n\nIt comes from a review.' },
        { next: { end: 'failed' } },
      ],
    });
  });

  it('may be the first step, and stand inside a circle that is watched', () => {
    const graph = graphOf(
      `
initial_step: check
steps:
  - { name: work, rules: [{ condition: done, next: check }] }
  - { name: check, kind: workflow_call, call: child, rules: [{ condition: COMPLETE, next: COMPLETE }, { condition: needs_fix, next: work }] }
loop_monitors:
  - { cycle: [check, work], judge: { rules: [{ condition: go on, next: check }, { condition: stop, next: ABORT }] } }
`,
      {
        facets,
        workflows: { child: `${child}  - { name: more, rules: [{ condition: x, next: COMPLETE }] }` },
      },
    );
    expect(graph.start).toBe('check-look');
    expect(graph.monitors[0]).toMatchObject({ cycle: ['check-look', 'work'], ignore: ['check-more'] });
  });

  it('of the same workflow twice gives each its own steps', () => {
    const graph = graphOf(
      `
steps:
  - { name: a, call: child, rules: [{ condition: COMPLETE, next: b }, { condition: needs_fix, next: ABORT }] }
  - { name: b, call: child, rules: [{ condition: COMPLETE, next: COMPLETE }, { condition: needs_fix, next: a }] }
`,
      { facets, workflows: { child } },
    );
    expect(nodeOf(graph, 'a-look').rules[0]?.next).toEqual({ step: 'b-look' });
    expect(nodeOf(graph, 'b-look').rules[1]?.next).toEqual({ step: 'a-look' });
  });

  it.each([
    ['call: chld', 'there is no workflow chld'],
    ['call: child\n    args: { ruls: kind }', 'child takes no "ruls"'],
    ['kind: workflow_call', 'it says not which workflow to call'],
  ])('%s', (call, problem) => {
    expect(problemLines(compile(main(call), { facets, workflows: { child } })).join('\n')).toContain(problem);
  });

  it('needs a rule for every word it may get back, and no others', () => {
    const text = `
steps:
  - { name: check, call: child, rules: [{ condition: aproved, next: COMPLETE }] }
`;
    const lines = problemLines(compile(text, { facets, workflows: { child } }));
    expect(lines).toEqual([
      expect.stringContaining('nothing says what follows when child ends with COMPLETE'),
      expect.stringContaining('nothing says what follows when child ends with needs_fix'),
      expect.stringContaining('child never ends with "aproved"'),
    ]);
  });

  it('of itself is an error that shows the way', () => {
    const call = (name: string) =>
      `steps:\n  - { name: s, call: ${name}, rules: [{ condition: COMPLETE, next: COMPLETE }] }`;
    const lines = problemLines(
      compile(call('a'), { workflows: { a: call('b'), b: call('main'), main: call('a') } }),
    );
    expect(lines.join('\n')).toContain('it calls itself: main → a → b → main');
  });

  it('has a depth, and a size', () => {
    const call = (name: string) => `{ call: ${name}, rules: [{ condition: COMPLETE, next: COMPLETE }]`;
    const chain = Object.fromEntries(
      Array.from({ length: deepestCall + 3 }, (_, at) => [
        `w${at}`,
        `steps:\n  - ${call(`w${at + 1}`)}, name: s }`,
      ]),
    );
    expect(
      problemLines(compile(`steps:\n  - ${call('w0')}, name: s }`, { workflows: chain })).join('\n'),
    ).toContain(`more than ${deepestCall} deep`);
    const wide = (at: number) =>
      `steps:\n${Array.from({ length: 30 }, (_, n) => `  - ${call(`w${at}`)}, name: s${n} }`).join('\n')}`;
    const leaf = 'steps:\n  - { name: x, rules: [{ condition: y, next: COMPLETE }] }';
    const huge = { w0: wide(1), w1: wide(2), w2: wide(3), w3: leaf };
    expect(problemLines(compile(wide(0), { workflows: huge })).join('\n')).toContain('more than 400 steps');
  });

  it('is all that a workflow with words to hand back is for', () => {
    expect(problemLines(compile(child, { facets }))[0]).toContain('cannot run by itself');
    expect(compile(child, { facets }, { alone: true }).problems).toEqual([]);
    expect(
      problemLines(
        compile(child.replace('return: needs_fix', 'return: other'), { facets }, { alone: true }),
      )[0],
    ).toContain('"other" is not declared');
  });
});
