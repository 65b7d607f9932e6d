import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';

const program = fileURLToPath(new URL('../../scripts/recording.mjs', import.meta.url));
const hasScript = spawnSync('script', ['--version']).status === 0;

/** What a picture of a command says: each line with its column of pixels, its row and its class. */
function record(command: string): { picture: string; texts: string[] } {
  const out = path.join(scratch(), 'out.svg');
  execFileSync(process.execPath, [program, '--command', command, '--out', out], { stdio: 'pipe' });
  const picture = fs.readFileSync(out, 'utf8');
  return { picture, texts: picture.match(/<text.*<\/text>/g) ?? [] };
}

describe.skipIf(!hasScript)('a recording', () => {
  it('shows what a terminal would: colours, wide signs, hostile text, and what was written over', () => {
    const { picture, texts } = record(
      String.raw`printf 'a \033[1;32mgreen\033[0m <b>&\n日本x\nold\n'; sleep 0.4; printf '\033[1A\r\033[Jnew\n'`,
    );
    expect(texts[0]).toContain('<tspan x="0">$ printf');
    const body = texts.join('\n');
    expect(body).toContain(
      '<tspan x="16.8" class="b c2">green</tspan><tspan x="58.8"> &lt;b&gt;&amp;</tspan>',
    );
    expect(body).toMatch(/<tspan x="33.6">x<\/tspan>/); // two columns for each of the two before it
    // The old line goes when the new one comes, in the same place.
    const [, y] = /y="(\d+)"><tspan x="0">old/.exec(body) ?? [];
    expect(body).toMatch(new RegExp(`<text class="a k\\d+ g" y="${y}"><tspan x="0">old`));
    expect(body).toMatch(new RegExp(`<text class="a k\\d+" y="${y}"><tspan x="0">new`));
    expect(picture).not.toMatch(/<script|href=/);
    expect(picture).not.toContain(path.dirname(program));
  });

  it('scrolls as the terminal did', () => {
    const { picture, texts } = record('seq 1 60');
    expect(texts).toHaveLength(61);
    expect(picture).toContain('#s{transform:translateY(-608px)'); // 62 lines, the cursor’s too, on 30 rows
  });

  it('is not made of what the terminal here does not know', () => {
    expect(() => record(String.raw`printf '\033[5;5H'`)).toThrow('unknown sequence');
  });
});
