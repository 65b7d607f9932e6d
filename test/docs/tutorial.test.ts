import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';
import { repository } from './markdown.ts';

/** Runs a page of these lines, as `npm run tutorial` runs docs/tutorial.md. */
function check(lines: readonly string[], ...args: string[]) {
  const [page, temporary] = [path.join(scratch(), 'page.md'), scratch()];
  fs.writeFileSync(page, `${lines.join('\n')}\n`);
  const script = path.join(repository, 'scripts/tutorial.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...args, page], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
  });
  return {
    status,
    said: stderr.replaceAll(page, 'page.md').trim(),
    now: fs.readFileSync(page, 'utf8'),
    left: fs.readdirSync(temporary),
  };
}

const block = (language: string, ...lines: string[]): string[] => [`\`\`\`${language}`, ...lines, '```'];
const sh = (...lines: string[]): string[] => block('sh', ...lines);
const text = (...lines: string[]): string[] => block('text', ...lines);

describe('npm run tutorial', () => {
  it('takes a page whose commands print what it says: in one place, with files, times and words left out', () => {
    const { status, said } = check([
      ...sh('mkdir a', 'cd a', 'export WHO=Ann'),
      'Write this to `b/who.js`:',
      ...block(
        'js',
        'console.log(`${process.env.WHO} at 2030-01-02T03:04:05.678Z`);',
        "console.error('two');",
      ),
      ...sh('node b/who.js', 'echo three; echo four; echo "$HOME"; false || echo "exit code $?"'),
      ...text('Ann at 2031-05-05T05:05:05.555Z', '…', 'th…', 'four', '/home/ann', 'exit code 1'),
    ]);
    expect([status, said]).toEqual([0, '']);
  });

  it.each([
    [
      'another output',
      [...sh('echo one; echo two'), ...text('one', 'three')],
      '6: the page and the program differ\n- three\n+ two',
    ],
    ['an output that is not on the page', sh('echo one'), '1: the page and the program differ\n+ one'],
    [
      'less than the page has',
      [...sh('echo one'), ...text('one', 'two')],
      '6: the page and the program differ\n- two',
    ],
    [
      'a command that fails',
      ['words', ...sh('echo one', 'false', 'true')],
      '2: a command ended with 1; it printed:\none',
    ],
    ['an output without a command', text('one'), '1: an output without its command'],
    [
      'a file without a name',
      ['Write this:', ...block('js', '1')],
      '2: the line before a file has to end with its name, as in `a.js`:',
    ],
    [
      'a file elsewhere',
      ['Write `../../x.js`:', ...block('js', '1')],
      '2: ../../x.js is outside of the home',
    ],
  ])('refuses %s, and names the line', (_, lines, said) => {
    expect(check(lines)).toMatchObject({ status: 1, said: `page.md:${said}` });
  });

  it('--update puts in what is printed now, and leaves alone what is right', () => {
    const right = [...sh('echo 2 s; echo b'), ...text('1 s', '…')];
    const before = [...sh('echo one; echo two'), ...text('three'), 'words', ...sh('echo four'), ...right];
    const after = [
      ...sh('echo one; echo two'),
      ...text('one', 'two'),
      'words',
      ...sh('echo four'),
      '',
      ...text('four'),
      ...right,
    ];
    const { status, said, now } = check(before, '--update');
    expect([status, said]).toEqual([0, '']);
    expect(now).toBe(`${after.join('\n')}\n`);
  });

  it('leaves nothing behind: no folder, and nobody in the background', () => {
    const cue = path.join(scratch(), 'pid');
    expect(check(sh(`sleep 300 & echo $! > ${cue}`))).toMatchObject({ status: 0, left: [] });
    const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', fs.readFileSync(cue, 'utf8').trim()]);
    expect(String(stdout).trim()).toMatch(/^(?:Z.*)?$/); // exited, or a zombie; a niced one is "ZN"
  });
});
