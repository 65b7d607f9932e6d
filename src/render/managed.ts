/** A part of somebody's file that we write: between two lines that mark it. `{}` stands for one of the names. */
export interface Markers {
  /** The first is ours; the others are kept where they are found. */
  names: readonly string[];
  start: string;
  end: string;
}

/**
 * The file with our part in it. Every byte outside stays, and writing again adds nothing. Without a whole pair of
 * markers the part comes first and all that was there follows; `first` follows in a new file.
 */
export function withManaged(current: string | undefined, markers: Markers, body: string, first = ''): string {
  const part = (name: string) => `${line(markers.start, name)}\n${body}\n${line(markers.end, name)}`;
  const ours = part(markers.names[0] ?? '');
  if (current === undefined || current.trim() === '') return `${ours}\n${first}`;
  const found = find(current, markers);
  if (!found) return `${ours}\n\n${current}`;
  return `${current.slice(0, found.from)}${part(found.name)}${current.slice(found.to)}`;
}

function line(marker: string, name: string): string {
  return `<!-- ${marker.replace('{}', name)} -->`;
}

/** The innermost pair: a lone marker above or below it belongs to somebody's text. */
function find(
  text: string,
  { names, start, end }: Markers,
): { name: string; from: number; to: number } | undefined {
  const open = new Map<string, number>();
  for (const match of text.matchAll(/^[ \t\uFEFF]*(<!-- \S+ -->)[ \t]*$/gm)) {
    const marker = match[1] ?? '';
    const at = match.index + match[0].indexOf(marker);
    const name = names.find((known) => marker === line(start, known) || marker === line(end, known));
    if (name === undefined) continue;
    const from = open.get(name);
    if (marker === line(start, name)) open.set(name, at);
    else if (from !== undefined) return { name, from, to: at + marker.length };
  }
  return undefined;
}
