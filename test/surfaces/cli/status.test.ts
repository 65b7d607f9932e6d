import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { does, MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add, scratch } from '../../support/scratch.ts';
import { Terminal } from '../../support/terminal.ts';
import { faultsOf } from './answers/held.ts';
import { inFolder } from './real-world.ts';

async function blocked(): Promise<MixedWorkspace> {
  const workspace = new MixedWorkspace();
  await workspace.queue(async (store) => {
    for (const id of ['asks', 'next']) await add(store, id);
    const text = 'look at \u001B[2Jthis';
    const reason = { kind: 'scope', text, who: 'a person' } as const;
    await does(store, { type: 'block', id: 'asks', by: 'docket', reason });
  });
  return workspace;
}

function published(name: 'status' | 'needs-me', line: string): Record<string, unknown> {
  const value = JSON.parse(line) as Record<string, unknown>;
  expect(faultsOf(name, value)).toEqual([]);
  return value;
}

describe('docket status', () => {
  it('shows what needs somebody first, with the command, then the rest and the sums', async () => {
    const { root } = await blocked();
    const { code, stdout } = await inFolder(root, ['status']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\d+[smhd]\b/g, 'AGE').split('\n')).toEqual([
      'Needs you (1)',
      expect.stringMatching(/^ +AGE {2}queue asks {2}scope: look at .*this$/),
      '    docket retry asks --note TEXT',
      'Waiting (1)',
      expect.stringMatching(/^ +AGE {2}queue next {2}slot: nothing is running. Start: docket run$/),
      '    docket run',
      'In all',
      '  queue      2  1 queued, 1 blocked',
      expect.stringMatching(/^ {2}cost {3}today /),
      '',
    ]);
    expect(stdout).not.toContain('\u001B');
  });

  it('has one JSON value of its published shape, also when something is blocked', async () => {
    const { root } = await blocked();
    fs.mkdirSync(path.join(root, 'state'));
    fs.writeFileSync(path.join(root, 'state', 'tasks.jsonl'), 'not a log\nat all\n');
    const { code, stdout } = await inFolder(root, ['status', '--json']);
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 1]);
    expect(published('status', stdout)).toMatchObject({
      ok: true,
      findings: [{ layout: 'board', path: 'state/tasks.jsonl' }],
      needs: [{ name: 'asks', next: { command: 'docket retry asks --note TEXT' } }],
    });
    const one = await inFolder(root, ['status', '--json', '--layout', 'queue']);
    expect(published('status', one.stdout)).toMatchObject({ findings: [], layouts: [{ layout: 'queue' }] });
  });

  it('names the command that shows the rest, and it does', async () => {
    const workspace = new MixedWorkspace();
    await workspace.queue(async (store) => {
      for (let n = 1; n <= 8; n++) await add(store, `task-${n}`);
    });
    const some = (await inFolder(workspace.root, ['status'])).stdout;
    expect(some).not.toContain('task-8');
    const [, rest = ''] = /and 3 more: docket (.+)/.exec(some) ?? [];
    const all = (await inFolder(workspace.root, rest.split(' '))).stdout;
    expect(all.match(/queue task-\d/g)).toHaveLength(8);
    expect(all).not.toContain('more:');
  });

  it('teaches what to do first where there is nothing', async () => {
    const root = scratch();
    const { code, stdout, stderr } = await inFolder(root, ['status']);
    expect([code, stdout]).toEqual([0, 'Nothing here yet.\n']);
    for (const words of ['docket init', 'docket add', 'docket demo']) expect(stderr).toContain(words);
    expect((await inFolder(root, ['status', '--layout', 'packet'])).stderr).toContain('docket packet new');
    expect(fs.readdirSync(root)).toEqual([]);
    await inFolder(root, ['init']);
    const after = (await inFolder(root, ['status'])).stderr;
    expect(after).toContain('docket add');
    expect(after).not.toContain('docket init');
  });

  it('goes on with --watch: a value for each change, and none without', async () => {
    const workspace = await blocked();
    const stop = new AbortController();
    let lines = 0;
    const watching = inFolder(workspace.root, ['status', '--watch', '--json'], {
      stop: stop.signal,
      onOutput() {
        lines += 1;
        if (lines === 1) void workspace.queue((store) => add(store, 'third').then(() => undefined));
        else stop.abort();
      },
    });
    const { code, stdout } = await watching;
    expect(code).toBe(0);
    const [first, second, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => published('status', line));
    expect([first?.['layouts'], second?.['layouts'], more.length]).toMatchObject([
      [{ tasks: 2 }],
      [{ tasks: 3 }],
      0,
    ]);
  });

  it('is written over in place on a terminal', async () => {
    const { root } = await blocked();
    const stop = new AbortController();
    const terminal = new Terminal(100);
    let frames = 0;
    await inFolder(root, ['status', '--watch'], {
      tty: true,
      stop: stop.signal,
      onOutput(text) {
        terminal.write(text.replaceAll('\n', '\r\n'));
        frames += text === '' ? 0 : 1;
        if (frames === 2) stop.abort();
      },
    });
    expect(terminal.lines.filter((line) => line.includes('Needs you'))).toHaveLength(1);
    expect(terminal.lines.filter((line) => line.includes('queue next'))).toHaveLength(1);
  });
});

describe('docket needs-me', () => {
  it('has a line with the command for each, and says by its exit code whether there is one', async () => {
    const { root } = await blocked();
    const { code, stdout } = await inFolder(root, ['needs-me']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ *\d+[smh] {2}docket retry asks --note TEXT {2}queue asks: scope: look at .*this\n$/,
    );
    expect((await inFolder(root, ['needs-me', '--exit-code'])).code).toBe(5);
    const answer = published('needs-me', (await inFolder(root, ['needs-me', '--json'])).stdout);
    expect(answer).toMatchObject({ needs: [{ name: 'asks', key: expect.any(String) }], findings: [] });
  });

  it('has the first words of a long reason, and on a terminal all of them below the command', async () => {
    const workspace = new MixedWorkspace();
    await workspace.queue(async (store) => {
      await add(store, 'long');
      const text = `\`npm test\` ended with exit code 1 (ev-1):\n\nError: ${'many words '.repeat(12)}end\nSee docket evidence long; when it is seen to: docket retry long`;
      const reason = { kind: 'verify', text, who: 'a person' } as const;
      await does(store, { type: 'block', id: 'long', by: 'docket', reason });
    });
    const { root } = workspace;
    for (const command of ['needs-me', 'status'])
      expect((await inFolder(root, [command])).stdout).toMatch(/1 \(ev-1\): Error: (?:many words )+end\n/);
    const { stdout } = await inFolder(root, ['needs-me'], { tty: true });
    const [first, ...words] = stdout.trimEnd().split('\n');
    expect(first).toMatch(/^ *\d+[smh] {2}.*docket retry long --note TEXT/);
    expect(words.length).toBeGreaterThan(1);
    expect(words.every((line) => line.startsWith('      ') && line.length <= 100)).toBe(true);
    expect(words.at(-1)).toMatch(/ end$/);
  });

  it('says so when nothing needs anybody', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.docket'));
    const { code, stdout, stderr } = await inFolder(root, ['needs-me', '--exit-code']);
    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing needs you.\n']);
  });
});
