import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceOf, parseEvidence, type Evidence } from '../../src/gate/evidence.ts';
import { proofOf, refusalOf, type World } from '../../src/gate/proof.ts';

const seen: Omit<Evidence, 'id'> = {
  at: '2026-03-01T10:00:00.000Z',
  taskId: 'one',
  kind: 'command',
  what: 'npm test',
  exit: 0,
  ok: true,
  tree: 'abc-clean',
  output: { file: 'f.log', sha256: 'hash', bytes: 4 },
};
const entry = (more: Partial<Evidence> = {}) => evidenceOf({ ...seen, ...more });
const worldOf = (entries: readonly Evidence[], more: Partial<World> = {}): World => ({
  taskId: 'one',
  tree: 'abc-clean',
  changedAt: '2026-03-01T09:00:00.000Z',
  made: new Set(entries.map(({ id }) => id)),
  hashOf: () => 'hash',
  commands: ['npm test'],
  tailOf: () => 'the last words',
  ...more,
});

describe('an entry', () => {
  it.each<[string, Evidence, Partial<World>, RegExp]>([
    ['of another task', entry({ taskId: 'two' }), {}, /of task two/],
    ['that was changed', { ...entry(), exit: 1 }, {}, /changed after it was made/],
    ['that nobody here made', entry(), { made: new Set() }, /not made in this run/],
    ['made on another tree', entry({ tree: 'abc-123' }), {}, /another tree/],
    ['older than the last change', entry(), { changedAt: '2026-03-01T11:00:00.000+00:00' }, /older/],
    ['whose output was changed', entry(), { hashOf: () => 'other' }, /f\.log is not what it was/],
    ['whose output is gone', entry(), { hashOf: () => undefined }, /f\.log/],
  ])('%s proves nothing', (_, one, more, why) => {
    const world = worldOf([one], more);
    expect(refusalOf(one, world)?.why).toMatch(why);
    expect(proofOf([one], world).verdict).toMatchObject({ kind: 'retry', reason: '`npm test` was not run' });
  });

  it('survives its line, and nothing else is taken for one', () => {
    expect(parseEvidence(JSON.stringify(entry()))).toEqual(entry());
    const paths = { ...entry(), output: { file: '../../../etc/passwd', sha256: '', bytes: 1 } };
    for (const line of ['', '{', 'null', '[]', '{"id":"ev-1"}', JSON.stringify(paths)])
      expect(parseEvidence(line)).toBeUndefined();
  });

  it('has another id when anything in it is another', () => {
    const change = fc.record(
      { what: fc.string(), note: fc.string(), tree: fc.string(), exit: fc.integer(), taskId: fc.string() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, (more) => {
        const other = { ...entry(), ...more };
        const same = JSON.stringify({ ...other }) === JSON.stringify(entry());
        expect(refusalOf(other, worldOf([entry()])) === undefined).toBe(same);
      }),
    );
  });
});

describe('a proof', () => {
  it('is the ids of what counts, and the latest run of a command decides', () => {
    const failed = entry({ ok: false, exit: 1 });
    const scope = entry({ kind: 'scope', what: 'scope' });
    expect(proofOf([failed, entry(), scope], worldOf([failed, entry(), scope])).verdict).toEqual({
      kind: 'pass',
      evidence: [entry().id, scope.id],
    });
    expect(proofOf([entry(), failed], worldOf([entry(), failed])).verdict).toMatchObject({ kind: 'retry' });
  });

  it('names every false claim, and says first what was out of scope', () => {
    const claim = entry({ kind: 'claim', what: 'src/a.ts', ok: false, note: 'it does not exist' });
    const said = entry({ kind: 'claim', what: 'npm test', ok: false, note: 'docket ran it, and it failed' });
    const failed = entry({ ok: false, exit: 1 });
    const scope = entry({ kind: 'scope', what: 'scope', ok: false, note: 'b.txt is not in scope.allow' });
    const verdictOf = (...entries: Evidence[]) => proofOf(entries, worldOf(entries)).verdict;
    expect(verdictOf(entry(), claim)).toMatchObject({
      kind: 'hold',
      reason: { kind: 'verify', text: expect.stringContaining('src/a.ts: it does not exist') as string },
    });
    expect(verdictOf(failed, said, claim)).toMatchObject({
      kind: 'retry',
      reason: expect.stringMatching(
        /npm test` ended with exit code 1, although[^]*the last words[^]*src\/a\.ts/,
      ) as string,
    });
    expect(verdictOf(failed, scope)).toMatchObject({ kind: 'hold', reason: { kind: 'scope' } });
  });
});
