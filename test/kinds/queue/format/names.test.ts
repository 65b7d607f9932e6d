import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  namelessRef,
  nthOf,
  refOf,
  slugify,
  taskDirFor,
  taskDirPattern,
  uniqueSlug,
} from '../../../../src/kinds/queue/format/names.ts';
import { timeOf } from '../../../../src/schema/time.ts';
import { idFrom } from '../../../../src/task/id.ts';
import { nonEmpty, runs } from './arbitraries.ts';

describe('refs', () => {
  const hostile = fc.oneof(nonEmpty, fc.stringMatching(/^[a#?0-9]{1,6}$/));
  const nth = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 }));

  it('are different for different entries, and say which entry of the name is meant', () => {
    fc.assert(
      fc.property(hostile, nth, hostile, nth, (a, m, b, n) => {
        expect(refOf(a, m) === refOf(b, n)).toBe(a === b && m === n);
        expect(nthOf(refOf(a, m))).toBe(m);
        expect(refOf(a, m)).not.toBe(namelessRef(n));
      }),
      runs(3000),
    );
  });
});

describe('slugs', () => {
  it.each([
    ['Add login!', 'add-login'],
    ['  --  ', 'task'],
    ['ログイン機能のテスト', 'roguin-no-tesuto'],
    ['マッチャ チェック ウィキ', 'matcha-chekku-wiki'],
    ['ﾛｸﾞｲﾝ', 'roguin'],
    ['修复登录', 'task'],
    ['🚀', 'task'],
    ['Größe naïve Łódź', 'grosse-naive-lodz'],
    ['İstanbul', 'istanbul'],
    ['Привет, щука', 'privet-shchuka'],
    ['Διόρθωση σφάλματος', 'diorthosi-sfalmatos'],
    ['한국어 지원', 'hangukeo-jiwon'],
    ['Fix the very long title of this task now', 'fix-the-very-long-title-of-thi'],
    ['Fix the very long titles of all tasks', 'fix-the-very-long-titles-of-al'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ])('%s → %s', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it('differ for tasks of the same text', () => {
    const ids = Array.from({ length: 2000 }, (_, n) => idFrom(1_800_000_000_000, n * 7));
    expect(new Set(ids.map((id) => uniqueSlug('fix', id))).size).toBe(ids.length);
  });

  it('make folders that the format takes', () => {
    expect(taskDirFor('foptng', '2026-02-01T01:57:14.000Z')).toBe('.takt/tasks/20260201-015714-foptng');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(taskDirFor(slugify(text), '2026-02-01T10:57:14+09:00')).toMatch(taskDirPattern);
      }),
    );
  });
});

describe('times', () => {
  it.each([
    ['2026-02-21T03:30:03.630Z', '2026-02-21T03:30:03.630Z'],
    ['2026-02-21T03:30:03+09:00', '2026-02-21T03:30:03+09:00'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-02-21 03:30:03', '2026-02-21T03:30:03Z'],
    ['2026-02-29', undefined],
    ['2026-02-21T24:00:00Z', undefined],
    ['yesterday', undefined],
    [null, undefined],
  ])('%s → %s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });
});
