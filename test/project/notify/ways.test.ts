import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { desktopProgram, showOnDesktop } from '../../../src/io/desktop.ts';
import { openDocket } from '../../../src/project/docket.ts';
import { changeBook, readBook } from '../../../src/project/notify/book-file.ts';
import type { Message } from '../../../src/project/notify/book.ts';
import { Notifier } from '../../../src/project/notify/notifier.ts';
import type { Want } from '../../../src/project/notify/wants.ts';
import { makeMasker } from '../../../src/render/masker.ts';
import { hook } from '../../support/hook.ts';
import { until } from '../../support/project.ts';
import { scratch } from '../../support/scratch.ts';

const { signal } = new AbortController();
const masker = makeMasker(['my-very-secret']);

function want(key: string, text = `the text of ${key}`, layout: Want['layout'] = 'queue'): Want {
  return { key, layout, text };
}

/** A desktop whose notify-send writes down how it was called, each call once it is complete. */
function desktop() {
  const [bin, calls] = [scratch(), scratch()];
  const script = `#!/bin/sh
for word in "$@"; do printf '%s\\0' "$word"; done > "$CALLS/$$.part"
mv "$CALLS/$$.part" "$CALLS/$$"
`;
  fs.writeFileSync(path.join(bin, 'notify-send'), script, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, CALLS: calls, DISPLAY: ':7' };
  const shown = (): string[][] =>
    fs
      .readdirSync(calls)
      .filter((name) => !name.endsWith('.part'))
      .map((name) => fs.readFileSync(path.join(calls, name), 'utf8').split('\0').slice(0, -1));
  const sees = (text: string) =>
    until(`"${text}" is shown`, () => shown().some((words) => words[3] === text));
  return { env, shown, sees };
}

/** As if docket had died before it noted that everybody has it. */
async function forgetTold(root: string, ...made: Message[]): Promise<void> {
  await changeBook(root, (book) => ({ ...book, made }));
}

describe.runIf(process.platform === 'linux')('on the desktop', () => {
  it('a message is shown once, and no text becomes an option', async () => {
    const { env, shown, sees } = desktop();
    const root = scratch();
    const notifier = new Notifier({ root, env, clock: systemClock }, { desktop: true }, masker);
    const hostile = want('k1', '--icon=/etc/passwd <b>&my-very-secret');
    for (const _ of [1, 2]) await notifier.look([hostile], true, signal);
    // One that was made, and perhaps shown, by a docket that died: a person is not shown it again.
    await forgetTold(root, { id: 'notify:left', at: 1, wants: [want('k2')] });
    await notifier.look([hostile, want('k3')], true, signal);
    await sees('the text of k3');
    await sees('--icon=/etc/passwd &lt;b&gt;&amp;[REDACTED]');
    const options = ['--app-name=docket', '--', 'docket needs a person'];
    expect(shown()).toHaveLength(2);
    for (const words of shown()) expect(words.slice(0, -1)).toEqual(options);
    expect(readBook(root).made).toEqual([]);
  });

  it('neither does a title', async () => {
    const { env, shown, sees } = desktop();
    showOnDesktop(desktopProgram(env) ?? '', '--hint=string:x:y', 'text', env);
    await sees('text');
    expect(shown()).toEqual([['--app-name=docket', '--', '--hint=string:x:y', 'text']]);
  });

  it('nothing is started where there is no desktop, and docket notify test says so', async () => {
    const { env, shown } = desktop();
    const { DISPLAY: _, ...without } = env;
    const root = scratch();
    fs.mkdirSync(path.join(root, '.docket'));
    fs.writeFileSync(path.join(root, '.docket/config.yaml'), 'notify: {desktop: true}\n');
    const notices = await (await openDocket({ cwd: root, root, env: without })).notices();
    expect(await notices.test()).toMatchObject([{ way: 'desktop', ok: false }]);
    expect(shown()).toEqual([]);
  });
});

it('the group of the chat is told once, through its outbox, also after a death on the way', async () => {
  const out = await hook();
  const root = scratch();
  const env = { DOCKET_HOOK_SECRET: 'a-secret-of-the-chat', PATH: process.env['PATH'] };
  const chats = await (await openDocket({ cwd: root, root, env })).chats();
  const input = { env, groups: ['team'], out: out.url, listen: '127.0.0.1:0' };
  const stop = new AbortController();
  const serving = chats.webhook(input).serve(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await serving;
  });
  await until('the group is known', () => chats.status().toldUpTo !== undefined);
  const notifier = new Notifier({ root, env, clock: systemClock }, { chat: true }, masker);
  const wants = [want('k1', 'asks: my-very-secret?'), want('k2', 'of the board', 'board')];
  await notifier.look(wants, true, signal);
  const [first] = await until('it arrives', () => out.got.length > 0 && out.got);
  expect(first).toMatchObject({ group: 'team', text: 'docket needs a person\nasks: [REDACTED]?' });
  // It was sent, and not noted; the other was noted, and nobody had it.
  const left = { id: 'notify:left', at: 1, wants: [want('k3')] };
  await forgetTold(root, { id: first?.key ?? '', at: 1, wants }, left);
  await notifier.look([...wants, want('k4')], true, signal);
  await until('the others arrive', () => out.got.some(({ text }) => text.endsWith('of k4')));
  expect(out.got.map(({ text }) => text.split('\n')[1])).toEqual([
    'asks: [REDACTED]?',
    'the text of k3',
    'the text of k4',
  ]);
  expect(out.got[1]?.key).toBe('notify:left');
  expect(readBook(root).made).toEqual([]);
});
