import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { DocketError } from '../../../src/errors.ts';
import type { Subject } from '../lab.ts';
import { countedBy, endOf, good, lab, modelOf, usageOf, type Told } from './case.ts';

const scenario = {
  hello: [{ text: 'Hello. seen={{seen}}', tokens: { input: 200, cached: 20, output: 30 } }],
  again: [{ text: 'Again. seen={{seen}}', tokens: { input: 300, cached: 30, output: 40 } }],
  third: [{ text: 'Third. seen={{seen}}' }],
};

/** What a conversation is: it goes on, it branches, and it says when it cannot. */
export function sessionCases(subject: Subject, told: Told): void {
  const { capabilities } = subject.adapter;

  it('goes on with the history really sent, and counts the second turn alone', async (test) => {
    const here = await lab(test, subject, scenario);
    const id = capabilities.choosesId ? randomUUID() : undefined;
    const first = await here.run('[[hello]] One.', {
      session: { kind: 'new', ...(id !== undefined && { id }) },
    });
    expect(endOf(first)).toEqual(good('Hello. seen=hello'));
    expect(first.session).toBe(id ?? first.session);
    const from = modelOf(here).requests.length;
    const second = await here.run('[[again]] Two.', {
      session: { kind: 'resume', id: first.session ?? '' },
      ...(first.sessionUsage && { usedBefore: first.sessionUsage }),
    });
    expect(endOf(second)).toEqual(good('Again. seen=hello,again'));
    expect(modelOf(here).requests.at(-1)?.seen).toEqual(['hello', 'again']);
    expect(second.session).toBe(first.session);
    expect(usageOf(second)).toEqual(countedBy(here, capabilities, from));
  });

  if (capabilities.fork) forkCase(subject);
  else noForkCase(subject);

  it('asks for a new session where the old one is gone', async (test) => {
    const here = await lab(test, subject, scenario);
    const ran = await here.run('[[again]] Two.', { session: { kind: 'resume', id: told.missingSession } });
    expect(ran.error).toMatchObject({ newSession: true });
    expect(modelOf(here).requests).toEqual([]);
  });
}

function forkCase(subject: Subject): void {
  it('forks, and leaves the original as it was', async (test) => {
    const here = await lab(test, subject, scenario);
    const { session: id = '' } = await here.run('[[hello]] One.');
    const fork = await here.run('[[third]] Three.', { session: { kind: 'fork', id } });
    expect(endOf(fork)).toEqual(good('Third. seen=hello,third'));
    expect(fork.session).not.toBe(id);
    const original = await here.run('[[again]] Two.', { session: { kind: 'resume', id } });
    expect(endOf(original)).toEqual(good('Again. seen=hello,again'));
    expect(original.session).toBe(id);
    const more = await here.run('[[again]] Four.', { session: { kind: 'resume', id: fork.session ?? '' } });
    expect(endOf(more)).toEqual(good('Again. seen=hello,third,again'));
    expect(more.session).toBe(fork.session);
  });
}

function noForkCase(subject: Subject): void {
  it('says that it cannot fork', async (test) => {
    const here = await lab(test, subject, scenario);
    const { session: id = '' } = await here.run('[[hello]] One.');
    const fork = here.run('[[third]] Three.', { session: { kind: 'fork', id } });
    await expect(fork).rejects.toBeInstanceOf(DocketError);
    expect(modelOf(here).requests).toHaveLength(1);
  });
}
