import path from 'node:path';
import { fingerprint, readBytes } from '../io/files.ts';
import { tryGit } from '../io/git.ts';
import type { WorkTree } from './snapshot.ts';

/** What git ignores for this user everywhere, as bytes, and which version of the files that say so. */
interface OwnRules {
  text: string;
  file: string;
  version: string;
}

/** By home of a work tree. No snapshot holds them: they lie in the user's home. */
const noted = new Map<string, OwnRules>();

/** To be called before an agent starts. */
export async function noteOwnRules({ root, home }: Pick<WorkTree, 'root' | 'home'>): Promise<void> {
  if (!noted.has(home)) noted.set(home, await read(root));
}

/** As they were noted. */
export async function ownRules({ root, home }: WorkTree): Promise<string> {
  return (noted.get(home) ?? (await read(root))).text;
}

export function ownRulesChanged({ home }: WorkTree): boolean {
  const was = noted.get(home);
  return was !== undefined && was.version !== versionOf(was.file);
}

async function read(root: string): Promise<OwnRules> {
  const { stdout } = await tryGit(root, ['config', '--global', '--type=path', '--get', 'core.excludesFile']);
  const file = path.resolve(root, stdout.trim() || path.join(configHome(), 'git', 'ignore'));
  const version = versionOf(file);
  return { text: readBytes(file)?.toString('latin1') ?? '', file, version };
}

function versionOf(file: string): string {
  const settings = [
    path.join(process.env['HOME'] ?? '', '.gitconfig'),
    path.join(configHome(), 'git', 'config'),
  ];
  return [file, ...settings].map((name) => fingerprint(name) ?? '').join(' ');
}

function configHome(): string {
  const { XDG_CONFIG_HOME: xdg, HOME: home = '' } = process.env;
  return xdg || path.join(home, '.config');
}
