import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compile, problemLines } from './shelf.ts';

const words = fc.constantFrom(
  ...'name steps movements rules condition when next return parallel call args vars kind checks commands project cycle'.split(
    ' ',
  ),
  ...'loop_monitors judge persona policy instruction subworkflow params returns type default $param output_contracts'.split(
    ' ',
  ),
  ...'report format quality_gates command cwd provider session initial_step max_steps workflow_config personas true a b'.split(
    ' ',
  ),
  'COMPLETE',
  'ABORT',
  'all("a")',
  'when(context.a == 1)',
  'constructor',
  '',
  '../x.md',
  'workflow_call',
  'main',
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 6 },
    words,
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.string(),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  map: fc.dictionary(words, tie('any'), { maxKeys: 8 }),
}));
const step = fc.dictionary(words, value.any, { maxKeys: 8 });
const file = fc.record(
  {
    steps: fc.array(step, { maxLength: 4 }),
    loop_monitors: value.list,
    subworkflow: value.map,
    initial_step: words,
    personas: value.map,
  },
  { requiredKeys: ['steps'] },
);

it('is never thrown by what a file says, and a graph without an error holds together', () => {
  fc.assert(
    fc.property(file, (content) => {
      const text = JSON.stringify(content);
      const { graph, problems } = compile(text, { workflows: { main: text, a: text } });
      expect(graph === undefined).toBe(problems.some(({ severity }) => severity === 'error'));
      const targets = Object.values(graph?.nodes ?? {}).flatMap(({ rules, parts = [] }) => [
        ...rules.flatMap(({ next }) => ('step' in next ? next.step : [])),
        ...parts,
      ]);
      for (const id of [...targets, ...(graph ? [graph.start] : [])])
        expect(graph?.nodes).toHaveProperty([id]);
    }),
    { numRuns: 400 },
  );
});

it('no rule leads into the parts of a step', () => {
  const text = `
initial_step: part
steps:
  - name: fan
    parallel: [{ name: part, rules: [{ condition: ok }] }]
    rules: [{ condition: all("ok"), next: part }]
`;
  expect(problemLines(compile(text)).filter((line) => line.includes('there is no step "part"'))).toHaveLength(
    2,
  );
});
