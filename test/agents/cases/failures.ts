import { expect, it } from 'vitest';
import type { ErrorClass } from '../../../src/adapters/adapter.ts';
import type { Subject } from '../lab.ts';
import type { Step } from '../model/step.ts';
import { endOf, expectEnd, good, lab, modelOf, type Told } from './case.ts';

/** How a failure of the model arrives at us: docket's verdict, by class. */
export function failureCases(subject: Subject, told: Told): void {
  const failures: [what: string, step: Step, verdict: ErrorClass][] = [
    ['500', { status: 500 }, 'transient'],
    ['a stream that dies of overload', { text: 'a partial answer', dies: 'overloaded' }, told.overloaded],
    ['a stream that is cut', { text: 'a partial answer', dies: 'cut' }, told.cut],
    ['401', { status: 401 }, 'auth'],
  ];
  it.for(failures)('tells %s for what it is', async ([, step, verdict], test) => {
    const here = await lab(test, subject, { fails: [step] });
    const ran = await here.run('[[fails]] Try.', { idle: true });
    expectEnd(ran);
    expect(modelOf(here).requests.length).toBeGreaterThan(0);
    expect(ran.error).toMatchObject({ class: verdict, message: expect.stringMatching(/\w/) });
  });

  it(`tells a limit${told.retryAfter ? ' and when it ends' : ', though not when it ends'}`, async (test) => {
    const seconds = 7;
    const here = await lab(test, subject, { busy: [limited(seconds)] });
    const before = Date.now();
    const ran = await here.run('[[busy]] Try.', { idle: true });
    expectEnd(ran);
    expect(ran.error?.class).toBe('limit');
    // The vendor's last try was before its end, so the wait counts from somewhere in between.
    const earliest = before + seconds * 1000 - 1000;
    const latest = Date.now() + seconds * 1000 + 1000;
    const resetAt = ran.error?.resetAt === undefined ? undefined : Date.parse(ran.error.resetAt);
    const fits = resetAt === undefined ? 'not told' : resetAt >= earliest && resetAt <= latest;
    expect(fits).toBe(told.retryAfter ? true : 'not told');
  });

  it('lives through one failure of the model', async (test) => {
    const here = await lab(test, subject, {
      flaky: [{ status: 500, times: 1, after: { text: 'recovered' } }],
    });
    expect(endOf(await here.run('[[flaky]] Try.'))).toEqual(good('recovered'));
  });
}

function limited(seconds: number): Step {
  return { status: 429, headers: { 'retry-after': String(seconds) } };
}
