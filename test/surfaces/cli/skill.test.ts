import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../../src/surfaces/cli/frame/exit-codes.ts';
import { parseLine } from '../../../src/surfaces/cli/frame/parse.ts';

const text = readFileSync(new URL('../../../skills/docket/SKILL.md', import.meta.url), 'utf8');

/** The words of a line as a shell would take them, without what is redirected and what is said about it. */
function wordsOf(line: string): string[] {
  const command = line.replace(/\s+#.*$/, '').replace(/\s+[<>].*$/, '');
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const fenced = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

describe('the skill', () => {
  it('is a skill by the rules, and short', () => {
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const { name, description, ...rest } = parse(front) as Record<string, string>;
    expect(name).toBe('docket');
    expect(description?.length).toBeLessThanOrEqual(1024);
    expect(Object.keys(rest).toSorted()).toEqual(['compatibility', 'license']);
    expect(text.split('\n').length).toBeLessThan(200);
  });

  it.each(fenced)('teaches a command that is taken: %s', async (line) => {
    const [program, ...argv] = wordsOf(line);
    expect(program).toBe('docket');
    const { command, globals } = await parseLine(argv);
    expect(command).toBeDefined();
    expect(globals.help).toBe(false);
  });

  it('knows every exit code', () => {
    for (const { code } of exitCodes) expect(text).toMatch(new RegExp(`^\\|[^|]*\\b${code}\\b`, 'm'));
  });

  it('never teaches what is a person’s to do', () => {
    expect(
      fenced.filter((line) => /gate (approve|reject)|merge|trust|\bpr\b|budget set|approve/.test(line)),
    ).toEqual([]);
  });
});
