import path from 'node:path';
import type { Agent } from '../adapters/agent.ts';
import { shellWord } from '../errors/shell-word.ts';
import { someNames } from '../errors/some-names.ts';
import { findUp } from '../io/find-up.ts';
import { exists, isRealFolder, realFolder } from '../io/links.ts';
import { canSandbox } from '../io/process/sandbox.ts';
import type { Masker } from '../render/masker.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import { asText } from '../workspace/bytes.ts';
import { changedInWorkspace, changedKeys } from '../workspace/git-settings.ts';
import { watchMarks } from '../workspace/hidden-edits.ts';
import { type Contents, contentsOf, touchedSince } from '../workspace/kept-files.ts';
import { movedSince, readRefs } from '../workspace/moved-refs.ts';
import { held, heldInWorkspace, undone } from './forbidden-changes.ts';

/**
 * What docket goes by in people's own tree: no agent has a say in it. Workflows are not among it: a run has its own copy of
 * them, and what an agent does to them is work like any other, to be looked at.
 */
export const settingsPlaces: readonly string[] = [
  '.docket/config.yaml',
  '.docket/prompts',
  '.takt/agents.yaml',
  '.takt/debug.yaml',
  'config/acceptance-policy.json',
  'state/acceptance-policy.json',
  'docs/protocol-config.json',
];

/** With what git goes by. */
const places = [
  ...settingsPlaces,
  '.git/config',
  '.git/config.worktree',
  '.git/hooks',
  '.git/info/attributes',
  '.git/info/exclude',
];

/** What git obeys in a clone. Its rules for what is ignored are compared when the work is committed. */
const cloneSettings = ['.git/config', '.git/config.worktree'];

export interface GuardOptions {
  /** People's own tree. */
  root: string;
  task: string;
  masking: Pick<Masker, 'text'>;
  /** The command that lets the task go on. */
  goOn: string;
  /** It is worked on in a workspace of its own, wherever that lies. */
  isApart?: boolean;
  /** Something that a person should know, and that blocks nothing. */
  onNotice?: (text: string, task: Task) => void;
}

/** What was changed while an agent was at work. */
interface Touched {
  reason: BlockReason;
  /** It is as it was again; else it is left as it is, and its earlier version is kept. */
  putBack: boolean;
}

/** Tells, when an agent's turn is over, what of it was changed meanwhile. */
export type Guard = (at: {
  cwd: string;
  step: string;
  agent: Agent;
  task: Task;
}) => Promise<(() => Promise<Touched | undefined>) | undefined>;

type Check = () => Promise<Touched | undefined>;

/**
 * In place only the agent writes, so what it changed is put back. Where it has a workspace of its own people go on working
 * in theirs: nobody can tell whose change it is, so it is left, and the task waits until a person has said so.
 */
export function guardOf(options: GuardOptions): Guard {
  const root = realFolder(options.root);
  return async ({ cwd, step, agent, task }) => {
    const isApart = options.isApart === true || !isBelow(root, realFolder(cwd));
    const about = { ...options, root, step };
    const isWalled = await isWalledIn(agent, task);
    const isBoxed = await isInSandbox(agent, task);
    const checks: Check[] = [
      ...(isApart && isWalled ? [] : [watchPlaces(about, isApart)]),
      ...(isApart ? watchWorkspace(cwd, about) : []),
      ...((isApart ? isWalled : isBoxed) ? [] : [await watchRepository({ ...about, isApart }, task)]),
    ];
    if (checks.length === 0) return undefined;
    return async () => {
      const found: Touched[] = [];
      for (const check of checks) {
        const touched = await check();
        if (touched) found.push(touched);
      }
      return together(found);
    };
  };
}

function together([first, ...rest]: readonly Touched[]): Touched | undefined {
  if (!first || rest.length === 0) return first;
  const text = [first, ...rest].map(({ reason }) => reason.text).join('\n');
  return { reason: { ...first.reason, text }, putBack: [first, ...rest].some(({ putBack }) => putBack) };
}

type About = GuardOptions & { step: string };

function watchPlaces(about: About, isApart: boolean): Check {
  const { root } = about;
  const before = contentsOf(root, places);
  return async () => {
    const now = contentsOf(root, places);
    const touched = touchedIn(root, before, now, changedKeys);
    if (touched.size === 0) return undefined;
    const found = { ...about, before, now, touched };
    return isApart
      ? { reason: await held(found), putBack: false }
      : { reason: await undone(found), putBack: true };
  };
}

/** The settings of a clone, which no agent has to change to work there. A linked work tree has those of people's own. */
function watchWorkspace(cwd: string, about: About): Check[] {
  const workspace = findUp(realFolder(cwd), ['.git']);
  if (workspace === undefined || workspace === about.root) return [];
  if (!isRealFolder(path.join(workspace, '.git'))) return [];
  const before = contentsOf(workspace, cloneSettings);
  const check: Check = async () => {
    if (!exists(workspace)) return undefined; // the check of the work reports it
    const now = contentsOf(workspace, cloneSettings);
    const touched = touchedIn(workspace, before, now, changedInWorkspace);
    if (touched.size === 0) return undefined;
    return { reason: await heldInWorkspace(workspace, { ...about, before, now, touched }), putBack: false };
  };
  return [check];
}

function isBelow(root: string, cwd: string): boolean {
  const below = path.relative(root, cwd);
  return !below.startsWith('..') && !path.isAbsolute(below);
}

/** It cannot write outside of its workspace, whatever it is told. */
async function isWalledIn(agent: Agent, task: Task): Promise<boolean> {
  if (await isInSandbox(agent, task)) return true;
  const { adapter, permission, approvals } = agent;
  return permission !== 'full' && adapter.capabilities.permissions[permission] === 'system' && !approvals;
}

/** docket's own sandbox, which leaves it nothing of people's repository to write to either. */
async function isInSandbox({ sandbox }: Agent, task: Task): Promise<boolean> {
  return sandbox !== 'none' || (isLow(task) && (await canSandbox()));
}

/** The files, each with the keys that are others where it is one of git's settings. */
function touchedIn(
  root: string,
  before: Contents,
  now: Contents,
  keysOf: (before: string, now: string) => string[],
): Map<string, string[]> {
  // Where all of the repository is gone, that is what is to be told, and nothing is put into its place.
  const isThere = (file: string): boolean =>
    !file.startsWith('.git/') || exists(path.join(root, '.git/HEAD'));
  const touched = new Map<string, string[]>();
  for (const file of touchedSince(before, now)) {
    if (!isThere(file) || file.endsWith('.sample')) continue;
    const isSettings = file.startsWith('.git/config');
    const isLink = before[file]?.[0] === 'link' || now[file]?.[0] === 'link';
    const keys = isSettings ? keysOf(before[file]?.[1] ?? '', now[file]?.[1] ?? '') : [];
    if (!isSettings || isLink || keys.length > 0) touched.set(file, keys);
  }
  return touched;
}

const most = 10;

interface Watched extends Pick<GuardOptions, 'root' | 'goOn' | 'onNotice'> {
  step: string;
  isApart: boolean;
}

/**
 * Branches, tags and HEAD of people's own repository, and in place the marks in its index that hide edits. Nothing is
 * undone: people use the same repository meanwhile (ADR 17).
 */
async function watchRepository(
  { root, goOn, step, isApart, onNotice }: Watched,
  task: Task,
): Promise<() => Promise<{ reason: BlockReason; putBack: false } | undefined>> {
  const refs = await readRefs(root);
  if (!refs) return async () => undefined;
  const newMarks = isApart ? undefined : await watchMarks(root);
  return async () => {
    const moved = await movedSince(root, refs, !isApart);
    if (!moved) return undefined; // the check of the work reports it
    if (moved.explained.length > 0)
      onNotice?.(
        `moved in your repository while step ${step} ran: ${someNames(moved.explained, most)}`,
        task,
      );
    const hidden = (await newMarks?.()) ?? [];
    const texts = [
      ...(moved.unexplained.length > 0 ? [refsText(moved.unexplained, step, goOn)] : []),
      ...(hidden.length > 0 ? [marksText(hidden.map(asText), step, goOn)] : []),
    ];
    if (texts.length === 0) return undefined;
    return { reason: { kind: 'scope', text: texts.join('\n'), who: 'a person' }, putBack: false };
  };
}

function refsText(moved: readonly string[], step: string, goOn: string): string {
  return `refs of your repository moved while step ${step} ran, and no commit, merge or other command of yours explains it: ${someNames(moved, most)}. An agent must not move them; docket changed nothing back. Restore them if needed (git branch -f NAME COMMIT; git reflog NAME shows where a branch was), then: ${goOn}`;
}

function marksText(names: readonly string[], step: string, goOn: string): string {
  const files = names.slice(0, most).map(shellWord).join(' ');
  const show = (mark: string): string => `git update-index --no-${mark} -- ${files}`;
  return `git was told to hide edits of ${someNames(names, most)} while step ${step} ran (marks in the index), so the changes there are in no diff. Show them again (${show('skip-worktree')} && ${show('assume-unchanged')}), look at them, then: ${goOn}`;
}
