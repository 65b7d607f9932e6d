/** Where we are in the journal: everything before `offset` has been taken in. */
export interface Position {
  base: number;
  seq: number;
  offset: number;
  /** The checksum of the last bytes before `offset`, where lines do not say their seq. */
  mark?: number;
  /** The checksum of the last line of ours before `offset`, there too. */
  last?: string;
}

/** Something that knows how far it is, and whether what was before a place is still as it was. */
export interface Placed {
  readonly position: Position;
  holds(position: Position): boolean;
}

/** The lines of one commit, and the seq of the last of them. */
export interface Transaction {
  text: string;
  seq: number;
}

/** How many of them, and how many bytes, are whole within what was written. */
export function fittingIn(
  transactions: readonly Transaction[],
  written: number,
): { whole: number; size: number } {
  let whole = 0;
  let size = 0;
  for (const { text } of transactions) {
    const next = size + Buffer.byteLength(text);
    if (next > written) break;
    size = next;
    whole += 1;
  }
  return { whole, size };
}
