import path from 'node:path';

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
