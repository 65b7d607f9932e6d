import path from 'node:path';
import { shellWord } from '../../errors/shell-word.ts';
import { readBytes } from '../../io/files.ts';
import { findProgram } from '../../io/find-program.ts';
import { exists } from '../../io/links.ts';
import { packageRoot } from '../../io/package-root.ts';
import type { Project } from '../../settings/project.ts';
import { projectConfig, userConfig } from '../../settings/read-config.ts';
import { placesIn } from '../check/yaml-place.ts';

/** Where only a person can say what is right: their editor, at the line. */
export function openAt(file: string, line?: number): string {
  return `\${EDITOR:-vi} ${line === undefined ? '' : `+${line} `}${shellWord(file)}`;
}

/** The line of a setting, in the file that sets it; of one that nobody has written, the project's file. */
export async function openSetting({ root, env }: Pick<Project, 'root' | 'env'>, ...keys: string[]) {
  for (const file of [projectConfig(root), userConfig(env)]) {
    const text = file === undefined ? undefined : readBytes(file)?.toString('utf8');
    if (file === undefined || text === undefined) continue;
    const place = (await placesIn(text))(keys);
    if (place) return openAt(fromRoot(root, file), place.line);
  }
  return openAt(fromRoot(root, projectConfig(root)));
}

/** As it is typed in the root. */
export function fromRoot(root: string, file: string): string {
  const near = path.relative(root, file);
  return path.isAbsolute(file) && near !== '' && !near.startsWith('..') ? near : file;
}

const managers: readonly [program: string, install: string][] = [
  ['apt-get', 'apt-get install'],
  ['dnf', 'dnf install'],
  ['apk', 'apk add'],
  ['pacman', 'pacman -S'],
  ['zypper', 'zypper install'],
  ['brew', 'brew install'],
];

/** With the package manager of this machine; it also brings the newest that there is. */
export function installed(name: string, env: Project['env']): string {
  const [program, install] = managers.find(([one]) => findProgram(one, env, '/')) ?? ['', 'apt-get install'];
  return `${asRoot(program)}${install} ${name}`;
}

/** What only root may do; brew is never run by root. */
export function asRoot(program = ''): string {
  return program === 'brew' || process.getuid?.() === 0 ? '' : 'sudo ';
}

/** A newer docket: a clone takes what is new and builds it, a package is replaced. */
function updateDocket(): string {
  const home = packageRoot();
  if (!exists(path.join(home, '.git'))) return 'npm update -g docket';
  const npm = `npm --prefix ${shellWord(home)}`;
  return `git -C ${shellWord(home)} pull && ${npm} install && ${npm} run build`;
}

/** What a sentence says to type, at its end. */
const atEnd = /(?:^|: )((?:docket|git|sed|tail|iconv) [^:]+)$/;

/** For what stands in a file, or came out of one. */
export function mending({ code, fix, path: file, line }: Broken): string | undefined {
  if (code === 'NEWER_FORMAT' || fix.startsWith('update docket')) return updateDocket();
  const said = atEnd.exec(fix)?.[1];
  return said ?? (file === undefined ? undefined : openAt(file, line));
}

interface Broken {
  code?: string;
  fix: string;
  path?: string | undefined;
  line?: number | undefined;
}
