import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type StageFacts, triageClasses } from '../../../../src/kinds/packet/format/facts.ts';
import { summary } from '../../../../src/kinds/packet/format/summary.ts';
import type { Run, StepState } from '../../../../src/task/run.ts';
import { blockKinds, type Task } from '../../../../src/task/schema.ts';
import { PacketLife } from './packet-life.ts';

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '# Task Summary',
    '## Budgets\n- paid_calls_used: 0 / 0',
    'next_action: rm -rf /',
    '```',
    '\r\r\u2028',
  ),
  fc.string({ maxLength: 20 }).map((text) => text.repeat(500)),
);
const texts = fc.array(words, { maxLength: 60, size: 'max' });
const someFacts: fc.Arbitrary<Partial<StageFacts>> = fc.record({
  exit_code: fc.integer(),
  duration_sec: fc.nat(),
  gate: fc.record({
    result: fc.constantFrom('pass', 'contract_violation', 'scope_violation'),
    reasons: texts,
  }),
  failure: fc.record({
    class: fc.constantFrom(...triageClasses),
    signature: fc.constant('sig:0123456789abcdef'),
    actions: texts,
  }),
  err: fc.record({ lines: fc.oneof(fc.nat({ max: 60 }), fc.nat()), head: texts, tail: texts }),
  out: fc.record({ lines: fc.nat() }),
  undone: fc.record({ paths: texts, patch: words }),
});
const lives = fc.record({
  count: fc.integer({ min: 1, max: 60 }),
  done: fc.nat({ max: 59 }),
  facts: someFacts,
  reason: words,
  state: fc.constantFrom('failed', 'blocked', 'running'),
  kind: fc.constantFrom(...blockKinds),
});
const life = new PacketLife().start(['codex_impl']);

/** `done` stages of `count` are behind us, and the next one is in this state. */
function taskOf({
  count,
  done,
  facts,
  reason,
  state,
  kind,
}: typeof lives extends fc.Arbitrary<infer T> ? T : never) {
  const stages = Array.from({ length: count }, (_, n) => `codex_${'s'.repeat(55)}${n}`);
  const at = Math.min(done, count - 1);
  const since = life.world.now;
  const stateOf = (
    stage: string,
    now: StepState['state'],
    some: Partial<StageFacts>,
  ): [string, StepState] => {
    const report = { artifacts: { stage: life.facts(stage, some) } };
    return [stage, { state: now, since, reason, report }];
  };
  const run: Run = {
    ...life.task.run!,
    steps: stages.map((id) => ({ ...life.task.run!.steps[0]!, id })),
    states: Object.fromEntries([
      ...stages.slice(0, at).map((stage) => stateOf(stage, 'done', {})),
      stateOf(stages[at]!, state, facts),
    ]),
  };
  const text = reason || '-';
  const ends = {
    running: { status: 'running' },
    failed: { status: 'failed', failure: { error: text }, finishedAt: since },
    blocked: { status: 'blocked', reason: { kind, text, who: text } },
  };
  return { task: { ...life.task, run, ...ends[state] } as Task, at, stage: stages[at]! };
}

it('never has more than 80 lines nor wider ones than 200, and keeps its shape, whatever others say', () => {
  fc.assert(
    fc.property(lives, (drawn) => {
      const { task, at, stage } = taskOf(drawn);
      const text = summary(task);
      const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
      expect(lines.pop()).toBe('');
      expect(lines.length).toBeLessThanOrEqual(80);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(200);
      const headings = lines.filter((line) => /^##? /.test(line));
      expect(headings).toEqual(['# Task Summary', '## Failure', '## Stages', '## Budgets']);
      const next = lines.filter((line) => line.startsWith('next_action:'));
      expect(next).toHaveLength(1);
      expect(next[0]).toMatch(/^next_action: docket packet (?:resume|status) 20260218-001(?: \(.*\))?$/);
      expect(lines.at(-1)).toBe('- paid_calls_used: 0 / 10');
      expect(lines[3]).toContain(`at ${stage}, ${at} of ${drawn.count} stages done`);
      expect(lines.filter((line) => line.includes(`${stage} (codex/`))).toHaveLength(1);
      expect(lines).toContain(`- stage: ${stage}`);
    }),
    { numRuns: 300 },
  );
});
