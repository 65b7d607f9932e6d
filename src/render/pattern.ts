export interface Pattern {
  source: string;
  flags: string;
}

/** Escapes of other dialects that would silently mean a plain letter here. */
const foreign = /\\[AZzGQEKpPhHRXC]/;

/**
 * A regular expression that a person wrote, perhaps for Python: `(?i)` at its start and `(?P<name>` are understood.
 * Undefined: it is none, or it would not mean what it says.
 */
export function patternFrom(text: string): Pattern | undefined {
  const [all, letters = ''] = /^\(\?([ims]{1,3})\)/.exec(text) ?? [''];
  const source = text.slice(all.length).replaceAll('(?P<', '(?<');
  const flags = [...new Set(`g${letters}`)].join('');
  if (source === '') return undefined;
  if (compiles(source, `${flags}u`)) return { source, flags: `${flags}u` };
  return compiles(source, flags) && !foreign.test(source) ? { source, flags } : undefined;
}

function compiles(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
