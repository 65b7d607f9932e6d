import path from 'node:path';
import { readBytes, sizeAndInode } from '../io/files.ts';
import type { Config, PartialConfig } from './config.ts';
import type { Project } from './project.ts';
import { taktFiles } from './takt-files.ts';

/** The project's file over the user's own over what other tools' files say. Where none is written, nothing is loaded. */
export async function readConfig(root: string, env: Project['env']): Promise<Config> {
  const { mergeConfig } = await import('./config.ts');
  const [takt, user] = [await readTakt(root), await read(userConfig(env))];
  const below = { ...takt, ...user, agents: { ...takt.agents, ...user.agents } };
  return mergeConfig(below, await read(projectConfig(root)));
}

async function readTakt(root: string): Promise<PartialConfig> {
  const files = taktFiles.map((name) => path.join(root, name));
  if (files.every((file) => sizeAndInode(file) === undefined)) return {};
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
