import { expect, it } from 'vitest';
import type { Explanation, Ruling } from '../../../src/render/explain/types.ts';
import { explainLines } from '../../../src/surfaces/cli/explain/lines.ts';
import type { Context } from '../../../src/surfaces/cli/frame/context.ts';
import { clockTime } from '../../../src/surfaces/cli/frame/format.ts';

const at = '2026-01-01T00:00:00Z';
const rule: Ruling = { at, kind: 'rule', about: 'work', text: 'It is done', by: 'its only rule' };
const found: Explanation = {
  kind: 'queue',
  id: 'i1',
  name: 'fix',
  title: 'Fix it',
  status: 'blocked',
  cause: { kind: 'limit', text: `codex is at its limit (until ${at})`, who: 'docket', resumesAt: at },
  next: [],
  doneBy: [],
  timeline: [],
  attempts: [],
  decisions: [rule, { ...rule, about: 'review', by: 'a judge' }, rule],
  evidence: [],
};
const context = {
  out: { paintData: (_color: string, text: string) => text },
  world: { stdout: { write: () => undefined }, env: {}, now: () => Date.parse(at) },
} as unknown as Context;

it('says once when it goes on, and each decision once', () => {
  expect(explainLines(found, [], context)).toEqual([
    'fix: Fix it',
    `task of the queue, blocked (limit), goes on ${clockTime(at, Date.parse(at))}`,
    'why: codex is at its limit',
    'whose turn: docket',
    'decisions:',
    '  work    It is done (decided by its only rule, 2 times)',
    '  review  It is done (decided by a judge)',
  ]);
});
