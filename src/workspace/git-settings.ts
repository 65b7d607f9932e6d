type Settings = Map<string, string[]>;

/** What people and their tools write there in passing, and what starts no program and leads nowhere else. */
const idle = [
  /^(?:advice|author|branch|color|column|committer|index|log|maintenance|pack|pull|rerere|status|user)\./,
  /^gc\.(?!.*hook$)/s,
  /^remote\..*\.gh-resolved$/s,
  /^lfs\.(?:.*\.access|repositoryformatversion)$/s,
];

/** The keys of two versions of a file of git's settings that are not the same, of those that matter: where git goes, and what it starts. */
export function changedKeys(before: string, now: string): string[] {
  return keysBetween(settingsIn(before), settingsIn(now));
}

/**
 * The same of a workspace's own file. Hooks in its work tree are allowed: package managers set them up (husky), they are
 * part of the diff, and docket runs none of them.
 */
export function changedInWorkspace(before: string, now: string): string[] {
  const [was, is] = [settingsIn(before), settingsIn(now)];
  const isAllowed = (key: string): boolean =>
    key === 'core.hookspath' && (is.get(key) ?? []).every((value) => staysInside.test(value));
  return keysBetween(was, is).filter((key) => !isAllowed(key));
}

/** A path from the top of the work tree, without a way out of it. */
const staysInside = /^(?!.*\.\.)"?[\w.][\w./-]*"?$/;

function keysBetween(was: Settings, is: Settings): string[] {
  const keys = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  return keys.filter(
    (key) =>
      !idle.some((one) => one.test(key)) && JSON.stringify(was.get(key)) !== JSON.stringify(is.get(key)),
  );
}

const blank = /(?:[ \t\r\n]|[#;][^\n]*)+/y;
const head = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
/** Word for word what git reads: a comment ends with its line, and a quoted one is none. */
const entry = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=((?:[^\\\n"#;]+|\\[^]|"(?:[^"\\\n]|\\[^])*")*)|(?=\n|$))/y;

/**
 * Values as they are written, by their keys. It must not see less than git does: what it cannot read counts as a whole,
 * and a part may begin anywhere, also behind another on the same line.
 */
function settingsIn(given: string): Settings {
  const text = given.replace(/^\u00EF\u00BB\u00BF/, '').replaceAll('\r\n', '\n');
  const settings: Settings = new Map();
  const add = (key: string, value: string): void =>
    void settings.set(key, [...(settings.get(key) ?? []), value]);
  let section: string | undefined;
  for (let at = 0; at < text.length;) {
    const matched = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(text);
    };
    const found = matched(blank) ?? matched(head);
    const [part, name, inner] = found ?? [];
    if (name !== undefined) section = [name.toLowerCase(), ...(inner === undefined ? [] : [inner])].join('.');
    const [line, key, value] = (section === undefined || found ? null : matched(entry)) ?? [];
    if (key !== undefined) add(`${section}.${key.toLowerCase()}`, value?.trim() ?? '');
    const length = (part ?? line ?? '').length;
    if (length === 0) {
      add('what git cannot read', text.slice(at));
      break;
    }
    at += length;
  }
  return settings;
}
