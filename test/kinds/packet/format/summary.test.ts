import { describe, expect, it } from 'vitest';
import { broken, PacketLife, safeImpl } from './packet-life.ts';

describe('_summary.md', () => {
  it('says first what failed and what comes next', () => {
    const life = new PacketLife().start();
    life.pass('gemini_brief');
    life.fail('codex_impl', {
      ...broken,
      exit_code: 0,
      failure: { class: 'scope_violation', signature: 'sig:0123456789abcdef', actions: ['look', 'widen'] },
      gate: { result: 'scope_violation', reasons: ['docs/x.md is not in scope.allow'] },
      undone: { paths: ['docs/x.md'], patch: 'outputs/codex_impl.undone.patch' },
      err: { lines: 3, head: ['one', 'two', 'three'], tail: ['one', 'two', 'three'] },
    });
    expect(life.summary).toBe(`# Task Summary
Task: 20260218-001
Updated: 2026-03-01T00:00:11Z
**Status: failed** at codex_impl, 1 of 4 stages done

## Failure
- class: scope_violation | signature: sig:0123456789abcdef | exit_code: 0 | gate: scope_violation
- stage: codex_impl
- gate reason: docs/x.md is not in scope.allow
- undone: docs/x.md
- undone changes are kept in outputs/codex_impl.undone.patch
- suggested: look
- suggested: widen

stderr, 3 lines:

    one
    two
    three

next_action: docket packet resume 20260218-001 (first: widen scope.allow in manifest.yaml, or narrow the request)

## Stages
### gemini_brief (gemini/brief) — done
- exit_code: 0 | duration: 90s | output: 12 lines
### codex_impl (codex/impl) — failed
- exit_code: 0 | duration: 90s | output: 12 lines
### codex_verify (codex/verify) — pending
### gemini_review (gemini/review) — pending

## Budgets
- paid_calls_used: 2 / 10
`);
  });

  it('follows the packet through its life', () => {
    const life = new PacketLife().start();
    const status = () => life.summary.split('\n')[3];
    const next = () => /^next_action: .*$/m.exec(life.summary)?.[0];
    life.begin('gemini_brief');
    expect(life.summary).toContain('### gemini_brief (gemini/brief) — running');
    expect(next()).toBe('next_action: docket packet status 20260218-001 (it is at work)');
    life.do({ type: 'end', step: 'gemini_brief', n: 1, outcome: 'stopped' });
    life.do({ type: 'requeue', reason: 'interrupted' });
    expect(status()).toBe('**Status: stopped** at gemini_brief, 0 of 4 stages done');
    expect(life.summary).toContain('### gemini_brief (gemini/brief) — interrupted');
    expect(next()).toBe('next_action: docket packet resume 20260218-001');

    const limited = new PacketLife().start();
    const resumesAt = '2026-03-01T05:00:00Z';
    limited.do({ type: 'block', reason: { kind: 'limit', text: 'later', who: 'docket', resumesAt } });
    expect(limited.summary).toContain('; docket must act (limit)');
    expect(limited.summary).toContain(
      `next_action: docket packet resume 20260218-001 (not before ${resumesAt})`,
    );

    const done = new PacketLife().start();
    for (const stage of safeImpl) done.pass(stage);
    done.do({ type: 'settle', verdict: { kind: 'pass' }, summary: '' });
    expect(done.summary).toContain('**Status: done**, 4 of 4 stages done');
    expect(done.summary).not.toContain('## Failure');
    expect(done.summary).toContain('next_action: none, it is done (docket packet archive 20260218-001');

    const gone = new PacketLife();
    gone.do({ type: 'cancel', reason: 'no longer\n# wanted' });
    expect(gone.summary).toContain('**Status: canceled**; no longer # wanted\n');
  });

  it('has twenty lines from each end of a long stderr, and says what is left out', () => {
    const lines = Array.from({ length: 200 }, (_, n) => `line ${n + 1}`);
    const life = new PacketLife().start(['gemini_review']);
    life.fail('gemini_review', {
      ...broken,
      err: { lines: 200, head: lines.slice(0, 20), tail: lines.slice(-20) },
    });
    const shown = life.summary.split('\n').filter((line) => line.startsWith('    '));
    expect(shown).toEqual(
      [...lines.slice(0, 20), '... [160 lines omitted] ...', ...lines.slice(-20)].map(
        (line) => `    ${line}`,
      ),
    );
  });

  it('shows the stages around the first open one where there are very many', () => {
    const stages = Array.from({ length: 50 }, (_, n) => `codex_s${n}`);
    const life = new PacketLife().start(stages);
    for (const stage of stages.slice(0, 40)) life.pass(stage);
    expect(life.summary).toContain(
      '... [20 stages omitted] ...\n- codex_s20 (codex/s20) — done | exit_code: 0',
    );
    expect(life.summary).toContain('- codex_s40 (codex/s40) — pending\n');
    expect(life.summary).not.toContain('codex_s19 ');
  });
});
