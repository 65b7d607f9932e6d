import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newManifest } from '../../../../src/kinds/packet/format/new-manifest.ts';
import { outsideBecause } from '../../../../src/schema/schemas.ts';
import { manifestIn } from './support.ts';

it('makes a manifest that is good as it stands', () => {
  expect(manifestIn(newManifest({ id: '20260218-001', goal: 'Reject empty names' }))).toEqual({
    task_id: '20260218-001',
    goal: 'Reject empty names',
    routing: { intent: 'safe_impl', model: {}, pipeline: { flags: {}, options: {} } },
    scope: { allow: ['src/', 'tests/', 'scripts/'], deny: ['.env', 'secrets/'] },
    acceptance: { commands: [], criteria: [] },
    budgets: { retry_budget: 2, paid_call_budget: 10, max_wallclock_sec: 900 },
    context: { digest_policy: 'auto' },
    security: { redaction_patterns: [], forbidden_paths: ['.env', 'secrets/'] },
  });
});

it('stays good when the examples in its comments are taken in', () => {
  const text = newManifest({ id: 'a', goal: 'b' });
  const taken = text.replaceAll(
    /^( +)# ((?: {2})?(?:model|pipeline|flags|options|tokens|cost_usd):.*)$/gm,
    '$1$2',
  );
  const { routing, budgets } = manifestIn(taken);
  expect(routing).toEqual({
    intent: 'safe_impl',
    model: { codex: 'gpt-5.3-codex' },
    pipeline: { flags: { enable_review: false }, options: { timeout_mode: 'wait_done' } },
  });
  expect(budgets).toMatchObject({ tokens: 2_000_000, cost_usd: 5 });
});

it('says any words so that they are read back as they were', () => {
  const word = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => text.trim() !== '' && !text.includes('\0'));
  const words = fc.array(word, { maxLength: 3 });
  const paths = fc.array(
    word.filter((path) => outsideBecause(path) === undefined),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(word, words, words, paths, paths, (goal, commands, criteria, allow, deny) => {
      const read = manifestIn(
        newManifest({ id: 'x', goal, commands, criteria, allow, deny, forbidden: deny }),
      );
      expect({ goal: read.goal, ...read.acceptance, ...read.scope }).toEqual({
        goal,
        commands,
        criteria,
        allow,
        deny,
      });
      expect(read.security.forbidden_paths).toEqual(deny);
    }),
  );
});
