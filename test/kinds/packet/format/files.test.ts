import { describe, expect, it } from 'vitest';
import type { StageFacts } from '../../../../src/kinds/packet/format/facts.ts';
import { processLease } from '../../../task/world.ts';
import { broken, PacketLife, safeImpl } from './packet-life.ts';

describe('the files of a packet', () => {
  it('are those of its format, whole, after a run that went well', () => {
    const life = new PacketLife();
    expect([...life.files]).toEqual([]);
    life.start();
    life.keep({ resolved: '{"intent": "safe_impl"}\n' });
    for (const stage of safeImpl) life.pass(stage);
    life.do({ type: 'settle', verdict: { kind: 'pass' }, summary: 'done' });
    expect([...life.files.keys()].toSorted()).toEqual(
      [
        'outputs/_summary.md',
        'state/config.dispatch.resolved.json',
        'state/stats.json',
        ...safeImpl.flatMap((stage) => [
          `done/${stage}.done`,
          `outputs/${stage}.gate_result.json`,
          `outputs/${stage}.${stage.split('_')[0]}.meta.json`,
          `outputs/${stage}.${stage.split('_')[0]}.prompt_sha256`,
        ]),
      ].toSorted(),
    );
    expect(life.json('state/stats.json')).toEqual({ paid_calls_used: 4, stages_completed: safeImpl });
    expect(life.files.get('state/config.dispatch.resolved.json')).toBe('{"intent": "safe_impl"}\n');
    expect(life.files.get('done/gemini_brief.done')).toBe('2026-03-01T00:00:07Z\n');
    expect(life.files.get('outputs/codex_impl.codex.prompt_sha256')).toBe(`${'ab'.repeat(32)}\n`);
    expect(life.json('outputs/gemini_brief.gemini.meta.json')).toEqual({
      stage: 'gemini_brief',
      tool: 'gemini',
      exit_code: 0,
      start: '2026-03-01T00:00:05Z',
      end: '2026-03-01T00:00:05Z',
      duration_sec: 90,
      prompt_sha256: 'ab'.repeat(32),
    });
    expect(life.json('outputs/gemini_brief.gate_result.json')).toEqual({
      stage: 'gemini_brief',
      role: 'brief',
      passed: true,
      reasons: [],
      timestamp: '2026-03-01T00:00:05Z',
    });
  });

  it('say what failed until it has gone well, and count every call and error', () => {
    const life = new PacketLife().start();
    life.pass('gemini_brief');
    life.fail('codex_impl', broken);
    const failure = {
      class: 'transient',
      signature: 'sig:0123456789abcdef',
      exit_code: 12,
      gate_result: 'pass',
      suggested_actions: ['resume', 'look'],
    };
    expect(life.json('state/last_failure.json')).toEqual(failure);
    expect(life.files.has('done/codex_impl.done')).toBe(false);
    expect(life.files.has('outputs/codex_impl.gate_result.json')).toBe(false);

    life.do({ type: 'start', owner: 'docket', lease: processLease });
    life.do({ type: 'redo', step: 'codex_impl', reason: 'again' });
    life.begin('codex_impl');
    expect(life.json('state/last_failure.json')).toEqual(failure);
    life.end('codex_impl', broken);
    life.begin('codex_impl');
    life.end('codex_impl');
    life.do({ type: 'finish', step: 'codex_impl', state: 'done' });
    expect(life.files.has('state/last_failure.json')).toBe(false);
    expect(life.json('state/stats.json')).toEqual({
      paid_calls_used: 4,
      stages_completed: ['gemini_brief', 'codex_impl'],
      signatures: {
        'sig:0123456789abcdef': {
          count: 2,
          class: 'transient',
          first_seen: expect.stringMatching(/:\d\dZ$/) as string,
          last_seen: expect.stringMatching(/:\d\dZ$/) as string,
        },
      },
    });
  });

  it('take a marker away that is no longer true', () => {
    const life = new PacketLife().start();
    life.pass('gemini_brief');
    expect(life.files.has('done/gemini_brief.done')).toBe(true);
    life.do({ type: 'redo', step: 'gemini_brief', reason: 'again' });
    expect(life.files.has('done/gemini_brief.done')).toBe(false);
    expect(life.json('state/stats.json')).toMatchObject({ stages_completed: [] });
  });

  it('keep what the gate said', () => {
    const life = new PacketLife().start();
    const gate = { result: 'contract_violation' as const, reasons: ['## Scope is missing', 'line 3: empty'] };
    const failure = {
      class: 'contract_violation' as const,
      signature: 'sig:aaaaaaaaaaaaaaaa',
      actions: ['a', 'b'],
    };
    life.fail('gemini_brief', { gate, failure });
    expect(life.json('outputs/gemini_brief.gate_result.json')).toMatchObject({
      passed: false,
      reasons: gate.reasons,
    });
    expect(life.json('state/last_failure.json')).toMatchObject({
      gate_result: 'contract_violation',
      exit_code: 0,
    });
  });

  it('tell of failures that no agent had a part in', () => {
    const life = new PacketLife().start();
    life.pass('gemini_brief');
    life.do({
      type: 'block',
      reason: { kind: 'budget', text: 'all 1 paid calls are spent', who: 'a person' },
    });
    expect(life.json('state/last_failure.json')).toMatchObject({ class: 'budget', exit_code: -1 });

    const early = new PacketLife();
    early.do({ type: 'fail', failure: { error: 'inputs/user_request.md is missing' } });
    expect(early.json('state/last_failure.json')).toMatchObject({ class: 'tooling', gate_result: 'pass' });
    expect(early.summary).toContain('- reason: inputs/user_request.md is missing');
  });

  it('name the spent budget rather than the call that spent it', () => {
    const life = new PacketLife().start();
    life.begin('gemini_brief');
    life.end('gemini_brief', broken);
    life.do({ type: 'block', reason: { kind: 'budget', text: 'spent', who: 'a person' } });
    expect(life.json('state/last_failure.json')).toMatchObject({ class: 'budget' });
    expect(life.summary).toContain('next_action: docket packet resume 20260218-001 (first: raise the budget');
  });

  it('know nothing of facts that make no sense, nor of stages that are none', () => {
    const life = new PacketLife().start(['codex_impl', 'other']);
    for (const wrong of [
      { gate: 7 },
      { err: null },
      { end: 'today' },
      { exit_code: 'x' },
      { stage: '../x' },
    ]) {
      life.begin('codex_impl');
      life.end('codex_impl', wrong as unknown as Partial<StageFacts>);
    }
    life.pass('other');
    expect([...life.files.keys()]).toEqual(['outputs/_summary.md', 'state/stats.json']);
  });
});
