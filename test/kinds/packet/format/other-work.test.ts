import { describe, expect, it } from 'vitest';
import { newMarker, otherWorkIn, type OtherFiles } from '../../../../src/kinds/packet/format/other-work.ts';
import type { Task } from '../../../../src/task/schema.ts';
import { PacketLife } from './packet-life.ts';

const now = '2026-03-01T00:00:00Z';
const none: OtherFiles = { markers: {}, metas: {}, stats: {} };
const signature = {
  count: 1,
  class: 'auth',
  first_seen: '2026-02-01T00:00:00Z',
  last_seen: '2026-02-01T00:00:00Z',
};

/** A task with these attempts of codex_impl behind it. */
function taskWith(attempt?: { end?: string }): Task {
  const { task } = new PacketLife();
  if (!attempt) return task;
  const begun = {
    n: 1,
    step: 'codex_impl',
    agent: 'codex',
    adapter: 'codex',
    mark: 'mark-1',
    startedAt: now,
  };
  const end = attempt.end === undefined ? {} : { end: { at: attempt.end, outcome: 'failed' as const } };
  return { ...task, attempts: { codex_impl: { ...begun, ...end } } };
}

describe('what another tool did in a packet', () => {
  it('is nothing without its files, or with those that docket wrote', () => {
    expect(otherWorkIn(taskWith(), none, now)).toBeUndefined();
    const stats = { paid_calls_used: 1 };
    expect(otherWorkIn(taskWith({ end: now }), { ...none, stats }, now)).toBeUndefined();
  });

  it('is read from its markers, its stats and its meta files', () => {
    const files = {
      markers: { codex_impl: '2026-02-02T10:00:00Z\n' },
      metas: { codex_impl: { exit_code: 0, duration_sec: 7, prompt_sha256: 'ab', start: 'x' } },
      stats: { paid_calls_used: 3, signatures: { 'sig:7c66c617c16b9b44': signature, odd: signature } },
    };
    expect(otherWorkIn(taskWith(), files, now)).toMatchObject({
      calls: 3,
      stages: [
        {
          stage: 'codex_impl',
          facts: {
            tool: 'codex',
            duration_sec: 7,
            start: '2026-02-02T10:00:00Z',
            other: '2026-02-02T10:00:00Z',
          },
        },
      ],
      signatures: { 'sig:7c66c617c16b9b44': signature },
    });
  });

  it.each([-1, 1.5, '3', null, 1e300])('ignores a count of %j', (paid_calls_used) => {
    expect(otherWorkIn(taskWith(), { ...none, stats: { paid_calls_used } }, now)).toBeUndefined();
  });

  it('is not looked for while an attempt of docket is open', () => {
    const files = { ...none, markers: { gemini_brief: now }, stats: { paid_calls_used: 9 } };
    expect(otherWorkIn(taskWith({}), files, now)).toBeUndefined();
  });
});

describe('a marker', () => {
  it.each([
    ['of a stage that docket never tried', undefined, '2026-02-02T10:00:00Z', '2026-02-02T10:00:00Z'],
    ['without a time', undefined, 'done', now],
    [
      'newer than the last attempt of docket',
      '2026-02-02T09:59:59.900Z',
      '2026-02-02T10:00:00Z',
      '2026-02-02T10:00:00Z',
    ],
    ['of the same second, which is docket’s', '2026-02-02T10:00:00.400Z', '2026-02-02T10:00:00Z', undefined],
    ['older than the last attempt of docket', '2026-02-02T11:00:00Z', '2026-02-02T10:00:00Z', undefined],
    ['without a time, of a stage that docket tried', '2026-02-02T11:00:00Z', '', undefined],
  ])('%s', (_, end, marker, expected) => {
    const task = taskWith(end === undefined ? undefined : { end });
    expect(newMarker(task, 'codex_impl', marker, now)).toBe(expected);
  });

  it('that was taken over is not taken over again', () => {
    const task = taskWith();
    const extras = { packetRun: { other: { calls: 1, stages: { codex_impl: '2026-02-02T10:00:00Z' } } } };
    expect(newMarker({ ...task, extras }, 'codex_impl', '2026-02-02T10:00:00Z', now)).toBeUndefined();
    expect(newMarker({ ...task, extras }, 'codex_impl', '2026-02-02T10:00:05Z', now)).toBeDefined();
  });
});
