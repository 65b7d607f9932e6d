import fs from 'node:fs';
import path from 'node:path';
import { exists } from './links.ts';

/**
 * What docket writes into a project, whatever kind of work it runs, from the root: the stores of the queue, of task
 * directories, packets and the board, and the files that go with them. Settings, workflows and prompts are people's.
 */
export const ownPlaces = [
  '.docket',
  ...['tasks.yaml', 'tasks.yaml.lock', 'tasks', 'runs', 'archive'].map((name) => `.takt/${name}`),
  '.agentmesh',
  ...['task', 'archive', 'post-impl'].map((name) => `.tmp/${name}`),
  ...[
    'tasks.jsonl',
    'tasks.snapshot.json',
    'locks',
    'archive',
    'clarify.cooldown.json',
    'user-friendly.autopilot.json',
  ].map((name) => `state/${name}`),
] as const;

/** The folders that docket's files lie in, for sandboxes: a mount of a file is lost when docket replaces the file. */
export const ownFolders = [
  ...new Set(ownPlaces.map((name) => /^(?:\.takt|state)(?=\/)/.exec(name)?.[0] ?? name)),
];

const escaped = ownPlaces.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
/** Half-written files are docket's own wherever they lie. */
const own = new RegExp(`^(?:${escaped})(?:/|$)|(?:^|/)\\.[^/]+\\.docket-tmp$`);

/** Packets of this process that lie in other folders, from the root. */
const elsewhere = new Set<string>();

/** Adds a folder that docket writes to from now on. */
export function addOwnPlace(name: string): void {
  elsewhere.add(name);
}

const isIn = (name: string, place: string): boolean => `${name}/`.startsWith(`${place}/`);

/** Whether docket itself writes at a path (from the root, with forward slashes), so that no agent is blamed for it. */
export function isOwnPlace(name: string): boolean {
  return own.test(name) || [...elsewhere].some((place) => isIn(name, place));
}

/** The same in one root: the user's state folder counts too where it lies inside, for example when HOME is the project. */
export function ownPlacesIn(root: string): (name: string) => boolean {
  const inside = statePlacesIn(root);
  return (name) => isOwnPlace(name) || inside.some((place) => isIn(name, place));
}

/** Whether a folder of this root holds such a place further down: a link to it, or a move of it, would take docket's files along. */
export function holdsOwnPlaceIn(root: string): (name: string) => boolean {
  const places = [...ownPlaces, ...elsewhere, ...statePlacesIn(root)];
  // A process with other settings may keep its state there. The account book of a state folder tells.
  const isState = (name: string): boolean => exists(path.join(root, name, 'docket', 'meter'));
  return (name) => places.some((place) => place.startsWith(`${name}/`)) || isState(name);
}

/** The user's state folders that lie in a root, from there: the account book is in them. */
export function statePlacesIn(root: string): string[] {
  return knownStateFolders()
    .map((folder) => path.relative(root, folder).replaceAll(path.sep, '/'))
    .filter((name) => name !== '' && !name.startsWith('../') && !path.isAbsolute(name));
}

type Env = Readonly<Record<string, string | undefined>>;

/** The state folders that this process has asked for, under each of their names. */
const known = new Map<string, string>();

/** Where docket keeps what belongs to the user and to no project: DOCKET_STATE moves it. Undefined: nobody has a home. */
export function stateFolder(env: Env): string | undefined {
  const folder = folderFor(env);
  if (folder !== undefined && !known.has(folder)) known.set(folder, realName(folder));
  return folder;
}

/** All of them, links on their way followed or not: whoever writes there has asked for it first. */
function knownStateFolders(): string[] {
  return [...known].flat();
}

function folderFor({ DOCKET_STATE: own, XDG_STATE_HOME: xdg, HOME: home }: Env): string | undefined {
  if (own) return path.resolve(own);
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'docket');
  return home ? path.join(home, '.local', 'state', 'docket') : undefined;
}

/** The last parts may not exist yet. */
function realName(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realName(parent), path.basename(folder));
  }
}
