import { describe, expect, it } from 'vitest';
import { acp } from '../../src/adapters/acp/adapter.ts';
import { approvalCases } from './cases/approvals.ts';
import { endOf, good, lab, modelOf, usageOf } from './cases/case.ts';
import type { Stage, Subject, Wish } from './lab.ts';
import type { Setup } from './setup/setup.ts';
import { modelStage } from './stage.ts';

export interface AcpOptions {
  /** Arguments that make the CLI speak the protocol. */
  args: readonly string[];
  /** What makes it ask before it acts, where it would not. */
  env?: Readonly<Record<string, string>>;
  /** What has to pass between two processes that work on one session. */
  beforeResume?: () => Promise<void>;
}

/** One CLI over the Agent Client Protocol: it answers, asks before it acts, and goes on. */
export function acpCases(setup: Setup, options: AcpOptions): void {
  const subject: Subject = { adapter: acp, stage: staged(setup, options) };
  const asking: Wish = { permission: 'full', approvals: true };

  describe.concurrent(`the acp adapter with ${setup.name}`, () => {
    it('answers, and goes on with the history really sent', async (test) => {
      const here = await lab(test, subject, {
        hello: [{ text: 'Hello. seen={{seen}}' }],
        again: [{ text: 'Again. seen={{seen}}' }],
      });
      const first = await here.run('[[hello]] One.', asking);
      expect(endOf(first)).toEqual(good('Hello. seen=hello'));
      expect(first.session).toMatch(/^[\w-]{8,}$/);
      await options.beforeResume?.();
      const session = { kind: 'resume', id: first.session ?? '' } as const;
      const second = await here.run('[[again]] Two.', { ...asking, session });
      expect(endOf(second)).toEqual(good('Again. seen=hello,again'));
      expect(modelOf(here).requests.at(-1)?.seen).toEqual(['hello', 'again']);
    });

    approvalCases(subject);

    it('tells 401 for what it is', async (test) => {
      const here = await lab(test, subject, { fails: [{ status: 401 }] });
      const ran = await here.run('[[fails]] Try.', { ...asking, idle: true });
      expect(ran.error).toMatchObject({ class: 'auth' });
      expect(usageOf(ran)).toBeUndefined();
    });

    it('is stopped while its model is silent', async (test) => {
      const here = await lab(test, subject, { hang: [{ hang: true }] });
      const ran = await here.run('[[hang]] Wait.', {
        ...asking,
        async meanwhile(stop) {
          await here.arrived('hang');
          await stop('stall');
        },
      });
      expect(ran.error?.class).toBe('stall');
    });
  });
}

function staged(setup: Setup, { args, env }: AcpOptions): Subject['stage'] {
  const stage = modelStage(setup, args);
  return async (scenario, place): Promise<Stage> => {
    const made = await stage(scenario, place);
    return { ...made, env: { ...made.env, ...env } };
  };
}
