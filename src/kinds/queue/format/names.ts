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

/** Where a task's own folder may be. The spec calls `.takt/tasks/invalid` wrong; the tool's own rule takes it. */
export const taskDirPattern = /^\.takt\/tasks\/[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

const maxLength = 30;
/** No more of a text is looked at: what follows would be cut off anyway. */
const looksAt = 200;

/** A name for entries, folders and branches. Never empty: a text without a letter that we can spell is a "task". */
export function slugify(text: string): string {
  const words = transliterate(text.slice(0, looksAt)).replaceAll(/[^a-z0-9]+/g, '-');
  return trimmed(trimmed(words).slice(0, maxLength)) || 'task';
}

/** After `slugify` no two dashes are neighbours, so one at each end is all there can be. */
function trimmed(words: string): string {
  return words.slice(words.startsWith('-') ? 1 : 0, words.endsWith('-') ? -1 : undefined);
}

/** Two texts with one slug get two: the random end of an id tells them apart, without a list of all names to race for. */
export function uniqueSlug(slug: string, id: string): string {
  return `${slug}-${id.slice(-6)}`;
}

/** `.takt/tasks/20260201-015714-add-login`: sorts by time, in UTC. */
export function taskDirFor(slug: string, now: string): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `.takt/tasks/${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${slug}`;
}

/**
 * Text in the letters a to z, as far as that can be done by rule: Latin with accents, Greek, Cyrillic, Japanese kana and
 * Korean. How Chinese characters sound nobody knows without a dictionary: they stay, like all else, for the caller.
 */
export function transliterate(text: string): string {
  const words = text.normalize('NFKC').toLowerCase().replaceAll(betweenKana, ' ');
  const chars = Array.from(words, toHiragana);
  let latin = '';
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? '';
    const sound = kana.get(char);
    if (sound === undefined) latin += char === doubled ? doubling(chars[at + 1]) : letters(char);
    else {
      const glide = glides.get(chars[at + 1] ?? '');
      if (glide !== undefined) at++;
      latin += glide === undefined ? sound : joined(sound, glide);
    }
  }
  return latin;
}

/** Japanese has no spaces, but a word in katakana ends where hiragana begins. */
const betweenKana = /(?<=[\u30A1-\u30FC])(?=[\u3041-\u3096])|(?<=[\u3041-\u3096])(?=[\u30A1-\u30FA])/g;

/** Katakana has the same sounds, 96 places further on. The long-vowel mark adds none. */
function toHiragana(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x30fc) return '';
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : char;
}

const doubled = 'っ';

function doubling(next: string | undefined): string {
  const first = kana.get(next ?? '')?.[0] ?? '';
  return first === 'c' ? 't' : /[aeioun]/.test(first) ? '' : first;
}

/** ki + ya = kya, shi + ya = sha, fu + a = fa, u + i = wi. */
function joined(sound: string, glide: string): string {
  if (sound === 'u') return `w${glide}`;
  const head = sound.slice(0, -1);
  const soft = sound === 'shi' || sound === 'chi' || sound === 'ji';
  return head + (soft ? glide.replace('y', '') : glide);
}

function letters(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return char;
  if (code >= 0xac00 && code <= 0xd7a3) return hangul(code - 0xac00);
  const known = others.get(char);
  if (known !== undefined) return known;
  const bare = char.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return bare === char ? char : Array.from(bare, (part) => others.get(part) ?? part).join('');
}

/** A syllable is a number made of its first sound, its vowel and its last. */
function hangul(index: number): string {
  const [first, vowel, last] = [Math.floor(index / 588), Math.floor((index % 588) / 28), index % 28];
  return `${firsts[first] ?? ''}${vowels[vowel] ?? ''}${lasts[last] ?? ''}`;
}

const firsts = 'g kk n d tt r m b pp s ss . j jj ch k t p h'
  .split(' ')
  .map((sound) => sound.replace('.', ''));
const vowels = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const lasts = '. k k k n n n t l k m l l l p l m p p t t ng t t k t p t'
  .split(' ')
  .map((sound) => sound.replace('.', ''));

function pairs(text: string): [string, string][] {
  return text.split(' ').map((pair) => {
    const [from = '', to = ''] = pair.split('=');
    return [from, to];
  });
}

const kana = new Map(
  pairs(
    'あ=a い=i う=u え=e お=o か=ka き=ki く=ku け=ke こ=ko が=ga ぎ=gi ぐ=gu げ=ge ご=go さ=sa し=shi す=su せ=se そ=so ' +
      'ざ=za じ=ji ず=zu ぜ=ze ぞ=zo た=ta ち=chi つ=tsu て=te と=to だ=da ぢ=ji づ=zu で=de ど=do な=na に=ni ぬ=nu ね=ne の=no ' +
      'は=ha ひ=hi ふ=fu へ=he ほ=ho ば=ba び=bi ぶ=bu べ=be ぼ=bo ぱ=pa ぴ=pi ぷ=pu ぺ=pe ぽ=po ま=ma み=mi む=mu め=me も=mo ' +
      'や=ya ゆ=yu よ=yo ら=ra り=ri る=ru れ=re ろ=ro わ=wa ゐ=wi ゑ=we を=wo ん=n ゔ=vu',
  ),
);
const glides = new Map(pairs('ゃ=ya ゅ=yu ょ=yo ぁ=a ぃ=i ぅ=u ぇ=e ぉ=o'));

const others = new Map(
  pairs(
    'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ŋ=ng ı=i ŧ=t ' +
      'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o ' +
      'а=a б=b в=v г=g д=d е=e ё=yo ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh ' +
      'щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i ї=yi є=ye ґ=g ў=u ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz',
  ),
);
