import path from 'node:path';
import { createFile, makeDir, sizeAndInode } from '../../io/files.ts';
import type { Project } from '../../settings/project.ts';
import { deskAt, withBoard } from './desk.ts';
import { snapshot } from './format/layout.ts';
import { logFile } from './format/places.ts';
import { shippedPolicy } from './format/policy-file.ts';
import { shippedProtocol } from './format/protocol.ts';

export interface InitOptions {
  /** Also the files with settings, as they are shipped. */
  settings: boolean;
  dryRun: boolean;
}

/** A file of a board. `missing`: it was not asked for. */
export interface InitFile {
  path: string;
  state: 'there' | 'made' | 'missing';
}

const settings: readonly { path: string; content: () => unknown }[] = [
  { path: 'config/acceptance-policy.json', content: () => shippedPolicy },
  { path: 'docs/protocol-config.json', content: protocolFile },
];

/** Makes a board. What is there stays as it is, byte by byte. A dry run only tells what would be made. */
export async function initBoard(
  where: Project,
  { settings: wanted, dryRun }: InitOptions,
): Promise<InitFile[]> {
  const { root } = where;
  const desk = deskAt(where); // settings that are wrong stop it before anything is made
  const isThere = (name: string) => sizeAndInode(path.join(root, name)) !== undefined;
  const state = [logFile, snapshot.path].map((name) => ({ path: name, there: isThere(name) }));
  if (!dryRun) await withBoard(desk, async () => undefined);
  const config = settings.map(({ path: name, content }) => {
    const there = wanted && !dryRun ? !put(path.join(root, name), content()) : isThere(name);
    return { path: name, there };
  });
  return [
    ...state.map(({ path: name, there }) => ({
      path: name,
      state: there ? ('there' as const) : ('made' as const),
    })),
    ...config.map(({ path: name, there }) => ({
      path: name,
      state: there ? ('there' as const) : wanted ? ('made' as const) : ('missing' as const),
    })),
  ];
}

/** False: there is one already. */
function put(file: string, content: unknown): boolean {
  makeDir(path.dirname(file));
  return createFile(file, `${JSON.stringify(content, undefined, 2)}\n`, { sync: true });
}

/** In the words of the file, where one of them stands in another place than in docket. */
function protocolFile(): unknown {
  const { allowDirectAgentOverride, messageTypes, intents, routing, ...rest } = shippedProtocol;
  return { version: 1, messageTypes, intents, routing, protocol: { allowDirectAgentOverride }, ...rest };
}
