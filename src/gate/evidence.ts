import { createHash } from 'node:crypto';

/** What a command printed: a file beside the entries, whole, and what it has to be. */
export interface Output {
  file: string;
  sha256: string;
  bytes: number;
}

/** One thing that docket itself saw about a task's work. */
export interface Evidence {
  /** Made from all the rest: an entry that was changed is no longer the one of that name. */
  id: string;
  at: string;
  taskId: string;
  kind: EvidenceKind;
  /** A command line, a path, or in a word what it is about. */
  what: string;
  exit?: number;
  /** null: docket cannot tell, or did not look. */
  ok: boolean | null;
  note?: string;
  /** The work tree that it was seen on: its commit, and a hash of what differs from that. '' where there is no git. */
  tree: string;
  output?: Output;
}

const kinds = ['command', 'tree', 'scope', 'claim'] as const;
type EvidenceKind = (typeof kinds)[number];

export function evidenceOf(seen: Omit<Evidence, 'id'>): Evidence {
  return { id: idOf(seen), ...seen };
}

/** In one order of its own, whatever the order in the file. */
export function idOf(entry: Omit<Evidence, 'id'>): string {
  const { at, taskId, kind, what, exit, ok, note, tree, output } = entry;
  const told = [at, taskId, kind, what, exit, ok, note, tree, output?.file, output?.sha256, output?.bytes];
  return `ev-${sha256(JSON.stringify(told)).slice(0, 16)}`;
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** An entry as its line says. Undefined: the line is none, be it cut off or somebody else's. */
export function parseEvidence(line: string): Evidence | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEvidence(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEvidence(value: unknown): value is Evidence {
  if (typeof value !== 'object' || value === null) return false;
  const { id, at, taskId, kind, what, exit, ok, note, tree, output } = value as Record<string, unknown>;
  return (
    [id, at, taskId, what, tree].every((text) => typeof text === 'string') &&
    (kinds as readonly unknown[]).includes(kind) &&
    (ok === null || typeof ok === 'boolean') &&
    (exit === undefined || typeof exit === 'number') &&
    (note === undefined || typeof note === 'string') &&
    (output === undefined || isOutput(output))
  );
}

/** A plain name: an entry that somebody else wrote must not lead us to another file. */
function isOutput(value: unknown): value is Output {
  if (typeof value !== 'object' || value === null) return false;
  const { file, sha256: hash, bytes } = value as Record<string, unknown>;
  return (
    typeof file === 'string' &&
    /^[\w-]{1,64}\.log$/.test(file) &&
    typeof hash === 'string' &&
    typeof bytes === 'number'
  );
}
