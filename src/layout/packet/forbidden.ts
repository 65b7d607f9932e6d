export interface Forbidden {
  where: string;
  line: number;
  path: string;
}

/** Enough to say what is wrong; a text that is full of it would fill the screen. */
const most = 100;

/**
 * Where a forbidden path, or something below it, is named. At any depth and with either slash; `.env` is in
 * `config/.env` and in "see .env.", not in `process.env`, `.env.local` or `my.env`. A `*` stands for a part of a name.
 */
export function forbiddenIn(
  texts: readonly { where: string; text: string }[],
  paths: readonly string[],
): Forbidden[] {
  const rules = paths.flatMap((path) => {
    const pattern = patternOf(path);
    return pattern === undefined ? [] : [{ path, pattern }];
  });
  const found: Forbidden[] = [];
  for (const { where, text } of rules.length === 0 ? [] : texts)
    for (const [i, line] of text.split(/\r\n|[\r\n]/).entries())
      for (const { path, pattern } of rules)
        if (found.length < most && pattern.test(line)) found.push({ where, line: i + 1, path });
  return found;
}

function patternOf(path: string): RegExp | undefined {
  const wanted = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/|\*\*\/)+/, '')
    .replace(/\/\*{1,2}$/, '/');
  const [name, folder] = wanted.endsWith('/') ? [wanted.replace(/\/+$/, ''), true] : [wanted, false];
  if (name === '' || /^\*+$/.test(name)) return undefined;
  const open = name.startsWith('*');
  const inner = name
    .replace(/^\*+/, '')
    .split(/(\*+|\/+)/)
    .map((piece) =>
      piece.startsWith('*') ? String.raw`[^\s/\\]{0,255}` : piece.startsWith('/') ? slash : escaped(piece),
    )
    .join('');
  return new RegExp(`${open ? '' : before(name)}${inner}${folder ? slash : after}`, 'u');
}

const slash = String.raw`[\\/]{1,4}`;
/** A full stop that ends a sentence ends the name too. */
const after = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`;

/** Behind `)`, `]` or `?` a dot begins a property, not a file. */
function before(name: string): string {
  return name.startsWith('.') ? String.raw`(?<![\p{L}\p{N}_.)\]?-])` : String.raw`(?<![\p{L}\p{N}_.-])`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
