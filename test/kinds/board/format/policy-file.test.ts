import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DocketError } from '../../../../src/errors.ts';
import { judge, type Policy } from '../../../../src/gate/policy.ts';
import { policyOf, readPolicy, shippedPolicy } from '../../../../src/kinds/board/format/policy-file.ts';

const file = (content: unknown) => ({
  file: 'config/acceptance-policy.json',
  text: typeof content === 'string' ? content : JSON.stringify(content),
});

describe('the acceptance policy', () => {
  it('that is shipped is the file in configs/', () => {
    const text = readFileSync(
      new URL('../../../../configs/board/acceptance-policy.json', import.meta.url),
      'utf8',
    );
    expect(JSON.parse(text)).toEqual(shippedPolicy);
    expect(policyOf()).toEqual(shippedPolicy);
    expect(policyOf([file(text)])).toEqual(shippedPolicy);
  });

  it('of a project lies over the shipped one, role by role, list by list', () => {
    const merged = policyOf([
      file({
        roles: {
          coder: { verifyCommands: ['npm test'] },
          debugger: { requireAny: ['fix'] },
          writer: { requiredEvidence: ['file'] },
        },
      }),
      file({ global: { requireEvidence: false }, roles: { debugger: { requireAny: [] } } }),
    ]);
    expect(merged).toEqual({
      global: { requireEvidence: false },
      roles: {
        ...shippedPolicy.roles,
        coder: { ...shippedPolicy.roles['coder'], verifyCommands: ['npm test'] },
        debugger: { requireAny: [] },
        writer: { requiredEvidence: ['file'] },
      },
    });
  });

  it('is one that the gate can judge by', () => {
    const policy: Policy = policyOf([file({ roles: { coder: { requireAny: ['shipped'] } } })]);
    const report = { summary: 'shipped, see a.md', changes: [], evidence: [] };
    expect(judge(policy, 'coder', report).reasonCode).toBe('accepted');
  });

  it('tells of keys that mean nothing, and goes on', () => {
    const { value, unknown } = readPolicy(
      file({ roles: { coder: { requireAll: ['a'], requireAny: ['b'] } }, v: 2 }),
    );
    expect(value.roles).toEqual({ coder: { requireAny: ['b'] } });
    expect(unknown.map(({ message }) => message)).toEqual([
      'unknown key "roles.coder.requireAll"',
      'unknown key "v"',
    ]);
  });

  it.each<[unknown, RegExp]>([
    ['{"global": {', /acceptance-policy\.json:1:13: it ends too early/],
    ['', /it ends too early/],
    ['{"roles": {"coder": {"requireAny": "test"}}}', /roles\.coder\.requireAny must be a list/],
    ['{"global": {"requireEvidence": "no"}}', /global\.requireEvidence must be true or false/],
    ['['.repeat(10_000), /nested/],
  ])('that is wrong stops everything: %s', (text, message) => {
    expect(() => policyOf([file(text)])).toThrow(message);
  });

  it('that is wrong is told whole, with what to do', () => {
    let error: DocketError | undefined;
    try {
      policyOf([file({ global: [], roles: { a: { requireAny: [1] } } })]);
    } catch (thrown) {
      error = thrown as DocketError;
    }
    expect(error?.code).toBe('INVALID');
    expect(error?.message.split('\n')).toHaveLength(2);
    expect(error?.fix).not.toBe('');
  });

  it('takes no role from JavaScript itself', () => {
    const policy = policyOf([file('{"roles": {"__proto__": {"requireAny": ["x"]}}}')]);
    expect(({} as Record<string, unknown>)['requireAny']).toBeUndefined();
    expect(Object.getPrototypeOf(policy.roles)).toBe(Object.prototype);
  });
});
