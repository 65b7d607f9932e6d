import { simpleCommands } from './shell-words.ts';

/** A command that an agent ran, as its vendor told it. */
export interface AgentRun {
  line: string;
  /** null: nobody said how it ended. */
  ok: boolean | null;
  /** Its agent changed files afterwards. */
  isStale: boolean;
}

/** What became of a command that a report names: `unknown` is no command for certain. */
export type Told = 'ran' | 'stale' | 'failed' | 'never' | 'unknown';

/** With 1 they say "no": that is an answer, and often the one that was wanted. */
const answers = /^(?:e?grep|rg|diff|cmp|test|\[|!|git (?:diff|grep))(?: |$)/;

/**
 * What the agents' own runs, oldest first, say about a command that a report names. It is found by its words, in order, in
 * whatever was around them: who is called a liar must be one. That it failed, only a run of nothing else shows.
 */
export function toldOf(command: string, runs: readonly AgentRun[]): Told {
  const parts = namedCommand(command);
  if (parts.length === 0) return 'unknown';
  const told = parts.map((words) => toldOfOne(words, runs));
  return (['never', 'failed', 'stale'] as const).find((bad) => told.includes(bad)) ?? 'ran';
}

function toldOfOne(words: readonly string[], runs: readonly AgentRun[]): Told {
  const around = runs.filter(({ line }) => isIn(words, plainWords(line)));
  const exact = around.filter(({ line }) => partsOf(line).some((part) => endsAlike(part, words)));
  const last = around.at(-1);
  if (!last) return 'never';
  const decisive = [exact.at(-1) ?? last, last];
  if (decisive.every(hasFailed) && !answers.test(words.join(' '))) return 'failed';
  return last.isStale ? 'stale' : 'ran';
}

/** How the line ended says how this command did: nothing else in it has a say. */
function hasFailed({ line, ok }: AgentRun): boolean {
  const [part, ...others] = partsOf(line);
  const isAlone =
    others.length === 0 && !line.includes('|') && !/^(?:!|if|while|until)$/.test(part?.[0] ?? '');
  return ok === false && isAlone;
}

/** As it was named, whoever started it. */
function endsAlike(part: readonly string[], words: readonly string[]): boolean {
  const tail = part.slice(-words.length);
  return tail.length === words.length && tail.every((word, at) => isSame(word, words[at] ?? ''));
}

/** One after the other, and anything in between. */
function isIn(words: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const word of all) if (at < words.length && isSame(word, words[at] ?? '')) at += 1;
  return at === words.length;
}

/** A path may begin elsewhere. */
function isSame(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

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
function namedCommand(text: string): string[][] {
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
function plainWords(text: string): string[] {
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
