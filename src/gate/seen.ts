import path from 'node:path';
import { someNames } from '../errors/some-names.ts';
import type { Evidence } from './evidence.ts';
import { outOfScope, type Scope } from './scope.ts';

/** What docket saw, before it is an entry of a task. */
export type Sight = Pick<Evidence, 'kind' | 'what' | 'ok' | 'note'>;

/** What a task changed in its tree. */
export interface RealChanges {
  /** Whatever was changed while docket was at work on it, also if it is as before again. */
  touched: string[];
  /** Of these: what is still another than before the task. */
  still: string[];
  /** What is another than before the task, and was changed while docket was not at work: by people. */
  others: string[];
}

const mostNamed = 20;
const noGit = 'what was changed cannot be told: there is no git work tree, or its history is another';

export const noCommand: Sight = {
  kind: 'command',
  what: '',
  ok: null,
  note: 'no command was run: none is configured',
};

/** The entry that says that a person took the work without proof. */
export const acceptedWork = 'accepted without proof';

/** The entry that names what the commands run and the task has changed. */
const changedProof = 'what the commands run';

export function acceptanceChanged(files: readonly { file: string; command: string }[]): Sight[] {
  if (files.length === 0) return [];
  const names = [...new Set(files.map(({ file, command }) => `${file} (${command})`))];
  return [{ kind: 'tree', what: changedProof, ok: null, note: `changed by the task: ${some(names)}` }];
}

/** The files that the commands run and the task has changed, as the latest proof says. */
export function changedProofIn(entries: readonly Sight[]): string | undefined {
  const tree = entries.findLastIndex(({ kind, what }) => kind === 'tree' && what === '.');
  const found = entries.findLastIndex(({ kind, what }) => kind === 'tree' && what === changedProof);
  return found > tree ? entries[found]?.note : undefined;
}

/** What was there when the commands ran and is in no commit, because the task changed what git ignores. */
export function ignoredSeen(paths: readonly string[]): Sight {
  const note = `there while the commands ran, and in no commit, because the task changed what git ignores: ${some(paths)}`;
  return { kind: 'tree', what: 'ignored', ok: null, note };
}

const nothingChanged = 'nothing is changed';

/** What the proof of a task that is done does not say, for who thinks that done means checked. */
export function unseenIn(entries: readonly Sight[]): string[] {
  const command = entries.findLast(({ kind }) => kind === 'command');
  // Of every round: what an earlier one changed may be all that was wanted.
  const trees = entries.filter(({ kind, what }) => kind === 'tree' && what === '.');
  return [
    ...(command?.what === noCommand.what ? ['no command of yours checked it'] : []),
    ...(trees.length > 0 && trees.every(({ note }) => note === nothingChanged)
      ? ['its agents changed nothing']
      : []),
  ];
}

export function treeSeen(changes: RealChanges | undefined): Sight {
  const about = { kind: 'tree', what: '.' } as const;
  if (!changes) return { ...about, ok: null, note: noGit };
  const { still, others } = changes;
  const notes = [
    ...(still.length > 0 ? [`changed: ${some(still)}`] : []),
    ...(others.length > 0 ? [`changed by people meanwhile: ${some(others)}`] : []),
  ];
  return { ...about, ok: true, note: notes.join('; ') || nothingChanged };
}

/** Nothing where no scope is set. */
export function scopeSeen(scope: Scope | undefined, changes: RealChanges | undefined): Sight[] {
  if (!scope) return [];
  const about = { kind: 'scope', what: 'scope' } as const;
  if (!changes) return [{ ...about, ok: null, note: noGit }];
  const paths = changes.still.map((path) => ({ path }));
  const outside = outOfScope(paths, scope).map(({ path, reason }) => `${path} ${reason}`);
  const note = outside.length === 0 ? 'all that is changed is in scope' : `out of scope: ${some(outside)}`;
  return [{ ...about, ok: outside.length === 0, note }];
}

function some(names: readonly string[]): string {
  return someNames(names, mostNamed);
}

/** By the program of a command, the files that say what it runs. */
const recipes: readonly [RegExp, RegExp][] = [
  [/^make$/, /^(?:GNUm|M|m)akefile$/],
  [/^just$/, /^\.?[Jj]ustfile$/],
  [/^rake$/, /^[Rr]akefile$/],
  [/^task$/, /^[Tt]askfile\.ya?ml$/],
  [/^tox$/, /^tox\.ini$/],
  [/^nox$/, /^noxfile\.py$/],
  [/^mvnw?$/, /^pom\.xml$/],
  [/^gradlew?$/, /^build\.gradle(?:\.kts)?$/],
];
const scriptRunners = /^(?:npm|npx|pnpm|yarn|bun)$/;
const testFolder = /(?:^|\/)(?:tests?|specs?|__tests__|e2e)(?:\/|$)/;

/**
 * The changed files that these commands run, each with the command: a file that one names, files in a folder of tests that
 * one names, and what tells the program what to run. `areScriptsChanged`: those of a `package.json`.
 */
export function acceptanceFilesIn(
  commands: readonly string[],
  changed: readonly string[],
  areScriptsChanged: (file: string) => boolean,
): { file: string; command: string }[] {
  return commands.flatMap((command) => {
    const words = (command.match(/[^\s;&|()<>"'`=]+/g) ?? []).map((word) => path.posix.normalize(word));
    const programs = words.map((word) => path.posix.basename(word));
    const isRun = (file: string): boolean => {
      const name = path.posix.basename(file);
      if (words.includes(file)) return true;
      if (words.some((word) => testFolder.test(word) && file.startsWith(`${word.replace(/\/$/, '')}/`)))
        return true;
      if (name === 'package.json' && programs.some((word) => scriptRunners.test(word)))
        return areScriptsChanged(file);
      return recipes.some(
        ([program, recipe]) => recipe.test(name) && programs.some((word) => program.test(word)),
      );
    };
    return changed.filter(isRun).map((file) => ({ file, command }));
  });
}

/** Whether two versions of a `package.json` have other scripts. What is no JSON counts as another. */
export function haveScriptsChanged(before: string | undefined, now: string | undefined): boolean {
  return scriptsIn(before) !== scriptsIn(now) || (before !== now && scriptsIn(now) === undefined);
}

function scriptsIn(text: string | undefined): string | undefined {
  try {
    const { scripts = {} } = JSON.parse(text ?? '{}') as { scripts?: object };
    return JSON.stringify(scripts);
  } catch {
    return undefined;
  }
}
