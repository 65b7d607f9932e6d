import { simpleCommands } from './shell-words.ts';

/** What proves something when it ends well. A name that is in no such list may be a word of a sentence. */
const programs = new Set(
  (
    'ant bash bats bazel biome black bun bundle cargo clang cmake composer ctest cypress deno docker docket dotnet eslint ' +
    'flake8 flutter gcc git go golangci-lint gradle gradlew grep jest just knip make mocha mvn mvnw mypy ninja node npm npx nx ' +
    'oxlint php phpunit playwright pnpm poetry pre-commit prettier pylint pyright pytest python python3 rake rg rspec rubocop ' +
    'ruby ruff sbt sh swift terraform tox ts-node tsc tsx turbo uv vite vitest xcodebuild yarn zig'
  ).split(' '),
);
/** These stand in sentences, and hardly ever in commands: "make sure that it works", "npm test passed". */
const prose =
  /(?:^|\s)(?:a|an|and|are|by|exit(?:s|ed)?|fail(?:s|ed)?|green|into|is|it|of|ok|pass(?:es|ed)?|sure|that|the|this|through|to|was|were|with|without)(?:\s|$)/i;
/** Brackets, arrows, marks and dots of a note, or of somebody who left something out. */
const noted = /[(){}]|[-=]>|<[\w -]+>|[–—→✓✔✅…]|(?:^|\s)\.{3}(?:\s|$)|\w[:,.](?:\s|$)/u;
const quoted = /'[^']*'|"[^"]*"/g;
const shell = /^(?:.*\/)?(?:ba|da|z)?sh$/;
const variable = /^\w+=/;
/** Who starts the program that is meant: nobody cares whether it was started so. */
const launchers =
  /^(?:(?:npx|bunx|uvx|time|sudo|exec|command|nohup) |(?:uv|poetry|pipenv) run |(?:bundle|pnpm|yarn) exec |python3? -m |timeout \S+ )+(?=[^-])/;
/** They set the scene, and prove nothing. */
const asides = new Set(['cd', 'pushd', 'popd', 'export', 'set', 'unset', 'source', '.', 'true', ':', 'env']);

/** The programs of a command line that a report names, in words. None: it is not certain to be a command. */
export function namedCommand(text: string): string[][] {
  const bare = text.replaceAll(quoted, ' ');
  if (prose.test(bare) || noted.test(bare)) return [];
  const parts = partsOf(text);
  return parts.every(([first = '']) => isProgram(first)) ? parts.map(withoutLauncher) : [];
}

/** The programs of a line, each in plain words: without the shell around them, what set the scene, and what only cut the output. */
export function partsOf(line: string): string[][] {
  return simpleCommands(line).flatMap(({ words, isPiped }) => {
    const own = words.slice(words.findIndex((word) => !variable.test(word)));
    const [first = '', flag = '', inner] = own;
    if (words.every((word) => variable.test(word)) || asides.has(first) || isPiped) return [];
    const isLine = shell.test(first) && /^-[a-z]*c$/.test(flag);
    return isLine && inner !== undefined ? partsOf(inner) : [plainWords(own.join(' '))];
  });
}

/** Quoting, white space and signs of the shell are not what makes two commands different. */
export function plainWords(text: string): string[] {
  return (text.match(/[^\s"'`\\;&|(){}<>=]+/g) ?? []).map((word) => word.replace(/^(?:\.\/)+(?=.)/, ''));
}

/** A shell without a line or a file waits for what it is told. */
export function isOpenShell([first = '', ...words]: readonly string[]): boolean {
  return shell.test(first) && words.every((word) => word.startsWith('-'));
}

function isProgram(word: string): boolean {
  return programs.has(word.replace(/^.*\//, '')) || /\.(?:sh|bash)$/.test(word);
}

function withoutLauncher(words: readonly string[]): string[] {
  return words.join(' ').replace(launchers, '').split(' ');
}
