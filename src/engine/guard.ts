import path from 'node:path';
import type { Agent } from '../adapter/agent.ts';
import { exists, realFolder } from '../io/links.ts';
import { canSandbox } from '../io/process/sandbox.ts';
import type { Masker } from '../render/masker.ts';
import type { BlockReason, Task } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import { changedKeys } from '../workspace/git-settings.ts';
import { contentsOf, touchedSince, type Contents } from '../workspace/kept-files.ts';
import { held, undone } from './guard-end.ts';

/**
 * What docket and git go by in people's own tree: no agent has a say in it. Workflows are not among it: a run has its own
 * copy of them, and what an agent does to them is work like any other, to be looked at.
 */
const places = [
  '.docket/config.yaml',
  '.docket/prompts',
  '.takt/agents.yaml',
  '.takt/debug.yaml',
  '.git/config',
  '.git/config.worktree',
  '.git/hooks',
  '.git/info/attributes',
  'config/acceptance-policy.json',
  'state/acceptance-policy.json',
  'docs/protocol-config.json',
];

export interface GuardOptions {
  /** People's own tree. */
  root: string;
  task: string;
  masking: Pick<Masker, 'text'>;
  /** The command that lets the task go on. */
  goOn: string;
  /** It is worked on in a workspace of its own, wherever that lies. */
  isApart?: boolean;
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

/**
 * In place only the agent writes, so what it changed is put back. Where it has a workspace of its own people go on working
 * in theirs: nobody can tell whose change it is, so it is left, and the task waits until a person has said so.
 */
export function guardOf(options: GuardOptions): Guard {
  const root = realFolder(options.root);
  return async ({ cwd, step, agent, task }) => {
    const isApart = options.isApart === true || !isBelow(root, realFolder(cwd));
    if (isApart && (await isWalledIn(agent, task))) return undefined;
    const before = contentsOf(root, places);
    return async () => {
      const now = contentsOf(root, places);
      const touched = touchedIn(root, before, now);
      if (touched.size === 0) return undefined;
      const about = { ...options, root, step, before, now, touched };
      return isApart
        ? { reason: await held(about), putBack: false }
        : { reason: await undone(about), putBack: true };
    };
  };
}

function isBelow(root: string, cwd: string): boolean {
  const below = path.relative(root, cwd);
  return !below.startsWith('..') && !path.isAbsolute(below);
}

/** It cannot write outside of its workspace, whatever it is told. */
async function isWalledIn({ sandbox, adapter, permission, approvals }: Agent, task: Task): Promise<boolean> {
  if (sandbox !== 'none' || (isLow(task) && (await canSandbox()))) return true;
  return permission !== 'full' && adapter.capabilities.permissions[permission] === 'system' && !approvals;
}

/** The files, each with the keys that are others where it is one of git's settings. */
function touchedIn(root: string, before: Contents, now: Contents): Map<string, string[]> {
  // Where all of the repository is gone, that is what is to be told, and nothing is put into its place.
  const isThere = (file: string): boolean =>
    !file.startsWith('.git/') || exists(path.join(root, '.git/HEAD'));
  const touched = new Map<string, string[]>();
  for (const file of touchedSince(before, now)) {
    if (!isThere(file) || file.endsWith('.sample')) continue;
    const isSettings = file.startsWith('.git/config');
    const isLink = before[file]?.[0] === 'link' || now[file]?.[0] === 'link';
    const keys = isSettings ? changedKeys(before[file]?.[1] ?? '', now[file]?.[1] ?? '') : [];
    if (!isSettings || isLink || keys.length > 0) touched.set(file, keys);
  }
  return touched;
}
