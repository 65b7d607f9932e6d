/** What is wrong in a document from outside: where (a JSON path), what, and what to do about it. */
export interface Problem {
  path: string;
  message: string;
  fix: string;
}

/** `$.tasks[1].adapter` */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return `$${keys.map(part).join('')}`;
}

function part(key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? `.${name}` : `[${quoted(name)}]`;
}

/** Foreign words in a message: on one line, and never many of them. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** A foreign value in a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value).slice(0, 60);
}

/** The problems as lines for whoever has to mend them. */
export function problemLines(problems: readonly Problem[], most = 20): string[] {
  const lines = problems.slice(0, most).map(({ path, message, fix }) => `${path}: ${message} (${fix})`);
  return problems.length > most ? [...lines, `… and ${problems.length - most} more`] : lines;
}

/** What is wrong in a file, where, and what to do about it. */
export interface Wrong {
  message: string;
  fix: string;
  line: number;
  column: number;
  /** It is only so for a time: the same text may be right later. */
  passes?: true;
  /** The entry can be read all the same. */
  harmless?: true;
  /** What else is wrong with the same entry. */
  more?: readonly Wrong[];
}
