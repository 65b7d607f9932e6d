import path from 'node:path';
import { createFile, makeDir, sizeAndInode } from '../../io/files.ts';
import type { Project } from '../../settings/project.ts';
import { rebuildWhole, type Rebuilt } from '../../store/upkeep/rebuild-whole.ts';
import { sizeOfLog } from '../../store/upkeep/store-files.ts';
import { deskAt, withBoard } from './desk.ts';
import { snapshot, boardLayout } from './format/layout.ts';
import { logFile, archiveFolder, ownFolder } from './format/places.ts';
import { shippedPolicy } from './format/policy-file.ts';
import { shippedProtocol } from './format/protocol.ts';

/** What keeps a board's files in order. */
export function boardTools(where: Project) {
  return {
    init: (options: InitOptions) => initBoard(where, options),
    rebuild: (options: { dryRun: boolean }) => rebuildBoard(where, options),
    compact: (options: { dryRun: boolean }) => compactBoard(where, options),
    /** Locks that nobody has any more; unless it is a dry run they are gone. */
    unlock: async (options: { dryRun: boolean }) => (await import('./locks.ts')).unlockBoard(where, options),
    /** All problems; changes nothing. */
    validate: async () => (await import('./validate.ts')).validateBoard(where),
  };
}

export type BoardTools = ReturnType<typeof boardTools>;

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
  const stateOf = (name: string, there: boolean, otherwise: 'made' | 'missing'): InitFile => ({
    path: name,
    state: there ? 'there' : otherwise,
  });
  const state = [logFile, snapshot.path].map((name) => stateOf(name, isThere(name), 'made'));
  if (!dryRun) await withBoard(desk, async () => undefined);
  const config = settings.map(({ path: name, content }) => {
    const there = wanted && !dryRun ? !put(path.join(root, name), content()) : isThere(name);
    return stateOf(name, there, wanted ? 'made' : 'missing');
  });
  return [...state, ...config];
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

/** What became, or would become, of a log that is put away. */
export interface Compacted {
  before: LogSize;
  /** Absent in a dry run. */
  after?: LogSize;
  /** The file of the old log, whole. */
  archive: string;
  written: boolean;
}

interface LogSize {
  events: number;
  bytes: number;
}

/** Moves the log to the archive, whole, and begins a new one with every task as it is. */
async function compactBoard(where: Project, { dryRun }: { dryRun: boolean }): Promise<Compacted> {
  const desk = { where, dir: path.join(where.root, ownFolder) };
  const { base, ...before } = sizeOf(desk);
  const archive = `${archiveFolder}/${String(base).padStart(12, '0')}.jsonl`;
  if (dryRun || before.events === 0) return { before, archive, written: false };
  await withBoard(desk, (store) => store.compact());
  const { base: from, ...after } = sizeOf(desk);
  return { before, after, archive, written: from !== base };
}

function sizeOf({ where: { root }, dir }: { where: Project; dir: string }): LogSize & { base: number } {
  return sizeOfLog({ root, dir, layout: boardLayout });
}

export interface BoardRebuilt extends Rebuilt {
  path: string;
  /** The snapshot says what the log says. */
  same: boolean;
}

/** Makes the snapshot anew from the log, and says how the old one differed. */
export async function rebuildBoard(where: Project, { dryRun }: { dryRun: boolean }): Promise<BoardRebuilt> {
  const { root, clock, warn } = where;
  const dir = path.join(root, ownFolder);
  const found = await rebuildWhole({ root, dir, layout: boardLayout, clock, warn }, { dryRun });
  const { missing, unknown, changed, broken } = found;
  const same = broken === undefined && missing.length + unknown.length + changed.length === 0;
  return { ...found, path: snapshot.path, same };
}
