/** The tasks of a file in order, and how many bytes the piece of each has. */
export interface Pieces {
  ids: readonly string[];
  sizes: readonly number[];
}

export interface Frame {
  head: Buffer;
  between: Buffer;
}

export interface Built {
  /** Everything but the tail. */
  chunks: Buffer[];
  pieces: Pieces;
}

/** The file from nothing. */
export function built(all: readonly (readonly [string, Buffer])[], { head, between }: Frame): Built {
  const parts = [head];
  for (const [index, [, piece]] of all.entries()) parts.push(...(index === 0 ? [] : [between]), piece);
  return {
    chunks: [Buffer.concat(parts)],
    pieces: { ids: all.map(([id]) => id), sizes: all.map(([, { length }]) => length) },
  };
}

/**
 * The file with some pieces changed and new ones behind the last. All else is copied, in as few parts as there are
 * changes. Undefined: its bytes are not what `pieces` says.
 */
export function patched(
  old: Buffer,
  { ids, sizes }: Pieces,
  changed: ReadonlyMap<string, Buffer>,
  { head, between }: Frame,
): Built | undefined {
  const chunks: Buffer[] = [];
  const left = new Map(changed);
  const nextSizes = [...sizes];
  let copied = 0;
  let at = head.length;
  for (const [index, id] of ids.entries()) {
    if (index > 0) at += between.length;
    const size = sizes[index] ?? 0;
    const piece = left.get(id);
    if (piece) {
      chunks.push(old.subarray(copied, at), piece);
      copied = at + size;
      nextSizes[index] = piece.length;
      left.delete(id);
    }
    at += size;
  }
  if (at > old.length || ids.length === 0) return undefined;
  chunks.push(old.subarray(copied, at));
  for (const piece of left.values()) chunks.push(between, piece);
  const pieces = {
    ids: [...ids, ...left.keys()],
    sizes: [...nextSizes, ...[...left.values()].map(({ length }) => length)],
  };
  return { chunks, pieces };
}
