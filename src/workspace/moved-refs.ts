import { sleep } from '../io/clock.ts';
import { findUp } from '../io/find-up.ts';
import { tryGit } from '../io/git.ts';
import { plainSource } from './place.ts';
import { headTextInFiles, refsInFiles } from './ref-files.ts';

/** Branches, tags and replacements of a repository by their full names, and what HEAD is. */
export interface Refs {
  refs: ReadonlyMap<string, string>;
  /** docket's own names for tasks' work. */
  own: ReadonlyMap<string, string>;
  /** A branch's full name, or a commit. */
  head: string;
}

interface RefMove {
  ref: string;
  was: string | undefined;
  is: string | undefined;
}

/** One line of a reflog: where the ref stood after it, and which command wrote it. */
interface LogLine {
  commit: string;
  command: string;
}

/** `unexplained`: no command that people use did it. `explained`: one did, whoever typed it. Sentences for people. */
export interface MovedRefs {
  unexplained: string[];
  explained: string[];
}

const ownFolder = 'refs/docket/tasks';
const folders = ['refs/heads', 'refs/tags', 'refs/replace', ownFolder];
const longestLog = 1000;
/** Git writes the log and the ref one after the other, so a command that is still running looks unexplained for a moment. */
const looksMs = [50, 150, 400];

/** Undefined where there is no repository. Git is asked only where its files are not plain: this is done around each step. */
export async function readRefs(root: string): Promise<Refs | undefined> {
  const all = refsByFiles(root) ?? (await refsByGit(root));
  if (!all) return undefined;
  const isOwn = (ref: string): boolean => ref.startsWith(`${ownFolder}/`);
  return {
    head: all.head,
    refs: new Map([...all.refs].filter(([ref]) => !isOwn(ref))),
    own: new Map([...all.refs].filter(([ref]) => isOwn(ref))),
  };
}

type AllRefs = Pick<Refs, 'refs' | 'head'>;

function refsByFiles(root: string): AllRefs | undefined {
  const top = findUp(root, ['.git']);
  const source = top === undefined ? undefined : plainSource(top);
  const head = source && headTextInFiles(source.common);
  const refs = source && refsInFiles(source.common, folders);
  return head === undefined || refs === undefined ? undefined : { refs, head };
}

async function refsByGit(root: string): Promise<AllRefs | undefined> {
  const listed = await tryGit(root, ['for-each-ref', '--format=%(refname) %(objectname)', ...folders]);
  if (listed.code !== 0) return undefined;
  const refs = new Map<string, string>();
  for (const line of listed.stdout.split('\n').filter((one) => one !== '')) {
    const [ref = '', commit = ''] = line.split(' ');
    refs.set(ref, commit);
  }
  const branch = await tryGit(root, ['symbolic-ref', '--quiet', 'HEAD']);
  const head = branch.code === 0 ? branch : await tryGit(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  return { refs, head: head.stdout.trim() };
}

/**
 * What moved since, without what docket itself did. `isHeadOurs`: the branch of HEAD is compared elsewhere. Undefined: the
 * repository is gone.
 */
export async function movedSince(
  root: string,
  before: Refs,
  isHeadOurs: boolean,
): Promise<MovedRefs | undefined> {
  for (const waitMs of looksMs) {
    const moved = await movesNow(root, before, isHeadOurs);
    if (!moved || moved.unexplained.length === 0) return moved;
    await sleep(waitMs);
  }
  return movesNow(root, before, isHeadOurs);
}

async function movesNow(root: string, before: Refs, isHeadOurs: boolean): Promise<MovedRefs | undefined> {
  const now = await readRefs(root);
  if (!now) return undefined;
  const moved: MovedRefs = { unexplained: [], explained: [] };
  for (const move of movesBetween(before, now)) {
    if (isByDocket(move, before, now)) continue;
    const command = await commandFor(root, move);
    if (command === undefined) moved.unexplained.push(sentenceOf(move));
    else if (!command.startsWith('docket')) moved.explained.push(`${sentenceOf(move)} (${command})`);
  }
  if (!isHeadOurs && before.head !== now.head) {
    const [last] = await logOf(root, 'HEAD');
    const text = `HEAD: ${shortOf(before.head)} → ${shortOf(now.head)}`;
    if (last && isPeoples(last.command)) moved.explained.push(`${text} (${nameOf(last.command)})`);
    else moved.unexplained.push(text);
  }
  return moved;
}

function movesBetween(before: Refs, now: Refs): RefMove[] {
  const names = [...new Set([...before.refs.keys(), ...now.refs.keys()])].toSorted();
  return names
    .map((ref) => ({ ref, was: before.refs.get(ref), is: now.refs.get(ref) }))
    .filter(({ was, is }) => was !== is);
}

/** docket moves, makes and removes a task's branch together with its own name for the task's work. */
function isByDocket({ ref, was, is }: RefMove, before: Refs, now: Refs): boolean {
  if (!ref.startsWith('refs/heads/')) return false;
  if (is !== undefined)
    return [...now.own].some(([name, commit]) => commit === is && before.own.get(name) !== is);
  return [...before.own].some(([name, commit]) => commit === was && !now.own.has(name));
}

/** The command that people use which moved it; undefined: none is known. */
async function commandFor(root: string, move: RefMove): Promise<string | undefined> {
  const { ref, was, is } = move;
  // Git keeps no log of tags: a new one is somebody's, and takes nothing away.
  if (ref.startsWith('refs/tags/')) return was === undefined ? 'new tag' : undefined;
  if (!ref.startsWith('refs/heads/')) return undefined;
  if (is === undefined) return (await isReachable(root, was ?? '')) ? 'deleted, merged elsewhere' : undefined;
  const log = await logOf(root, ref);
  const at = log.findIndex(({ commit }) => commit === is);
  // While somebody commits, the log is already ahead of the ref that was read before it: later lines are not about this move.
  const hasMovedOn = at > 0 && (await readRefs(root))?.refs.get(ref) !== is;
  return commandIn(hasMovedOn ? log.slice(at) : log, move);
}

/** The last command of a log that led from the one commit to the other, if people's commands alone did. */
export function commandIn(log: readonly LogLine[], { was, is }: RefMove): string | undefined {
  const [last] = log;
  if (last?.commit !== is) return undefined;
  const end = was === undefined ? log.length : log.findIndex(({ commit }) => commit === was);
  const since = end < 0 ? log.slice(0, 0) : log.slice(0, end);
  if (since.length === 0 || !since.every(({ command }) => isPeoples(command))) return undefined;
  return nameOf(last?.command ?? '');
}

/** What git's own commands for people write into the log; `update-ref` writes nothing there, a push `push`. */
function isPeoples(command: string): boolean {
  return /^(?:am|branch|checkout|cherry-pick|clone|commit|docket|fetch|initial pull|merge|pull|rebase|reset|revert|switch)\b/.test(
    command,
  );
}

function nameOf(command: string): string {
  return command.slice(0, 80);
}

async function logOf(root: string, ref: string): Promise<LogLine[]> {
  const args = ['log', '-g', '--format=%H%x00%gs', `-n${longestLog}`, ref, '--'];
  const { code, stdout } = await tryGit(root, args);
  if (code !== 0) return [];
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', command = ''] = line.split('\0');
      return { commit, command };
    });
}

async function isReachable(root: string, commit: string): Promise<boolean> {
  const { code, stdout } = await tryGit(root, ['rev-list', '-n1', commit, '--not', '--all']);
  return code === 0 && stdout.trim() === '';
}

function sentenceOf({ ref, was, is }: RefMove): string {
  const name = ref.replace(/^refs\/(?:heads\/)?/, '');
  if (was === undefined) return `${name} is new`;
  if (is === undefined) return `${name} was deleted (it was at ${was.slice(0, 12)})`;
  return `${name}: ${was.slice(0, 12)} → ${is.slice(0, 12)}`;
}

function shortOf(head: string): string {
  return head.replace(/^refs\/heads\//, '').slice(0, 80);
}
