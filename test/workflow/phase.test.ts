import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phaseOf, phasesThrough } from '../../src/workflow/phase.ts';
import { Life } from '../kinds/directory/format/life.ts';
import { commandTypes, rightful } from '../task/commands.ts';
import { World } from '../task/world.ts';

function running(...steps: { id: string; needs?: string[] }[]): Life {
  const life = new Life();
  life.start();
  life.order(...steps);
  return life;
}

describe('Controller writes progress events', () => {
  it('goes from dispatching to monitoring with the first attempt, and says the goal once', () => {
    const life = running({ id: 'a' }, { id: 'b' });
    expect(life.phases).toEqual(['dispatching']);
    life.work('a');
    life.work('b');
    expect(life.payloads('controller.state.changed')).toEqual([
      { state: 'dispatching', sessionGoal: 'goal 1' },
      { state: 'monitoring' },
    ]);
  });

  it('joins before it is done', () => {
    const life = running({ id: 'a' });
    life.work('a');
    life.join();
    expect(phaseOf(life.task)).toBe('joining');
    life.settle();
    expect(life.phases).toEqual(['dispatching', 'monitoring', 'joining', 'done']);
  });

  it.each([['fail'], ['cancel']] as const)('is done after %s, too', (end) => {
    const life = running({ id: 'a' });
    life.work('a');
    life.join();
    life.do(end === 'fail' ? { type: end, failure: { error: 'no' } } : { type: end, reason: 'no' });
    expect(life.phases).toEqual(['dispatching', 'monitoring', 'joining', 'done']);
  });

  it('stays in monitoring while a step waits for another', () => {
    const life = running({ id: 'a' }, { id: 'b', needs: ['a'] });
    life.work('a');
    expect(phaseOf(life.task)).toBe('monitoring');
    life.begin('b');
    expect(life.phases).toEqual(['dispatching', 'monitoring']);
  });

  it('passes through monitoring even if nothing could start', () => {
    const life = running({ id: 'a' });
    life.end('a', 'canceled', undefined, 'not wanted');
    life.join();
    expect(life.phases).toEqual(['dispatching', 'monitoring', 'joining']);
    const canceled = running({ id: 'a' });
    canceled.do({ type: 'cancel', reason: 'no' });
    expect(canceled.phases).toEqual(['dispatching', 'monitoring', 'done']);
  });

  it('dispatches anew when a person has answered', () => {
    const life = running({ id: 'a' }, { id: 'b' });
    life.begin('a');
    life.begin('b');
    life.end('a', 'blocked', undefined, 'which?');
    life.ask('a');
    life.end('b', 'done');
    life.join();
    life.hold();
    expect(phaseOf(life.task)).toBe('blocked');
    const before = life.phases.length;
    life.do({ type: 'answer', gate: 'gate-a', decision: 'approved', note: 'the first' });
    expect(life.phases).toHaveLength(before);
    life.start();
    life.work('a');
    life.join();
    life.settle();
    expect(life.phases.join(' ')).toBe(
      'dispatching monitoring joining blocked dispatching monitoring joining done',
    );
  });

  it('says each round of a planner', () => {
    const life = running({ id: 'a' });
    life.work('a');
    life.join();
    life.order({ id: 'b' });
    expect(phaseOf(life.task)).toBe('dispatching');
    life.work('b');
    life.join();
    expect(life.phases.join(' ')).toBe('dispatching monitoring joining dispatching monitoring joining');
    expect(life.payloads('controller.state.changed')[3]).toEqual({
      state: 'dispatching',
      sessionGoal: 'goal 2',
    });
  });

  it('begins again where a run that was interrupted is taken up', () => {
    const life = running({ id: 'a' }, { id: 'b' });
    life.work('a');
    life.do({ type: 'requeue', reason: 'SIGINT' });
    life.start();
    life.work('b');
    expect(life.phases).toEqual(['dispatching', 'monitoring', 'dispatching', 'monitoring']);
  });

  it('has no phase before anything is ordered', () => {
    const life = new Life();
    life.start();
    expect(phaseOf(life.task)).toBeUndefined();
    life.do({ type: 'cancel', reason: 'no' });
    expect(life.phases).toEqual([]);
  });

  it('is never left dispatching but by monitoring, whatever happens to a task', () => {
    const order = fc.array(fc.tuple(fc.constantFrom(...commandTypes), fc.nat()), {
      minLength: 30,
      maxLength: 80,
    });
    let met = 0;
    fc.assert(
      fc.property(order, (commands) => {
        const world = new World();
        const phases: string[] = [];
        for (const [type, nth] of [['create', 0], ['start', 0], ['dispatch', 0], ...commands] as const) {
          const choices = rightful(type, world, 'a');
          const before = world.tasks.get('a');
          const decision = world.run(choices[nth % choices.length]!);
          const last = decision.ok ? decision.events.at(-1) : undefined;
          if (last) phases.push(...phasesThrough(before, last, world.task('a')));
        }
        for (const [at, phase] of phases.entries()) {
          if (phase !== 'dispatching') continue;
          met += 1;
          expect(['monitoring', undefined]).toContain(phases[at + 1]);
        }
      }),
      { numRuns: 150, interruptAfterTimeLimit: 5000 },
    );
    expect(met).toBeGreaterThan(0);
  });
});
