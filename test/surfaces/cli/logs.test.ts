import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { attemptFolder, begun, claimed, happened, round, workStep } from '../../support/queue-history.ts';
import { add, openStore, scratch } from '../../support/scratch.ts';
import { inFolder } from './real-world.ts';

const claude = {
  says: (text: string) =>
    JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] }, session_id: 's' }),
};

/** Three attempts: `plan` once by a plain program, `implement` twice by claude. */
async function worked() {
  const root = scratch();
  const store = await openStore(root);
  await add(store, 'fix');
  const claim = await claimed(store, 'fix');
  const lost = (step: string, n: number) => ({ type: 'end', step, n, outcome: 'lost' }) as const;
  await happened(store, claim, round(1, workStep('plan')), begun('plan', 1), lost('plan', 1));
  await happened(store, claim, round(2, workStep('implement')), begun('implement', 1, 'claude'));
  await happened(store, claim, lost('implement', 1), begun('implement', 2, 'claude'));
  const folders = [
    attemptFolder(root, 'fix', 'plan', 1, { lines: ['I \u001B[31mplan', ''], stderr: 'noise\n', code: 0 }),
    attemptFolder(root, 'fix', 'implement', 1, { lines: [claude.says('first try'), '{"odd":'], code: 1 }),
    attemptFolder(root, 'fix', 'implement', 2, { lines: [claude.says('second\ntry')] }),
  ];
  // Their order is that of their beginning, whatever their names are.
  folders.forEach((dir, index) => fs.utimesSync(path.join(dir, 'prompt'), index + 1, index + 1));
  return { root, store, claim, open: path.join(folders[2]!, 'events.jsonl'), dir: folders[2]! };
}

describe('docket logs', () => {
  it('shows what agents said, in order, whatever wrote it', async () => {
    const { root } = await worked();
    const { code, stdout } = await inFolder(root, ['logs', 'fix']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      String.raw`plan I \e[31mplan`,
      'plan stderr noise',
      'implement first try',
      'implement {"odd":',
      'implement#2 second',
      '    try',
      '',
    ]);
  });

  it('shows one step, one attempt, or the lines as they are', async () => {
    const { root } = await worked();
    const out = async (...argv: string[]) => (await inFolder(root, ['logs', 'fix', ...argv])).stdout;
    expect(await out('--step', 'implement', '--attempt', '1')).toContain('first try');
    expect(await out('--step', 'plan')).not.toContain('try');
    expect(await out('--raw', '--attempt', '2')).toBe(`${claude.says('second\ntry')}\n`);
    const of = { v: 1, layout: 'queue', task: 'fix' };
    const lines = (await out('--json', '--step', 'plan')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { ...of, step: 'plan', attempt: 1, kind: 'event', event: { type: 'text', text: 'I \u001B[31mplan' } },
      { ...of, step: 'plan', attempt: 1, kind: 'line', stream: 'stderr', text: 'noise' },
    ]);
    expect(await inFolder(root, ['logs', 'fix', '--step', 'none'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('follows what is running until it no longer is', async () => {
    const { root, store, claim, open } = await worked();
    let seen = '';
    let next = 0;
    const doing: unknown[] = [];
    const more = [
      () => fs.appendFileSync(open, `${claude.says('third')}\n`),
      // A step that begins meanwhile is followed too.
      async () => {
        await happened(store, claim, { type: 'end', step: 'implement', n: 2, outcome: 'lost' });
        await happened(store, claim, round(3, workStep('review')), begun('review', 1));
        attemptFolder(root, 'fix', 'review', 1, { lines: ['looks good'] });
      },
      async () => {
        await happened(store, claim, { type: 'end', step: 'review', n: 1, outcome: 'lost' });
        await happened(store, claim, { type: 'settle', verdict: { kind: 'pass' }, summary: 'ok' });
        await claim.release();
      },
    ];
    const waitsFor = ['    try', 'implement#2 third', 'review looks good'];
    const ended = await inFolder(root, ['logs', 'fix', '-f'], {
      onOutput: (text) => {
        seen += text;
        if (next < waitsFor.length && seen.includes(waitsFor[next]!)) doing.push(more[next++]!());
      },
    });
    await Promise.all(doing);
    expect(ended.code).toBe(0);
    expect(ended.stdout.trim().split('\n').slice(-3)).toEqual([
      '    try',
      'implement#2 third',
      'review looks good',
    ]);
  });

  it('stops following when it is told to', async () => {
    const { root } = await worked();
    const stop = new AbortController();
    const ended = await inFolder(root, ['logs', 'fix', '--follow', '--json'], {
      stop: stop.signal,
      onOutput: (text) => text.includes('second') && stop.abort(),
    });
    expect(ended).toMatchObject({ code: 130, stderr: '' });
  });

  it('does not follow links that an agent left', async () => {
    const { root, dir } = await worked();
    const secret = path.join(root, 'secret');
    fs.writeFileSync(secret, 'secret\n');
    fs.rmSync(path.join(dir, 'events.jsonl'));
    fs.symlinkSync(secret, path.join(dir, 'events.jsonl'));
    fs.symlinkSync(root, path.join(dir, '..', '7'));
    const { code, stdout } = await inFolder(root, ['logs', 'fix', '--raw']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('secret');
  });
});
