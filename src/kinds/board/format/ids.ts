const digits = /^\d{1,15}$/;
const highestNumber = 999_999_999_999_999;

/** The next automatic id, given all that there were, removed ones too. For whoever holds the lock: then no two get the same. */
export function nextTaskId(ids: Iterable<string>): string {
  const all = [...ids];
  let highest = 0;
  for (const id of all) {
    const number = id.startsWith('T-') ? Number(id.slice(2)) : 0;
    if (number > highest && digits.test(id.slice(2))) highest = number;
  }
  return highest < highestNumber ? idOf(highest + 1) : lowestFree(new Set(all));
}

/** Somebody gave out the highest number there is: then those below it are used up. */
function lowestFree(taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(idOf(number))) number += 1;
  return idOf(number);
}

function idOf(number: number): string {
  return `T-${String(number).padStart(3, '0')}`;
}

const short = /^T-0?([1-9]\d?)$/;
const widest = 6;

/** Without the zeros that the board writes: an id in people's words, which has to be looked up before it is one. */
export function isShortId(id: string): boolean {
  return short.test(id);
}

/** `T-1` for `T-001`, where no task has that very id and only one can be meant. */
export function wholeId(id: string, has: (id: string) => boolean): string {
  const number = short.exec(id)?.[1];
  if (number === undefined || has(id)) return id;
  const padded = Array.from({ length: widest }, (_, width) => `T-${number.padStart(width + 1, '0')}`);
  const meant = [...new Set(padded)].filter(has);
  return meant.length === 1 ? (meant[0] ?? id) : id;
}
