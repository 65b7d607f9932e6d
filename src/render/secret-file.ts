/** `NAME=value` in each line, as shells and dotenv read it: `export`, quotes, comments. */
export function variablesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  const line =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[^\n]*)/gm;
  for (const [, name = '', value = ''] of text.matchAll(line)) found[name] = bare(value);
  return found;
}

function bare(value: string): string {
  const trimmed = value.trim();
  if (trimmed.startsWith('"') && trimmed.endsWith('"') && trimmed.length > 1)
    return trimmed
      .slice(1, -1)
      .replaceAll(String.raw`\n`, '\n')
      .replaceAll(/\\(["\\$])/g, '$1');
  if (trimmed.startsWith("'") && trimmed.endsWith("'") && trimmed.length > 1) return trimmed.slice(1, -1);
  return trimmed.replace(/[ \t]#.*$/, '').trim();
}

/** Everything in a file that holds nothing but secrets: the values of its variables or its JSON, or else all of its text. */
export function secretsInFile(text: string): string[] {
  const json = textsIn(parsed(text));
  if (json.length > 0) return json;
  const values = Object.values(variablesIn(text));
  const isAll = text
    .split('\n')
    .every((line) => /^\s*(?:#.*)?$|^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*[=:]/.test(line));
  return isAll && values.length > 0 ? values : [...values, text.trim()].filter((value) => value !== '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
