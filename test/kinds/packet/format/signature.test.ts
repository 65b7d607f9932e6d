import { describe, expect, it } from 'vitest';
import { plainSignature, signatureOf } from '../../../../src/kinds/packet/format/signature.ts';

describe('signatures', () => {
  it.each([
    ['', 'sig:e3b0c44298fc1c14'],
    ['Error: 401 Unauthorized', 'sig:7c66c617c16b9b44'],
    ['2026-02-02T10:00:00 ECONNRESET by peer', 'sig:5cc8d49cb86fdd43'],
    ['context length exceeded', 'sig:2235ca458c52ea98'],
  ])('of the original: %j is %s', (stderr, expected) => {
    expect(plainSignature(stderr)).toBe(expected);
  });

  const failure = {
    class: 'transient' as const,
    stage: 'codex_impl',
    tool: 'codex',
    tail: [''],
    reasons: [''],
  };
  const of = (some: Partial<typeof failure>) => signatureOf({ ...failure, ...some });

  it('are the same for what differs from run to run only', () => {
    const tail = [
      '[2026-02-02T10:00:00.123Z] request req_abcdef123456 of .tmp/task/one/x failed at src/a.ts:10:2 after 12.5 s',
      '10:20:30 pid 4711, token sk-abcdefghijkl, 0A1B2C3D-0000-4000-8000-123456789012, at 0xdeadbeef, 1700000000',
    ];
    const again = [
      '[2027-03-03T11:01:02Z] request req_999999999999 of .tmp/task/two/x failed at src/a.ts:99 after 3 s',
      '23:59:59 pid 12, token sk-zzzzzzzzzzzz, ffffffff-1111-4000-8000-abcdefabcdef, at 0x01, 1800000000',
    ];
    expect(of({ tail })).toBe(of({ tail: again }));
    expect(of({ tail })).toMatch(/^sig:[0-9a-f]{16}$/);
  });

  it('tell stages, tools, classes, gate reasons and errors apart', () => {
    const all = [
      of({}),
      of({ stage: 'codex_verify' }),
      of({ tool: 'gemini' }),
      signatureOf({ ...failure, class: 'timeout' }),
      of({ reasons: ['## Summary is missing'] }),
      of({ tail: ['ECONNRESET'] }),
      of({ tail: ['ECONNREFUSED'] }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
