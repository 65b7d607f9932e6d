import path from 'node:path';
import { fingerprint, readBytes, sizeAndInode } from '../io/files.ts';
import type { Config, PartialConfig } from './config.ts';
import type { Project } from './project.ts';
import { taktFiles } from './takt-files.ts';

/** What this process has read, and the versions of the files then. */
const known = new Map<string, { versions: string; config: Promise<Config> }>();

/** The project's file over the user's own over what other tools' files say, read again when one of them has changed. */
export async function readConfig(root: string, env: Project['env']): Promise<Config> {
  const user = userConfig(env);
  const files = [projectConfig(root), ...(user === undefined ? [] : [user]), ...taktIn(root)];
  const versions = files.map((file) => fingerprint(file) ?? '').join(' ');
  const key = files.join('\n');
  const before = known.get(key);
  if (before?.versions === versions) return before.config;
  const config = readAnew(root, env);
  known.set(key, { versions, config });
  config.catch(() => known.delete(key)); // who asks next is told as well
  return config;
}

/** Where none is written, nothing is loaded. */
async function readAnew(root: string, env: Project['env']): Promise<Config> {
  const { mergeConfig } = await import('./config.ts');
  const [takt, user] = [await readTakt(root), await read(userConfig(env))];
  const below = { ...takt, ...user, agents: { ...takt.agents, ...user.agents } };
  return mergeConfig(below, await read(projectConfig(root)));
}

function taktIn(root: string): string[] {
  return taktFiles.map((name) => path.join(root, name));
}

async function readTakt(root: string): Promise<PartialConfig> {
  if (taktIn(root).every((file) => sizeAndInode(file) === undefined)) return {};
  return (await import('./takt-settings.ts')).readTaktSettings(root).config;
}

export function projectConfig(root: string): string {
  return path.join(root, '.docket', 'config.yaml');
}

export function hasProjectConfig(root: string): boolean {
  return sizeAndInode(projectConfig(root)) !== undefined;
}

export function userConfig(env: Project['env']): string | undefined {
  const folder = userFolder(env);
  return folder && path.join(folder, 'config.yaml');
}

/** Not `~/.docket`: that name marks a root, and a home folder is none. DOCKET_HOME moves it. */
export function userFolder(env: Project['env']): string | undefined {
  const { DOCKET_HOME: own, XDG_CONFIG_HOME: xdg, HOME: home } = env;
  if (own) return own;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'docket');
  return home ? path.join(home, '.config', 'docket') : undefined;
}

async function read(file: string | undefined): Promise<PartialConfig> {
  const text = file === undefined ? undefined : readBytes(file)?.toString('utf8');
  if (file === undefined || text === undefined) return {};
  const { parseConfig } = await import('./config.ts');
  return parseConfig(text, file);
}
