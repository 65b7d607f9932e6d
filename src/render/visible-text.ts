/** What a model reads and a person does not see: controls, what turns the direction of writing, what has no shape at all. */
const unseen = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** One of these behind a letter or an emoji is how people write; a second one in a row is how text is hidden. */
const joiners: ReadonlySet<string> = new Set(['\u200C', '\u200D', '\uFE0E', '\uFE0F']);
const joinable =
  /(?:[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}0-9#*](?<!\p{Default_Ignorable_Code_Point})|\uFE0F)$/u;

/** The same text with every such character as its number, such as ⟨U+202E⟩. Line ends become plain ones; tabs stay. */
export function visibleText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.replaceAll(unseen, (char: string, at: number) => {
    if (char === '\n' || char === '\t') return char;
    const before = lines.slice(Math.max(0, at - 2), at);
    if (joiners.has(char) && joinable.test(before) && !(before.endsWith('\uFE0F') && char !== '\u200D'))
      return char;
    return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
