import { parseSync, Visitor, type Program } from 'oxc-parser';
import { variants, vendorNames } from '../../src/adapters/adapters.ts';

/** What is known about a vendor is in its vendor.ts. Who may name one nevertheless, and why. */
const vendors = new Set<unknown>([...vendorNames, ...Object.keys(variants)]);
const mayNameVendors: readonly [paths: RegExp, why: string][] = [
  [/^src\/adapters\//, 'it is where they are known'],
  [
    /^src\/(kinds\/[^/]+\/format\/|workflow\/file\/|settings\/takt-agents-file)/,
    'a file format has its own words for tools',
  ],
  [/^src\/surfaces\/cli\/commands\/skill-install\.ts$/, '--claude is an option'],
];

/** The first words of docket's commands. */
const verbs =
  `add agents board budget cancel chat clean compat completion cost delete demo diff disk doctor evidence
  explain gate help init limits list logs mcp merge needs-me notify packet pr ps queue repair requeue
  restore retry run say show skill status task trust validate version watch workflow`.split(/\s+/);
const commandLine = new RegExp(String.raw`\bdocket (?:${verbs.join('|')})\b(?!-)`);
/** A command is data (src/errors/command.ts): a page makes a button of it. Who may write one as text nevertheless, and why. */
const mayWriteCommands: readonly [paths: RegExp, why: string][] = [
  [/^src\/surfaces\//, 'it is where commands are typed and read'],
  [/^src\/errors\//, 'the help about errors is text, and command.ts makes the lines'],
  [/^src\/project\/init\/(block|config-text)\.ts$/, 'it is the text of files for people'],
  [/^src\/project\/skill\/text\.ts$/, 'the seal of a skill file begins with these words'],
  [/^src\/project\/demo\/acts\.ts$/, 'the demo shows the commands that it runs in a shell'],
];

/** What a string may not say: the name of a vendor elsewhere, and a command line that should be data. */
export function checkTexts(path: string, source: string): string[] {
  const mayName = mayNameVendors.some(([paths]) => paths.test(path));
  const mayWrite = mayWriteCommands.some(([paths]) => paths.test(path));
  if (mayName && mayWrite) return [];
  const problems: string[] = [];
  const check = (start: number, text: unknown): void => {
    const add = (problem: string) => problems.push(`${path}:${lineAt(source, start)}: ${problem}`);
    if (!mayName && vendors.has(text))
      add(`names the vendor ${String(text)}; let its vendor.ts say what is different about it`);
    if (!mayWrite && typeof text === 'string' && commandLine.test(text))
      add('a command line in a string; use command`...`');
  };
  new Visitor({
    Literal: ({ start, value }) => check(start, value),
    TemplateElement: ({ start, value }) => check(start, value.cooked),
  }).visit(parse(path, source));
  return problems;
}

export function parse(path: string, source: string): Program {
  const { program, errors } = parseSync(path, source);
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return program;
}

export function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
