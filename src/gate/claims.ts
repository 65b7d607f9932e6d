import { commandIn, type Claims } from '../report/claims.ts';
import { toldOf, type AgentRun, type Told } from './agent-runs.ts';

/** What docket knows of its own. Paths are from the work tree. */
export interface Seen {
  /** What is another than before the task began, or was in between. Undefined: nobody can tell. */
  changed: readonly string[] | undefined;
  /** From the work tree; undefined: it is outside of it, or docket's own. */
  inTree: (name: string) => string | undefined;
  exists: (path: string) => boolean;
  ignored: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The commands that docket ran, and whether they ended well. */
  ran: ReadonlyMap<string, boolean>;
  /** What the agents ran, as their vendors told it. `isWhole`: who makes the claim has told every command. */
  byAgents: () => Promise<{ runs: readonly AgentRun[]; isWhole: boolean }>;
}

export interface JudgedClaim {
  what: string;
  /** null: docket cannot tell. */
  ok: boolean | null;
  note: string;
}

/** What a report claims, held against what docket saw. */
export async function judgeClaims(claims: Claims, seen: Seen): Promise<JudgedClaim[]> {
  const about = claims.changed.map((name) => changed(name, seen));
  // Git does not see what it ignores: who changed only such files has not lied.
  const doubtful = about.flatMap(({ path, ok, note }) => (ok === false && note === unchanged ? [path] : []));
  const ignored = doubtful.length === 0 ? new Set<string>() : await seen.ignored(doubtful);
  const files = about.map(({ what, path, ok, note }): JudgedClaim =>
    ignored.has(path) ? { what, ok: null, note: 'git ignores it' } : { what, ok, note },
  );
  const nothing: JudgedClaim = {
    what: 'changes',
    ok: false,
    note: 'it names changes, and nothing was changed',
  };
  const isEmpty = claims.saysChanged && seen.changed?.length === 0 && files.every(({ ok }) => ok !== null);
  return [
    ...(isEmpty ? [nothing] : []),
    ...files,
    ...claims.files.filter((name) => !claims.changed.includes(name)).map((name) => there(name, seen)),
    ...(await commands(claims, seen)),
  ];
}

const unchanged = 'it is there, and was not changed';

function changed(name: string, { changed: paths, inTree, exists }: Seen): JudgedClaim & { path: string } {
  const path = inTree(name);
  if (path === undefined) return { what: name, path: '', ok: null, note: 'it is not in the work tree' };
  const about = { what: name, path };
  if (paths?.some((one) => isSame(one, path))) return { ...about, ok: true, note: 'it was changed' };
  if (!exists(path)) return { ...about, ok: false, note: 'it does not exist, and nobody deleted it' };
  if (paths === undefined)
    return { ...about, ok: null, note: 'it is there; without git nobody sees changes' };
  return { ...about, ok: false, note: unchanged };
}

/** A folder stands for what is in it, and who works in a part of the tree names files from there. */
function isSame(real: string, claimed: string): boolean {
  const [a, b] = [real, claimed].map((name) => name.replace(/\/$/, '')) as [string, string];
  return a === b || a.endsWith(`/${b}`) || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function there(name: string, { changed: paths, inTree, exists }: Seen): JudgedClaim {
  const path = inTree(name);
  if (path === undefined) return { what: name, ok: null, note: 'it is not in the work tree' };
  const is = exists(path) || paths?.some((one) => isSame(one, path));
  return { what: name, ok: is ?? false, note: is ? 'it is there' : 'it does not exist' };
}

async function commands({ commands: named }: Claims, seen: Seen): Promise<JudgedClaim[]> {
  const judged = named.map((command) => ran(command, seen));
  // Logs are long: they are read only for what docket does not know itself.
  const others = named.filter((_, at) => judged[at] === undefined);
  const { runs, isWhole } = others.length === 0 ? { runs: [], isWhole: false } : await seen.byAgents();
  return named.map((command, at) => judged[at] ?? byAgents(command, runs, isWhole));
}

function ran(command: string, seen: Seen): JudgedClaim | undefined {
  const found = [...seen.ran].find(([line]) => commandIn(line) === command);
  if (!found) return undefined;
  const [what, ok] = found;
  return { what, ok, note: ok ? 'docket ran it, too' : 'docket ran it, and it failed' };
}

const unproved = 'not proved by docket: ';
const notes: Readonly<Record<Told, string>> = {
  ran: `${unproved}its agent ran it, and docket did not`,
  stale: `${unproved}its agent ran it before its last change, and docket did not`,
  failed: 'it failed when its agent last ran it',
  never: 'nobody ran it; only a command that was run, as it was run, is evidence',
  unknown: `${unproved}it did not run this`,
};

/** An agent's own run is no evidence of docket's, and no lie either. */
function byAgents(what: string, runs: readonly AgentRun[], isWhole: boolean): JudgedClaim {
  const told = toldOf(what, runs);
  const is = told === 'never' && !isWhole ? 'unknown' : told;
  return { what, ok: is === 'never' || is === 'failed' ? false : null, note: notes[is] };
}
