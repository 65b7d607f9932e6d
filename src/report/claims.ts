/** What a report says that docket can check. */
export interface Claims {
  /** It says that the work tree was changed at all. */
  saysChanged: boolean;
  /** Files that were changed. */
  changed: string[];
  /** Files that prove something. */
  files: string[];
  /** Commands that ended well. */
  commands: string[];
}

/** A sentence may begin with a name that only looks like a file's: without a folder, these endings alone make one. */
const endings = new Set(
  (
    'c cc cfg cpp cs css csv dart ex exs gradle graphql go h hpp hs html ini ipynb java js json jsonc jsx kt less lock lua ' +
    'md mdx mjs cjs mts cts php proto ps1 py r rb rs rst scala scss sh sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig'
  ).split(' '),
);
/** Products are called so, and files are not. */
const product = /^[A-Z][A-Za-z]*\.js$/;
const verbs =
  /^(?:add(?:ed)?|chang(?:e|ed)|creat(?:e|ed)|delet(?:e|ed)|edit(?:ed)?|modif(?:y|ied)|new|remov(?:e|ed)|renam(?:e|ed)|updat(?:e|ed)|wrote)(?: file)?:?\s+/i;
/** "None." is a word for an empty list, and no change. */
const none = /^[\s*•-]*(?:none|nothing|n\/a|no\b[^.:]{0,40}\b(?:chang|edit|modifi|file))/i;
/** Behind the name of a file: it is as it was, on purpose. */
const kept =
  /^[\s:,;(–—`"'-]*(?:(?:is|was|has been|stays?|kept) )?(?:not\b|un(?:changed|touched|modified)|no (?:\w+ )?changes?\b|left\b|as it was)|\b(?:temporar|reverted|(?:removed|deleted) (?:it )?(?:again|afterwards)|then (?:removed|deleted))/i;
const most = 200;

/** Only what is certain to be meant: prose that happens to hold a dot or a slash claims nothing. */
export function claimsIn(report: Readonly<Record<string, unknown>>): Claims {
  const changes = list(report['changes']).flatMap((line) =>
    typeof line === 'string' && !none.test(line) ? [line] : [],
  );
  const { artifacts } = report;
  const touched = isRecord(artifacts) ? list(artifacts['touchedFiles']) : [];
  const evidence = list(report['evidence']).filter(isRecord);
  const refs = (kind: string) =>
    evidence.flatMap(({ kind: is, ref }) => (is === kind && typeof ref === 'string' ? [ref] : []));
  return {
    saysChanged: changes.length > 0,
    changed: unique([...changes.flatMap(fileIn), ...touched.flatMap((name) => plain(name))]),
    files: unique(refs('file').flatMap((ref) => plain(ref))),
    commands: unique(refs('command').map(commandIn)),
  };
}

/** The file that a line of `changes` begins with. */
function fileIn(line: string): string[] {
  const text = line
    .trim()
    .replace(/^[-*•]\s+/, '')
    .replace(verbs, '');
  const quoted = /^[`"']([^`"']+)[`"']/.exec(text)?.[1];
  const [first = ''] = (quoted ?? text).split(/\s/, 1);
  const [name] = plain(first.replace(/[:,;.]+$/, ''));
  if (name === undefined) return [];
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const isNamed =
    endings.has(ending) && (name.includes('/') || (!product.test(name) && !/[()[\]]/.test(name)));
  const rest = text.slice(text.indexOf(first) + first.length);
  return isNamed && !kept.test(rest) ? [name] : [];
}

/** A path without the line that it points to. What holds spaces, patterns or an address is none that can be looked up. */
function plain(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const name = value
    .trim()
    .replace(/^`|`$/g, '')
    .replace(/#L?\d+.*$|(?::\d+(?:-\d+)?)+$/, '')
    .replace(/^(?:\.\/)+/, '');
  const isPath = name !== '' && name.length <= 500 && !/[\s*?{}<>|"'`,\\\p{Cc}]|:\/\/|^[~@-]/u.test(name);
  return isPath ? [name] : [];
}

/** As a person would type it. */
export function commandIn(line: string): string {
  return line
    .trim()
    .replace(/^`+|`+$/g, '')
    .replace(/^\$\s+/, '')
    .replaceAll(/\s+/g, ' ');
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, most) : [];
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
