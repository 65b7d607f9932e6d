/**
 * Latin, Greek and Cyrillic letters, marks on them, and digits: what words with spaces between them are made of. Beside Han
 * or kana such a word stands alone. In figures, because the names of scripts take long to compile.
 */
export const letter = String.raw`[0-9A-Za-z\u00C0-\u052F\u1E00-\u1FFF]`;
const spaced = new RegExp(letter, 'u');

/** Of an English verb or noun also its other forms count. */
const english = /[a-z]{3}$/;

/**
 * Finds these keywords as whole words in a text of small letters: `log` is in `run.log` and `logs`, not in `catalog`. A
 * keyword of a script without spaces counts wherever it stands.
 */
function wholeWords(keywords: readonly string[]): RegExp {
  const groups = new Map<string, string[]>();
  for (const word of keywords.map((keyword) => keyword.trim().toLowerCase())) {
    if (word === '') continue;
    const before = spaced.test(word.charAt(0)) ? `(?<!${letter})` : '';
    const after = spaced.test(word.charAt(word.length - 1)) ? `(?!${letter})` : '';
    const edges = `${before}(?:…)${after}`; // few groups: each look around costs time to compile
    groups.set(edges, [...(groups.get(edges) ?? []), formsOf(word)]);
  }
  const parts = [...groups].map(([edges, words]) => edges.replace('…', () => words.join('|')));
  return new RegExp(parts.length === 0 ? '(?!)' : parts.join('|'), 'gu');
}

function formsOf(word: string): string {
  const last = word.at(-1) ?? '';
  return escaped(word) + (english.test(word) ? `(?:s|es|d|ed|ing|${last}ed|${last}ing)?` : '');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Whether a text has one of these keywords as a whole word. */
export function wordFinder(keywords: readonly string[]): (text: string) => boolean {
  let pattern: RegExp | undefined;
  return (text) => text.toLowerCase().search((pattern ??= wholeWords(keywords))) !== -1;
}

const takenBack =
  /(?:\b(?:not|never|no|without)\b|n['’]t)(?:\s+[\w'’-]+)?\s*$|(?:未|没有?|无|不(?![仅但止光]))[^\s,，.。;；、:：]{0,3}$/u;
const takenBackBehind = /^(?:を|は|が)?(?:して|できて|出来て)?(?:し|でき|出来)?い?(?:ない|ません)/u;
/** That there are none of these is as much of a finding. */
const bad = /^(?:error|exception|fail|异常|错误|失败|报错|エラー|失敗|例外)/u;

/** The text has one of the keywords and does not deny it: "not tested" and 未验证 do. */
export function affirms(text: string, keywords: readonly string[]): boolean {
  const small = text.toLowerCase();
  return [...small.matchAll(wholeWords(keywords))].some(
    ({ index, 0: word }) => bad.test(word) || !isDenied(small, index, word),
  );
}

/** Whether a text of small letters denies the word that it has there. */
export function isDenied(small: string, index: number, word: string): boolean {
  const end = index + word.length;
  const before = small.slice(Math.max(0, index - 40), index);
  return takenBack.test(before) || takenBackBehind.test(small.slice(end, end + 20));
}

/** What can be said in one breath: up to a mark that ends it, or a word that turns it around. */
const breaks =
  /(?<=[\n。！？!?；;，,、])|(?<=\.)(?=\s)|(?=\b(?:but|however|although|because|since|so(?!\s+(?:far|that|much|many)\b)|therefore|thus|hence)\b)|(?=但是?|不过|然而|因为|由于|所以|因此|ただし|しかし)/giu;

export function clausesOf(text: string): string[] {
  return text.split(breaks).filter((clause) => clause.trim() !== '');
}
