import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedNext } from '../../src/task/allowed.ts';
import type { Command, CommandType } from '../../src/task/command.ts';
import { decide } from '../../src/task/decide.ts';
import { anyIntent, anySequence, bounded, commandTypes, play, rightful, verdicts } from './commands.ts';
import { processLease, World } from './world.ts';

function possible(world: World, id: string): CommandType[] {
  const accepted = (command: Command): boolean => decide(world.tasks, command, world.now).ok;
  return commandTypes.filter((type) => rightful(type, world, id).some(accepted));
}

describe('a refusal', () => {
  it('changes nothing and says why', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const intent of intents) {
        const before = structuredClone(world.tasks);
        const seq = world.journal.length;
        world.ms += intent.wait;
        const decision = world.run(intent.make(world, world.tasks.get(intent.id)));
        if (decision.ok) continue;
        expect(decision.refusal.message.trim()).not.toBe('');
        expect(decision).not.toHaveProperty('events');
        expect(world.tasks).toEqual(before);
        expect(world.journal.length).toBe(seq);
      }
    });
    fc.assert(property, { ...bounded, numRuns: 60 });
  });

  it('offers exactly what is possible', () => {
    const property = fc.property(anySequence, (intents) => {
      const world = new World();
      for (const intent of intents) {
        world.ms += intent.wait;
        const decision = world.run(intent.make(world, world.tasks.get(intent.id)));
        if (decision.ok) continue;
        expect(decision.refusal.allowed.toSorted()).toEqual(possible(world, intent.id).toSorted());
      }
    });
    fc.assert(property, { ...bounded, numRuns: 60 });
  });

  it('would offer exactly what is possible in every state that is reached', () => {
    const property = fc.property(anySequence, fc.array(anyIntent, { maxLength: 5 }), (intents, more) => {
      const world = new World();
      for (const intent of [...intents, ...more]) {
        play(world, intent);
        const offered = allowedNext(world.tasks.get(intent.id));
        expect(offered.toSorted()).toEqual(possible(world, intent.id).toSorted());
      }
    });
    fc.assert(property, { ...bounded, numRuns: 60 });
  });
});

describe('decide refuses', () => {
  it('a second task with the same id, and one with the id of a removed task', () => {
    const world = new World();
    world.add('a');
    const again: Command = { type: 'create', id: 'a', by: 'bob', title: 'b', spec: { body: '' } };
    expect(world.answer(again)).toBe('exists');
    world.must({ type: 'cancel', id: 'a', by: 'ann', reason: 'no' });
    world.must({ type: 'remove', id: 'a', by: 'ann', reason: 'no' });
    expect(world.refuses(again, 'exists').allowed).toEqual(['restore']);
    world.must({ type: 'restore', id: 'a', by: 'ann', reason: 'after all' });
    expect(world.task('a').status).toBe('canceled');
  });

  it('every command about a task that is unknown or removed', () => {
    const world = new World();
    world.add('gone');
    world.must({ type: 'cancel', id: 'gone', by: 'ann', reason: 'no' });
    world.must({ type: 'remove', id: 'gone', by: 'ann', reason: 'no' });
    for (const type of commandTypes.filter((name) => name !== 'create')) {
      for (const command of rightful(type, world, 'never')) expect(world.answer(command)).toBe('not-found');
      if (type === 'restore') continue;
      for (const command of rightful(type, world, 'gone')) expect(world.answer(command)).toBe('not-found');
    }
  });

  it('an edit that changes nothing', () => {
    const world = new World();
    world.add('a');
    expect(world.answer({ type: 'edit', id: 'a', by: 'ann', set: {} })).toBe('invalid');
  });

  it('a verdict on a task that nobody is working on', () => {
    const world = new World();
    world.add('queued');
    world.must({ type: 'fail', id: world.add('failed').id, by: 'x', failure: { error: 'no' } });
    world.must({
      type: 'block',
      id: world.add('blocked').id,
      by: 'x',
      reason: { kind: 'gate', text: 'look', who: 'ann' },
    });
    for (const id of ['queued', 'failed', 'blocked']) {
      for (const verdict of verdicts) {
        expect(world.answer({ type: 'settle', id, by: 'gate', verdict, summary: 's' })).toBe('illegal');
      }
    }
  });

  it('to take an active task away', () => {
    const world = new World();
    world.add('a');
    expect(world.answer({ type: 'remove', id: 'a', by: 'ann', reason: 'r' })).toBe('illegal');
    world.must({ type: 'start', id: 'a', by: 'bob', owner: 'bob', lease: processLease });
    expect(world.answer({ type: 'archive', id: 'a', by: 'ann' })).toBe('illegal');
  });
});

describe('a verdict', () => {
  it.each([
    ['pass', { status: 'done' }],
    ['retry', { status: 'running', owner: 'bob', token: 2 }],
    ['hold', { status: 'blocked' }],
    ['fail', { status: 'failed' }],
  ])('%s takes a task in review to %o', (kind, expected) => {
    const world = new World();
    world.add('a');
    world.must({ type: 'start', id: 'a', by: 'bob', owner: 'bob', lease: processLease });
    const token = world.token('a');
    world.must({ type: 'submit', id: 'a', by: 'bob', token, summary: 's' });
    const verdict = verdicts.find((verdict) => verdict.kind === kind)!;
    world.must({ type: 'settle', id: 'a', by: 'gate', token, verdict, summary: 's' });
    expect(world.task('a')).toMatchObject(expected);
  });
});
