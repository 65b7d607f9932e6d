import { namedCommand, partsOf, plainWords } from './named-command.ts';

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
