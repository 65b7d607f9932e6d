/**
 * A ref names an entry. Usually it is the entry's `name`. Names come from people and need not be unique or tame,
 * so "#" in a name is doubled, the second entry of a name gets "#2", a name's first "?" is doubled, and
 * an entry without a name is "?" and its place. No two entries of a file have the same ref.
 */
export function refOf(name: string, nth: number): string {
  const base = name.includes('#') ? name.replaceAll('#', '##') : name;
  return `${base.startsWith('?') ? '?' : ''}${base}${nth > 1 ? `#${nth}` : ''}`;
}

export function namelessRef(place: number): string {
  return `?${place}`;
}

/** Which of the entries with the same name a ref means; 1 unless it says otherwise. */
export function nthOf(ref: string): number {
  let digits = ref.length;
  while (digits > 0 && isDigit(ref.charCodeAt(digits - 1))) digits--;
  let mark = digits;
  while (mark > 0 && ref[mark - 1] === '#') mark--;
  // Marks of the name itself come in pairs: only an odd one is ours.
  const ours = digits < ref.length && (digits - mark) % 2 === 1;
  return ours ? Number(ref.slice(digits)) : 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
