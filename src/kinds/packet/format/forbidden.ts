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

/** Headings of the sections in which a text says what must not be touched. */
const prohibition =
  /\b(?:den(?:y|ied)|forbidden|prohibited|excluded|off[ -]limits|out[ -]of[ -]scope|non-?goals?|do not|must not)\b|禁止|不得|不可|拒绝|範囲外|范围外|対象外/i;
const permission = /\ballow(?:ed)?\b/i;
const isScope = /^(?:\d+\. *)?scope$/i;

/**
 * The text with the lines of those sections left empty: to say that a path must not be touched, one has to name it. The
 * numbers of the lines stay. A section ends at the next heading of its level or above; a heading in a code block is none.
 */
export function withoutProhibitions(text: string): string {
  let fence: string | undefined;
  let level = Infinity;
  const kept = text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^(#{1,6})[ \t]+(\S[^\n]{0,200})/.exec(line) : undefined;
    const [, marks = '', title = ''] = heading ?? [];
    if (heading && (marks.length <= level || permission.test(title)))
      level = prohibition.test(title) || isScope.test(title.trim()) ? marks.length : Infinity;
    return level === Infinity ? line : '';
  });
  return kept.join('\n');
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
