import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeMasking } from '../../src/engine/masking.ts';
import { startProcess } from '../../src/io/process/start.ts';
import { all, leftovers, nothing, run, shell } from '../io/process/support.ts';

const secret = 'canary "of" a\\mine/42';
const mask = makeMasking([secret, '1234567890']);
const masked = (script: string, more: Parameters<typeof shell>[1] = {}) => shell(script, { mask, ...more });
const file = (dir: string, name: string) => fs.readFileSync(path.join(dir, name), 'utf8');

describe('what an agent says is masked before it is written', () => {
  test('on both channels, in its order, whatever the pieces; JSON stays JSON', async () => {
    const spec = masked(
      `printf '%s\\n' "one $SECRET" "$JSON" '{"n":1234567890,"a":[1]}'
       printf 'can'; sleep 0.2; printf 'ary "of" a\\\\mine/42 two\\n'
       printf 'last %s' "$SECRET"; echo "err $SECRET" >&2`,
    );
    const env = { ...spec.env, SECRET: secret, JSON: JSON.stringify({ text: `a ${secret} b` }) };
    const { texts, exit, child } = await run({ ...spec, env });
    expect(exit).toEqual({ code: 0 });
    expect(texts).toEqual([
      'one [REDACTED]',
      '{"text":"a [REDACTED] b"}',
      '{"n":"[REDACTED]","a":[1]}',
      '[REDACTED] two',
      'last [REDACTED]',
    ]);
    expect(child.stderrTail()).toBe('err [REDACTED]\n');
    for (const name of fs.readdirSync(spec.dir)) expect(file(spec.dir, name)).not.toContain('canary');
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('a key of many lines, and bytes that are no text stay what they are', async () => {
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
      'abcdef==',
      '-----END PRIVATE KEY-----',
    ];
    const spec = masked(
      `printf 'a\\377b\\n'; for l in ${key.map((line) => `'${line}'`).join(' ')}; do echo "$l"; sleep 0.05; done; echo end`,
    );
    await run(spec);
    const bytes = fs.readFileSync(path.join(spec.dir, 'events.jsonl'));
    expect(bytes.toString('latin1')).toBe('a\u00FFb\n[REDACTED_PRIVATE_KEY]\nend\n');
  });
});

describe('an agent does not notice', () => {
  test('its code, its stdin, its /dev/stdout, a signal, and no descriptor of ours', async () => {
    const script = 'cat; echo again >/dev/stdout; ls /proc/self/fd | tr "\\n" " "; exit 7';
    const { texts, exit } = await run(masked(script, { stdin: { text: 'prompt\n' } }));
    const plain = await run(shell(script, { stdin: { text: 'prompt\n' } }));
    expect([texts, exit]).toEqual([['prompt', 'again', plain.texts.at(-1)], { code: 7 }]);
    expect((await run(masked('kill -SEGV $$'))).exit).toEqual({ code: 139 });
  });

  test('what it leaves running holds nobody up, and a stop ends all', async () => {
    const left = masked('sleep 100 & echo done');
    expect((await run(left)).texts).toEqual(['done']);
    expect(leftovers(left.mark)).toEqual(nothing);
    const spec = masked('trap "echo bye; exit 3" TERM; echo up; while :; do sleep 0.05; done');
    const child = await startProcess(spec);
    for await (const { text } of child.lines()) if (text === 'up') void child.stop('canceled');
    expect(await child.exited).toEqual({ code: 3, stopped: 'canceled' });
    expect(file(spec.dir, 'events.jsonl')).toBe('up\nbye\n');
    expect(leftovers(spec.mark)).toEqual(nothing);
  });

  test('a conversation goes on', async () => {
    const child = await startProcess(
      masked('while read -r line; do echo "you said $line"; done', { stdin: 'open' }),
    );
    await child.send('one\n');
    child.endInput();
    expect(await all(child)).toEqual([{ text: 'you said one' }]);
  });
});

test('without all of its secrets nothing is started', async () => {
  const through = { argv: mask.through?.argv ?? [], told: '["half of' };
  const spec = shell('echo started', { mask: { text: (text) => text, through } });
  const { texts, exit, child } = await run(spec);
  expect([texts, exit]).toEqual([[], { code: 126 }]);
  expect(child.stderrTail()).toContain('nothing was started');
});
