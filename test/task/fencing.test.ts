import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/task/command.ts';
import type { Status } from '../../src/task/status.ts';
import { verdicts } from './commands.ts';
import { at, minute, processLease, World } from './world.ts';

const reason = { kind: 'gate', text: 'look', who: 'ann' } as const;

/** Everything that a holder may write, with this token. */
function writes(id: string, token: number): Command[] {
  const base = { id, by: 'bob', token };
  return [
    { ...base, type: 'renew', until: at(1000 * minute) },
    { ...base, type: 'release', reason: 'r' },
    { ...base, type: 'submit', summary: 's' },
    ...verdicts.map((verdict): Command => ({ ...base, type: 'settle', verdict, summary: 's' })),
    { ...base, type: 'block', reason },
    { ...base, type: 'requeue', reason: 'r' },
    { ...base, type: 'fail', failure: { error: 'no' } },
  ];
}

const claim = (owner: string, until: string): Command => ({
  type: 'claim',
  id: 'a',
  by: owner,
  owner,
  until,
});
const begin = (owner: string): Command => ({
  type: 'start',
  id: 'a',
  by: owner,
  owner,
  lease: processLease,
});

/** Brings the task, which had the claim `old`, to each status by way of another holder or none. */
const later: Record<Status, (world: World) => void> = {
  queued: () => undefined,
  running: (world) => world.must(begin('eve')),
  review: (world) => {
    world.must(begin('eve'));
    world.must({ type: 'submit', id: 'a', by: 'eve', token: world.token('a'), summary: 's' });
  },
  blocked: (world) => world.must({ type: 'block', id: 'a', by: 'x', reason }),
  done: (world) => world.finish('a'),
  failed: (world) => world.must({ type: 'fail', id: 'a', by: 'x', failure: { error: 'no' } }),
  canceled: (world) => world.must({ type: 'cancel', id: 'a', by: 'x', reason: 'no' }),
};

describe('a late writer', () => {
  it.each(Object.keys(later) as Status[])('is fenced off from a task that is %s', (status) => {
    const world = new World();
    world.add('a');
    world.must(begin('bob'));
    const old = world.token('a');
    world.must({ type: 'requeue', id: 'a', by: 'recovery', reason: 'its process is gone' });
    later[status](world);
    expect(world.task('a').status).toBe(status);
    for (const command of writes('a', old)) {
      const refusal = world.refuses(command, 'fenced');
      expect(refusal.message).toContain(String(old));
      expect(refusal.data['current'] ?? 0).toBe(world.token('a'));
    }
  });

  it('is fenced off even when the same owner has started again', () => {
    const world = new World();
    world.add('a');
    world.must(begin('bob'));
    const old = world.token('a');
    world.must({ type: 'requeue', id: 'a', by: 'bob', token: old, reason: 'interrupted' });
    world.must(begin('bob'));
    for (const command of writes('a', old)) expect(world.answer(command)).toBe('fenced');
    expect(world.token('a')).toBeGreaterThan(old);
  });

  it('says how an agent ended, once, when nobody holds the task any more; never to another holder', () => {
    const world = new World();
    world.add('a');
    world.must(begin('bob'));
    const token = world.token('a');
    const attempt = { id: 'a', by: 'bob', token, step: 'work', n: 1 };
    world.must({ ...attempt, type: 'begin', agent: 'fake', adapter: 'command', mark: 'm' });
    world.must({ type: 'cancel', id: 'a', by: 'ann', reason: 'no' });
    const end: Command = { ...attempt, type: 'end', outcome: 'stopped' };
    expect(world.must(end).attempts?.['work']?.end?.outcome).toBe('stopped');
    world.refuses(end, 'fenced');
    world.must({ type: 'reopen', id: 'a', by: 'ann', reason: 'yes' });
    world.must(begin('eve'));
    world.must({
      ...attempt,
      token: world.token('a'),
      type: 'begin',
      n: 2,
      agent: 'fake',
      adapter: 'command',
      mark: 'm',
    });
    world.refuses({ ...end, n: 2 }, 'fenced');
    world.refuses({ type: 'end', id: 'a', by: 'x', step: 'work', n: 2, outcome: 'lost' }, 'fenced');
  });

  it('with the token of a claim is fenced off after the start, which has its own', () => {
    const world = new World();
    world.add('a');
    const { rev } = world.must(claim('bob', at(30 * minute)));
    expect(world.token('a')).toBe(rev);
    world.must(begin('bob'));
    for (const command of writes('a', rev)) expect(world.answer(command)).toBe('fenced');
  });

  it('keeps its token through review and return', () => {
    const world = new World();
    world.add('a');
    world.must(begin('bob'));
    const token = world.token('a');
    world.must({ type: 'submit', id: 'a', by: 'bob', token, summary: 's' });
    const verdict = { kind: 'retry', reason: 'tests fail' } as const;
    world.must({ type: 'settle', id: 'a', by: 'gate', token, verdict, summary: 's' });
    expect(world.answer({ type: 'submit', id: 'a', by: 'bob', token, summary: 's' })).toBe('ok');
  });
});

describe('a claim', () => {
  it.each([
    ['in the past', at(-1)],
    ['now', at(0)],
    ['in the past, in another offset', '2026-03-01T01:00:00.000+02:00'],
    ['that is no time', 'soon'],
  ])('until a time %s is refused', (_, until) => {
    const world = new World();
    world.add('a');
    expect(world.answer(claim('bob', until))).toBe('invalid');
    world.must(claim('bob', at(minute)));
    const token = world.token('a');
    expect(world.answer({ type: 'renew', id: 'a', by: 'bob', token, until })).toBe('invalid');
  });

  it.each(['2026-02-28T23:00:00-02:00', '2026-03-01T00:00:00.5Z', '2026-03-01T00:01Z'])(
    'until %s, which is later than now, is good',
    (until) => {
      const world = new World();
      world.add('a');
      world.must(claim('bob', until));
      expect(world.answer(claim('eve', at(minute)))).toBe('held');
    },
  );

  it('that lives keeps others from claim and start, and names the holder', () => {
    const world = new World();
    world.add('a');
    world.must(claim('bob', at(30 * minute)));
    for (const command of [claim('eve', at(90 * minute)), begin('eve')]) {
      const refusal = world.refuses(command, 'held');
      expect(refusal.message).toContain('bob');
      expect(refusal.message).toContain(at(30 * minute));
    }
  });

  it('can be renewed, claimed again and started by its owner', () => {
    const world = new World();
    world.add('a');
    world.must(claim('bob', at(30 * minute)));
    const token = world.token('a');
    world.must({ type: 'renew', id: 'a', by: 'bob', token, until: at(60 * minute) });
    expect(world.task('a')).toMatchObject({ token, lease: { kind: 'term', until: at(60 * minute) } });
    world.ms = 40 * minute;
    expect(world.answer(claim('eve', at(90 * minute)))).toBe('held');
    world.must(claim('bob', at(70 * minute)));
    expect(world.must(begin('bob'))).toMatchObject({ status: 'running', owner: 'bob' });
  });

  it('that is over gives way, to the millisecond', () => {
    const world = new World();
    world.add('a');
    world.must(claim('bob', at(30 * minute)));
    const old = world.token('a');
    world.ms = 30 * minute - 1;
    expect(world.answer(claim('eve', at(90 * minute)))).toBe('held');
    world.ms = 30 * minute;
    expect(world.must(claim('eve', at(90 * minute))).owner).toBe('eve');
    for (const command of writes('a', old)) expect(world.answer(command)).toBe('fenced');
  });

  it('that is over may still be renewed while nobody took it', () => {
    const world = new World();
    world.add('a');
    world.must(claim('bob', at(30 * minute)));
    world.ms = 45 * minute;
    world.must({ type: 'renew', id: 'a', by: 'bob', token: world.token('a'), until: at(60 * minute) });
    expect(world.answer(claim('eve', at(90 * minute)))).toBe('held');
  });

  it('that was given up leaves no trace', () => {
    const world = new World();
    world.add('a');
    world.must(claim('bob', at(30 * minute)));
    world.must({ type: 'release', id: 'a', by: 'bob', token: world.token('a'), reason: 'r' });
    const task = world.must({ type: 'edit', id: 'a', by: 'x', set: { title: 't' } });
    for (const key of ['owner', 'lease', 'token']) expect(task).not.toHaveProperty(key);
    world.must(claim('eve', at(30 * minute)));
  });
});

describe('a process lease', () => {
  it('has no term: nobody renews it, and it never runs out by itself', () => {
    const world = new World();
    world.add('a');
    world.must(begin('bob'));
    const token = world.token('a');
    expect(world.answer({ type: 'renew', id: 'a', by: 'bob', token, until: at(minute) })).toBe('illegal');
    world.ms = 10_000_000 * minute;
    expect(world.answer(claim('eve', at(world.ms + minute)))).toBe('held');
    expect(world.answer(begin('eve'))).toBe('held');
    expect(world.answer(begin('bob'))).toBe('illegal');
  });
});
