import { describe, expect, it } from 'vitest';
import { staleFrom } from '../../../../src/kinds/packet/plan.ts';

const stages = ['gemini_brief', 'codex_impl', 'codex_verify'];
const hash = (letter: string) => letter.repeat(64);
const inputs = { 'inputs/user_request.md': hash('a'), model: 'pro' };
const all = { gemini_brief: inputs, codex_impl: inputs, codex_verify: inputs };

describe('what has to run again', () => {
  it('is nothing while nothing changed, or nothing has run', () => {
    expect(staleFrom(stages, all, all)).toBeUndefined();
    expect(staleFrom(stages, {}, all)).toBeUndefined();
    expect(staleFrom(stages, { gemini_brief: inputs }, all)).toBeUndefined();
  });

  it('begins with the first stage that would be made from something else, and says from what', () => {
    const now = {
      ...all,
      codex_impl: { 'inputs/user_request.md': hash('b'), model: 'flash', 'attachments/a.md': hash('c') },
      codex_verify: {},
    };
    expect(staleFrom(stages, all, now)).toEqual({
      stage: 'codex_impl',
      reasons: [
        'attachments/a.md is new',
        'inputs/user_request.md changed',
        'model changed from pro to flash',
      ],
    });
    expect(staleFrom(stages.slice(2), all, now)).toEqual({
      stage: 'codex_verify',
      reasons: ['inputs/user_request.md is gone', 'model is gone'],
    });
  });

  it('is a stage that was put in front of others that have run', () => {
    const { codex_impl: _, ...recorded } = all;
    expect(staleFrom(stages, recorded, all)).toEqual({
      stage: 'codex_impl',
      reasons: ['it has not run, but stages behind it have'],
    });
    expect(staleFrom(['codex_impl'], all, all)).toBeUndefined();
  });
});
