import { expect, it } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { parseLine } from '../../src/surfaces/cli/frame/parse.ts';
import { pages, read } from './markdown.ts';

const block = /^```sh\n([\s\S]*?)^```$/gm;
/** A word of a shell, with quotes and `<placeholders>` as parts of it; a comment; or what ends a command. */
const token = /(?:"[^"]*"|'[^']*'|<[\w-]+…?>|[^\s"'|;&<>#])+|#.*|[|;&<>]/g;

/** The arguments of every `docket` that a shell would start. */
function callsIn(script: string): string[][] {
  return script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const calls: string[][] = [];
      let open: string[] | undefined;
      for (const [word] of line.matchAll(token)) {
        if (word.startsWith('#')) break;
        if (/^[|;&<>]$/.test(word)) open = undefined;
        else if (open) open.push(word.replaceAll(/["']/g, ''));
        else if (!/^[A-Z_]+=/.test(word)) calls.push((open = [word]));
      }
      return calls.flatMap(([program, ...argv]) => (program === 'docket' ? [argv] : []));
    });
}

const found = pages().map((page) => {
  const scripts = [...read(page).matchAll(block)].map(([, script = '']) => script);
  return [page, scripts.flatMap(callsIn)] as const;
});
const withCalls = found.filter(([, calls]) => calls.length > 0);

it('finds the commands of the pages', () => {
  expect(
    callsIn(
      'A=1 docket add "x y" -n | docket run <id> # docket no\ndocket say \'a b\' && docket \\\n ps; ls',
    ),
  ).toEqual([['add', 'x y', '-n'], ['run', '<id>'], ['say', 'a b'], ['ps']]);
  expect(withCalls.length).toBeGreaterThan(10);
});

it.each(withCalls)('docket understands every command of %s', async (_, calls) => {
  const problems = await Promise.all(
    calls.map((argv) =>
      parseLine(argv).then(
        ({ command, group }) => ((command ?? group) ? [] : [`docket ${argv.join(' ')}: no such command`]),
        (error: unknown) => {
          if (error instanceof DocketError) return [`docket ${argv.join(' ')}: ${error.message}`];
          throw error;
        },
      ),
    ),
  );
  expect(problems.flat()).toEqual([]);
});
