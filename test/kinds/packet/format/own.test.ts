import { describe, expect, it } from 'vitest';
import { callsOf, ownOf, withSignature, withUncalled } from '../../../../src/kinds/packet/format/own.ts';
import { broken, PacketLife } from './packet-life.ts';

describe('what a packet keeps', () => {
  it('counts calls that were made, not programs that were not there', () => {
    const life = new PacketLife().start();
    life.begin('gemini_brief');
    life.end('gemini_brief', { ...broken, exit_code: 127 });
    life.do({ type: 'edit', set: { extras: withUncalled(life.task.extras) } });
    expect(callsOf(life.task)).toBe(0);
    life.pass('gemini_brief');
    expect(callsOf(life.task)).toBe(1);
  });

  it('reads what makes sense of what a journal holds', () => {
    const good = {
      count: 1,
      class: 'auth',
      first_seen: '2026-03-01T00:00:00Z',
      last_seen: '2026-03-01T00:00:00Z',
    };
    const signatures = {
      'sig:0123456789abcdef': good,
      __proto__x: good,
      'sig:1111111111111111': { ...good, class: 'toString' },
      'sig:2222222222222222': { ...good, last_seen: 'now' },
      'sig:3333333333333333': [],
    };
    expect(
      ownOf({
        extras: {
          packet: { manifest: 'x' },
          packetRun: { signatures, uncalled: -1, spent: -1, resolved: 1 },
        },
      }),
    ).toEqual({
      manifest: {},
      signatures: { 'sig:0123456789abcdef': good },
      uncalled: 0,
      spent: { tokens: 0, cost: 0 },
      inputs: {},
      briefed: [],
    });
    const again = withSignature(
      { packet: { manifest: {} }, packetRun: { signatures, mine: true } },
      'sig:0123456789abcdef',
      'limit',
      '2026-04-01T00:00:00.5Z',
    );
    expect(again).toEqual({
      packetRun: {
        mine: true,
        signatures: {
          'sig:0123456789abcdef': { ...good, count: 2, class: 'limit', last_seen: '2026-04-01T00:00:00Z' },
        },
      },
    });
  });
});
