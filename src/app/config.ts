import path from 'node:path';
import type { Config, PartialConfig } from '../config.ts';
import { readBytes } from '../io/files.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The project's file over the user's own. Where neither is written, nothing has to be loaded. */
export async function readConfig(root: string, env: Env): Promise<Config> {
  const { mergeConfig } = await import('../config.ts');
  return mergeConfig(await read(userConfig(env)), await read(projectConfig(root)));
}

function projectConfig(root: string): string {
  return path.join(root, '.docket', 'config.yaml');
}

/** Not `~/.docket`: that name marks a root, and a home folder is none. DOCKET_HOME moves it. */
function userConfig(env: Env): string | undefined {
  const { DOCKET_HOME: own, XDG_CONFIG_HOME: xdg, HOME: home } = env;
  if (own) return path.join(own, 'config.yaml');
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'docket', 'config.yaml');
  return home ? path.join(home, '.config', 'docket', 'config.yaml') : undefined;
}

async function read(file: string | undefined): Promise<PartialConfig> {
  const text = file === undefined ? undefined : readBytes(file)?.toString('utf8');
  if (file === undefined || text === undefined) return {};
  const { parseConfig } = await import('../config.ts');
  return parseConfig(text, file);
}
