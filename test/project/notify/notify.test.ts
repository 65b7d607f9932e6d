import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openDocket } from '../../../src/project/docket.ts';
import { changeBook, readBook } from '../../../src/project/notify/book-file.ts';
import { Notifier } from '../../../src/project/notify/notifier.ts';
import { makeMasker } from '../../../src/render/masker.ts';
import { hook } from '../../support/hook.ts';
import { Project } from '../../support/project.ts';
import { scratch } from '../../support/scratch.ts';
import { shell } from '../../support/task-project.ts';

const { signal } = new AbortController();
const report = (summary: string) => ({ status: 'blocked', summary, questions: [summary] });

function project(
  webhook: string,
  more: object = {},
): { here: Project; docket: (ring?: (sound: string) => void) => ReturnType<typeof openDocket> } {
  const agents = { sh: shell(':', report('Which colour? \u001B]0;x\u0007 It is my-very-secret')) };
  const here = new Project({ agents, defaultAgent: 'sh', notify: { webhook, ...more } });
  const env = { ...here.env, MY_TOKEN: 'my-very-secret', DOCKET_STATE: path.join(here.home, 'state') };
  const docket = (ring?: (sound: string) => void) =>
    openDocket({ cwd: here.root, root: here.root, env, ...(ring && { ring }) });
  return { here, docket };
}

describe('a person who is needed', () => {
  it('hears of it once, in one message, without secrets or control characters', async () => {
    const out = await hook();
    const { here, docket } = project(out.url, { terminal: 'osc' });
    here.queue(['one', 'two', 'three', 'four'], false);
    const rung: string[] = [];
    for (const _ of [1, 2]) {
      const at = await docket((sound) => rung.push(sound));
      await at.run({ signal });
      await at.close();
    }
    expect(out.got).toHaveLength(1);
    const lines = out.got[0]?.text.split('\n') ?? [];
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^queue one: .*Which colour\? ⟨U\+001B⟩\]0;x⟨U\+0007⟩ It is \[REDACTED\]/);
    expect(lines[3]).toBe('+1 more (docket list --status blocked)');
    expect(rung).toHaveLength(1);
    expect(rung[0]?.startsWith('\u001B]9;docket: queue one: ')).toBe(true);
    expect(rung[0]?.slice(1, -1)).not.toMatch(/\p{Cc}/u);
    const status = await (await (await docket()).notices()).status();
    expect(status).toMatchObject({ ways: ['webhook'], waiting: [], webhook: { waiting: [], dead: [] } });
    expect(status.told).toHaveLength(4);
  });

  it('hears of it later, under the same key, when nobody listened or docket died on the way', async () => {
    const out = await hook();
    out.answer = 503;
    const { here, docket } = project(out.url);
    here.queue(['one'], false);
    const at = await docket();
    await at.run({ signal });
    const notices = await at.notices();
    const { webhook } = await notices.status();
    expect(webhook.waiting).toMatchObject([{ tries: 1, why: expect.stringContaining('503') }]);
    expect(await notices.test()).toMatchObject([{ way: 'webhook', ok: false }]);
    out.answer = 200;
    // As if it had died after the message was made, and before anybody had it.
    const message = {
      id: 'notify:left',
      at: 1,
      wants: [{ key: 'k', layout: 'queue', text: 'left behind' } as const],
    };
    await changeBook(here.root, (book) => ({ ...book, made: [message] }));
    await new Promise((resolve) => setTimeout(resolve, 700)); // the pause before its next try
    await at.run({ signal });
    await at.close();
    expect(out.got.map(({ key }) => key).toSorted()).toEqual(
      [webhook.waiting[0]?.key ?? '', 'notify:left'].toSorted(),
    );
    expect(readBook(here.root).made).toEqual([]);
  });
});

it('many dockets at once tell each thing once, and ring once', async () => {
  const out = await hook();
  const root = scratch();
  let rung = 0;
  const where = { root, env: {}, clock: systemClock, ring: () => void (rung += 1) };
  const wants = Array.from(
    { length: 20 },
    (_, n) => ({ key: `k${n}`, layout: 'task', text: `text ${n}` }) as const,
  );
  const look = () => new Notifier(where, { webhook: out.url }, makeMasker([])).look(wants, true, signal);
  await Promise.all(Array.from({ length: 8 }, look));
  await look();
  expect([out.got.length, rung]).toEqual([1, 1]);
  expect(fs.readdirSync(path.join(root, '.docket/notify/outbox/waiting'))).toEqual([]);
});
