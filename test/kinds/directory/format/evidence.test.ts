import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { derived } from '../../../../src/kinds/directory/format/derived.ts';
import { anchorOf } from '../../../../src/kinds/directory/format/evidence.ts';
import { evidenceEntrySchema } from '../../../../src/kinds/directory/format/file-schemas.ts';
import { Life, success } from './life.ts';

const index = 'shared/evidence/index.json';

function joined(...ids: string[]): Life {
  const life = new Life();
  life.start();
  life.order(...ids.map((id) => ({ id })));
  for (const id of ids) life.work(id);
  life.join();
  return life;
}

const entries = (life: Life) => v.parse(v.array(evidenceEntrySchema), life.json(index));
const ids = (life: Life) => entries(life).map(({ id }) => id);
const rewritten = (life: Life, current: string) =>
  derived(life.task)
    .find(({ path }) => path === index)!
    .text(current)!;

describe('the evidence index', () => {
  it('is a list from the first moment, and gets its entries at the join', () => {
    const life = new Life();
    expect(life.file(index)).toBe('[]\n');
    life.start();
    life.order({ id: 'a' });
    life.work('a');
    expect(life.file(index)).toBe('[]\n');
    life.join();
    expect(entries(life)).toEqual([
      {
        id: 'worker-a',
        kind: 'runtime-event-range',
        title: 'a: Title of a',
        summary: '[success] It is done.',
        createdAt: life.task.run?.states['a']?.since,
        sources: [{ type: 'runtimeEventRange', eventsRef: './agents/a/runtime/events.jsonl' }],
        artifactRefs: ['./agents/a/artifacts/final.json', './agents/a/runtime/events.jsonl'],
      },
      expect.objectContaining({
        id: 'worker-a-evidence-1',
        kind: 'file-anchor',
        summary: 'the new function',
        sources: [{ type: 'fileAnchor', path: 'src/a.ts', startLine: 3, endLine: 9 }],
      }),
      expect.objectContaining({
        id: 'worker-a-evidence-2',
        kind: 'command-execution',
        sources: [
          {
            type: 'commandExecution',
            command: 'npm test',
            cwd: '.',
            stdoutRef: './agents/a/runtime/events.jsonl',
            stderrRef: './agents/a/runtime/stderr.log',
          },
        ],
      }),
    ]);
  });

  it('has no two entries of one id, however alike the names are', () => {
    const life = joined('a_b', 'a-b', 'c_d', 'a-b-evidence-1');
    expect(new Set(ids(life)).size).toBe(ids(life).length);
    expect(ids(life)).toEqual(expect.arrayContaining(['worker-a_b', 'worker-a-b', 'worker-c-d']));
  });

  it('points to the log of the task for what never ran', () => {
    const life = new Life();
    life.start();
    life.order({ id: 'a' });
    life.end('a', 'canceled', undefined, 'not wanted');
    life.join();
    expect(entries(life)[0]?.sources).toEqual([{ type: 'runtimeEventRange', eventsRef: './events.jsonl' }]);
  });

  it('keeps what others wrote, in their order, and replaces only its own', () => {
    const life = joined('a');
    const mine = { id: 'mine', kind: 'file-anchor', odd: { deep: [1] } };
    const other = { id: 'worker-zzz', kind: 'x' };
    const current = JSON.stringify([mine, ...entries(life), 5, other, { id: 'worker-a-evidence-9' }]);
    const next = rewritten(life, current);
    expect(JSON.parse(next)).toEqual([mine, 5, other, ...entries(life)]);
    expect(rewritten(life, next)).toBe(next);
  });

  it('stays as it is between joins, and where it is no list', () => {
    const life = joined('a');
    for (const text of ['{}', '[1,', 'oops', `${'['.repeat(100_000)}${']'.repeat(100_000)}`])
      expect(rewritten(life, text)).toBe(text);
    const before = life.file(index);
    life.order({ id: 'b' });
    expect(life.file(index)).toBe(before);
    life.work('b', { ...success, evidence: [] });
    life.join();
    expect(ids(life)).toEqual(['worker-a', 'worker-a-evidence-1', 'worker-a-evidence-2', 'worker-b']);
  });
});

describe('a place in a file', () => {
  it.each([
    ['src/a.ts', undefined, { path: 'src/a.ts', startLine: 1, endLine: 1 }],
    ['./src//a.ts:7', undefined, { path: 'src/a.ts', startLine: 7, endLine: 7 }],
    ['a.ts:9-3', undefined, { path: 'a.ts', startLine: 3, endLine: 9 }],
    ['a.ts:0', undefined, { path: 'a.ts', startLine: 1, endLine: 1 }],
    ['a.ts', 'web', { path: 'web/a.ts', startLine: 1, endLine: 1 }],
    ['web/a.ts', 'web', { path: 'web/a.ts', startLine: 1, endLine: 1 }],
    ['a.ts', './web/', { path: 'web/a.ts', startLine: 1, endLine: 1 }],
  ])('%s from %s', (ref, cwd, anchor) => {
    expect(anchorOf(ref, cwd)).toEqual(anchor);
  });

  it.each(['/etc/passwd', '../x', 'a/../../x', 'C:\\x', 'c:/x', '..\\x', 'a\0b', 'a\nb', '.', 'src/', ''])(
    'is not %j',
    (ref) => {
      expect(anchorOf(ref, undefined)).toBeUndefined();
      expect(anchorOf('a', '../out')).toBeUndefined();
    },
  );
});
